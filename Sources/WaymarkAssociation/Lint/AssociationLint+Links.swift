internal import WaymarkJSON

extension AssociationLint {
    /// How many of the newest links are held against a file.
    package static let linksChecked = 20
    /// The path of a link that could be created next.
    package static let samplePath = "/Ab3dE9x"

    /// Links that a file opens no app for: at most one finding for the sample and one for the rest. Empty if the file
    /// opens no links at all by its kind, such as one for passwords only.
    ///
    /// - Parameters:
    ///   - file: at most `sizeLimit`; if it can't be read, there are no findings.
    ///   - sample: the URL of a link that could be created next; nil: not checked.
    ///   - links: URLs of existing links, the newest first; at most `linksChecked` are checked.
    package static func findings(
        of file: [UInt8], _ kind: AssociationKind, sample: String?, links: some Collection<String>
    ) -> [LintFinding] {
        let budget = WorkBudget()
        guard let root = AssociationText(file, budget).document?.root, opensLinks(root, kind, budget) else { return [] }
        var findings: [LintFinding] = []
        func closed(_ urls: some Sequence<String>) -> [(url: String, why: String)] {
            urls.compactMap { url in
                guard !budget.isExhausted else { return nil }
                let opening = LinkOpening(of: url, by: file, kind, budget: budget)
                guard opening.opens == false else { return nil }
                return (url, opening.why)
            }
        }
        if let (url, why) = closed([sample].compactMap(\.self)).first {
            findings.append(
                LintFinding(.linkNotOpened, "new links, such as \(shortened(url)), stay in the browser: \(why)"))
        }
        let checked = links.prefix(linksChecked)
        let some = closed(checked)
        if let (url, why) = some.first {
            let link = shortened(url)
            let sentence =
                checked.count == 1
                ? "the only link, \(link), stays in the browser"
                : some.count == 1
                    ? "one of the newest \(checked.count) links stays in the browser: \(link)"
                    : "\(some.count) of the newest \(checked.count) links stay in the browser, such as \(link)"
            findings.append(LintFinding(.linkNotOpened, "\(sentence): \(why)"))
        }
        if budget.isExhausted {
            findings.append(
                LintFinding(.budgetExceeded, "holding the file against links takes too long; not all were checked"))
        }
        return findings
    }

    private static func opensLinks(_ root: JSONValue, _ kind: AssociationKind, _ budget: WorkBudget) -> Bool {
        switch kind {
        case .apple: root.object != nil && !AppleDocument(root, budget: budget).entries.isEmpty
        case .assetLinks: root.array != nil && !AndroidDocument(root, budget: budget).statements.isEmpty
        }
    }
}
