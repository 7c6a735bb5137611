package import WaymarkLinks

extension Link {
    /// The rules of `LinkStore.rename`.
    ///
    /// - Parameters:
    ///   - isTaken: whether another link has the slug, or has it as an alias.
    ///   - isFoldedTaken: the same if case is ignored.
    /// - Returns: the link to store; this one if it has the slug already.
    package func renaming(
        to slug: Slug, expecting: Int?, by rules: SlugRules, at now: Timestamp, isTaken: () throws -> Bool,
        isFoldedTaken: () throws -> Bool
    ) rethrows -> RenameOutcome {
        if let expecting, expecting != version { return .versionMismatch(current: version) }
        guard rules.permit(slug) else { return .slugReserved }
        if slug == self.slug { return .renamed(self) }
        if try isTaken() || rules.contains(.ignoreCase) && isFoldedTaken() { return .slugTaken }
        guard let renamed = renamed(to: slug, at: now) else { return .tooManyAliases }
        return .renamed(renamed)
    }
}
