internal import WaymarkJSON

/// Lint from the bytes of a file on.
package enum AssociationLint {
    /// Larger files are not looked into.
    package static let sizeLimit = 4 << 20
    /// From here on a file is close to what Apple gives as 128 KB without saying how much that is.
    private static let comfortableSize = 128_000

    /// - Parameters:
    ///   - name: the file's, where it has one: a name that ends in `.json` is a fault of Apple's.
    ///   - kind: which file it is meant to be; nil: by its name, else by its outermost value.
    ///   - isServedHere: whether this service serves it, which has paths of its own that no app should take.
    package static func lint(
        _ file: [UInt8], name: String? = nil, kind: AssociationKind? = nil, isServedHere: Bool = false
    ) -> LintReport {
        let text = AssociationText(Array(file.prefix(sizeLimit)))
        var notes = LintNotes(text.source)
        let root = file.count <= sizeLimit ? text.mended.map { LintPlace(root: $0.root) } : nil
        let named = kind ?? name.flatMap { AssociationKind(name: $0) }
        let kind = named ?? root.flatMap { Self.kind(of: $0.value) }

        lintSize(file, kind, &notes)
        if let name, kind != .assetLinks { lintName(name, &notes) }
        if text.hasByteOrderMark {
            notes.note(.jsonByteOrderMark, offset: 0, "the file begins with a byte order mark")
        }
        if file.count <= sizeLimit {
            for fault in text.faults { notes.note(fault.rule, offset: fault.offset, fault.sentence, mend: fault.mend) }
            for member in text.mended?.repeatedMembers ?? [] {
                notes.note(
                    .jsonRepeatedMember, offset: member.nameRange.lowerBound,
                    "the member \(quoted(member.name)) stands in this object already; which one counts is not documented"
                )
            }
        }
        if let root { lintContent(root, kind, &notes) }
        if isServedHere, kind == .apple, let document = text.document { lintExclusions(document.root, &notes) }
        return LintReport(kind: kind, byteCount: file.count, findings: notes.sorted)
    }

    private static func kind(of root: JSONValue) -> AssociationKind? {
        if root.array != nil { return .assetLinks }
        return root.object == nil ? nil : .apple
    }

    private static func lintContent(_ root: LintPlace, _ kind: AssociationKind?, _ notes: inout LintNotes) {
        switch kind {
        case .apple:
            var lint = AppleLint(notes)
            lint.lint(root)
            notes = lint.notes
        case .assetLinks:
            var lint = AssetLinksLint(notes)
            lint.lint(root)
            notes = lint.notes
        case nil:
            notes.note(.rootType, at: root, "the file is \(root.value.noun), neither an object nor an array")
        }
    }

    private static func lintSize(_ file: [UInt8], _ kind: AssociationKind?, _ notes: inout LintNotes) {
        let limit = AppleAppSiteAssociation.sizeLimit
        if file.count > limit {
            notes.note(.fileTooLarge, offset: nil, "the file has \(file.count) bytes, \(file.count - limit) too many")
        } else if file.count > comfortableSize {
            notes.note(.fileLarge, offset: nil, "the file has \(file.count) bytes, close to the limit of \(limit)")
        }
    }

    private static func lintName(_ name: String, _ notes: inout LintNotes) {
        let last = name.split(separator: "/").last.map(String.init) ?? name
        guard last.hasPrefix(AssociationKind.apple.rawValue), last.count > AssociationKind.apple.rawValue.count else {
            return
        }
        if last.dropFirst(AssociationKind.apple.rawValue.count).first == "." {
            notes.note(.fileExtension, offset: nil, "the file is called \(quoted(last))")
        }
    }

    /// One path for each exclusion that a file without rules of its own is generated with.
    private static let ownPaths = ["/_/", "/api/v1/links", "/v1/x", "/v2/x", "/x+", "/x/qr.png"]

    private static func lintExclusions(_ root: JSONValue, _ notes: inout LintNotes) {
        let document = AppleDocument(root)
        let budget = MatchBudget()
        let opening = ownPaths.filter { path in
            guard let url = AssociationURL("https://example.com\(path)") else { return false }
            return AppleSimulation(document, url: url, budget: budget).answer().opens
        }
        guard !opening.isEmpty else { return }
        notes.note(
            .exclusionMissing, offset: root["applinks"]?.range.lowerBound, pointer: "/applinks",
            "the app also opens for paths of this service: \(opening.joined(separator: ", "))")
    }
}
