internal import WaymarkJSON

/// Lint from the bytes of a file.
package enum AssociationLint {
    /// Maximum size of a file that is checked, in bytes: twice the size that systems read.
    package static let sizeLimit = 262_144
    /// A larger file is close to Apple's limit of "128 KB", which does not say whether K is 1,000 or 1,024.
    private static let comfortableSize = 128_000

    /// Why a file of this size is rejected, to follow "can't be used: ".
    package static func tooLarge(_ count: Int) -> String {
        "it has \(count) bytes; files of more than \(sizeLimit) are not looked into, and systems read \(AppleAppSiteAssociation.sizeLimit)"
    }

    /// A file larger than `sizeLimit` is reported as too large and not read. The work is bounded: if a file would
    /// take too long, the report ends with `budget-exceeded`, and after 200 findings with `findings-omitted`.
    ///
    /// - Parameters:
    ///   - name: the file's name, if it has one: Apple does not accept a name that ends in `.json`.
    ///   - kind: the kind of file. Nil: detected by its name, otherwise by the type of its JSON value.
    ///   - isServedHere: whether this service serves the file: the service's own paths should not open an app.
    package static func lint(
        _ file: [UInt8], name: String? = nil, kind: AssociationKind? = nil, isServedHere: Bool = false
    ) -> LintReport {
        lint(file, name: name, kind: kind, isServedHere: isServedHere, budget: WorkBudget())
    }

    /// - Parameter budget: the budget of the whole request.
    static func lint(
        _ file: [UInt8], name: String? = nil, kind: AssociationKind? = nil, isServedHere: Bool = false,
        budget: WorkBudget
    ) -> LintReport {
        let named = kind ?? name.flatMap { AssociationKind(name: $0) }
        guard file.count <= sizeLimit else {
            var notes = LintDiagnostics([], budget)
            lintSize(file, named, &notes)
            return LintReport(kind: named, byteCount: file.count, findings: notes.sorted)
        }
        let text = AssociationText(file, budget)
        var notes = LintDiagnostics(text.source, budget)
        let root = text.mended.map { SourceLocation(root: $0.root) }
        let kind = named ?? root.flatMap { Self.kind(of: $0.value) }

        lintSize(file, kind, &notes)
        if let name, kind != .assetLinks { lintName(name, &notes) }
        if text.hasByteOrderMark {
            notes.note(.jsonByteOrderMark, offset: 0, "the file begins with a byte order mark")
        }
        for fault in text.faults { notes.note(fault.rule, offset: fault.offset, fault.sentence, mend: fault.mend) }
        for member in text.mended?.repeatedMembers ?? [] where !notes.isFull {
            notes.note(
                .jsonRepeatedMember, offset: member.nameRange.lowerBound,
                "the member \(quoted(member.name)) stands in this object already; which one counts is not documented"
            )
        }
        if isServedHere, let document = text.document { lintExclusions(document.root, kind, &notes) }
        if let root { lintContent(root, kind, &notes) }
        notes.close()
        return LintReport(kind: kind, byteCount: file.count, findings: notes.sorted)
    }

    private static func kind(of root: JSONValue) -> AssociationKind? {
        if root.array != nil { return .assetLinks }
        return root.object == nil ? nil : .apple
    }

    private static func lintContent(_ root: SourceLocation, _ kind: AssociationKind?, _ notes: inout LintDiagnostics) {
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

    private static func lintSize(_ file: [UInt8], _ kind: AssociationKind?, _ notes: inout LintDiagnostics) {
        let limit = AppleAppSiteAssociation.sizeLimit
        if file.count > limit {
            notes.note(.fileTooLarge, offset: nil, "the file has \(file.count) bytes, \(file.count - limit) too many")
        } else if file.count > comfortableSize {
            notes.note(.fileLarge, offset: nil, "the file has \(file.count) bytes, close to the limit of \(limit)")
        }
    }

    private static func lintName(_ name: String, _ notes: inout LintDiagnostics) {
        let last = name.split(separator: "/").last.map(String.init) ?? name
        guard last.hasPrefix(AssociationKind.apple.rawValue), last.count > AssociationKind.apple.rawValue.count else {
            return
        }
        if last.dropFirst(AssociationKind.apple.rawValue.count).first == "." {
            notes.note(.fileExtension, offset: nil, "the file is called \(quoted(last))")
        }
    }

    /// Pages that people open in a browser although they have the app.
    private static let ownPaths = ["/_/", "/api/v1/links", "/x+", "/x/qr.png"]

    private static func lintExclusions(_ root: JSONValue, _ kind: AssociationKind?, _ notes: inout LintDiagnostics) {
        let opens: (AssociationURL) -> Bool
        switch kind {
        case .apple where root.object != nil:
            let document = AppleDocument(root, budget: notes.budget)
            opens = { [budget = notes.budget] in AppleSimulation(document, url: $0, budget: budget).opens() }
        case .assetLinks where root.array != nil:
            let document = AndroidDocument(root, budget: notes.budget)
            // Without dynamic rules, the manifest decides, which is not known here.
            guard !document.packagesWithRules.isEmpty else { return }
            opens = { [budget = notes.budget] in
                AndroidSimulation(document, url: $0, budget: budget).answer().opens
            }
        default: return
        }
        let opening = ownPaths.filter { path in
            AssociationURL("https://example.com\(path)").map(opens) ?? false
        }
        guard !opening.isEmpty, !notes.budget.isExhausted else { return }
        notes.note(
            .exclusionMissing, offset: root["applinks"]?.range.lowerBound, pointer: kind == .apple ? "/applinks" : "",
            "the app also opens for paths of this service: \(opening.joined(separator: ", "))")
    }
}

/// The two kinds of file.
package enum AssociationKind: String, Sendable, Hashable, CaseIterable {
    case apple = "apple-app-site-association"
    case assetLinks = "assetlinks.json"

    /// - Parameter name: a file's name or path, or a URL's path.
    package init?(name: String) {
        let last = name.split(separator: "/").last.map(String.init) ?? name
        if last.hasPrefix(Self.apple.rawValue) {
            self = .apple
        } else if last.hasSuffix(Self.assetLinks.rawValue) {
            self = .assetLinks
        } else {
            return nil
        }
    }
}
