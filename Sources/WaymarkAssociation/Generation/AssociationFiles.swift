/// The bytes of a host's association files, made once for every change of an application and then only copied out.
package struct AssociationFiles: Hashable, Sendable {
    /// `apple-app-site-association`; nil where nothing is configured for it, which is answered with 404.
    package let apple: [UInt8]?
    /// `assetlinks.json`; nil where nothing is configured for it, which is answered with 404.
    package let assetLinks: [UInt8]?
    /// Which of the files would be larger than `AppleAppSiteAssociation.sizeLimit` and are nil for that reason: what
    /// was about to be applied must be refused. Always empty for a source that `AssociationSource.read` gave; not so
    /// for several together.
    package let problems: [AssociationProblem]

    package init(_ source: AssociationSource) {
        var problems: [AssociationProblem] = []
        apple = source.apple.isEmpty ? nil : source.apple.bytes()
        if apple == nil, !source.apple.isEmpty {
            problems.append(Self.tooLarge(field: "ios", limit: AppleAppSiteAssociation.sizeLimit))
        }
        assetLinks = source.assetLinks.isEmpty ? nil : source.assetLinks.bytes()
        if assetLinks == nil, !source.assetLinks.isEmpty {
            problems.append(Self.tooLarge(field: "android", limit: AssetLinks.sizeLimit))
        }
        self.problems = problems
    }

    /// For a host that several applications share, in their order.
    package init(merging sources: [AssociationSource]) {
        self.init(AssociationSource(merging: sources))
    }

    private static func tooLarge(field: String, limit: Int) -> AssociationProblem {
        AssociationProblem(field: field, problem: "makes an association file of more than the \(limit) bytes allowed")
    }
}
