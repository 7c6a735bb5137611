package import WaymarkLinks

extension ApplicationRegistry {
    /// Marks a store that has had applications: the default application is made once in a store's life, so that one
    /// that was deleted stays deleted.
    package static let usedSecret = "applications-used"

    /// Makes the application that the first links belong to, where the store has no application.
    ///
    /// To be called at a start while the store has no secret `usedSecret`; several servers may do so at once. The
    /// application is made first and the mark is set behind it, so a start that is interrupted is made up for by the
    /// next.
    package func makeDefault(_ definition: ApplicationDefinition) async throws(StoreError) {
        if directory.current.applications.isEmpty {
            // Expects that there is none: another server may have made it, or somebody may have put their own.
            _ = try await store.put(
                Self.stored(definition, from: .firstStart), expecting: 0, check: { _ in true })
        }
        _ = try await store.secret(Self.usedSecret, make: { [1] })
        try await removeUnusedDefault()
        try await refresh()
    }

    /// Removes the application of the first start once there are others, unless it has links. One that somebody
    /// replaced is theirs, and stays.
    func removeUnusedDefault() async throws(StoreError) {
        let stored = try await store.applications()
        guard stored.count > 1,
            let unclaimed = stored.first(where: { ApplicationRecord(stored: $0.document).origin == .firstStart })
        else { return }
        // A link that was made, or a change that came in between, keeps it.
        _ = try await store.deleteApplication(unclaimed.id, expecting: unclaimed.version)
    }
}
