/// The bytes of a host's association files, made once for every change of an application and then only copied out.
package struct AssociationFiles: Hashable, Sendable {
    /// `apple-app-site-association`; nil where nothing is configured for it, which is answered with 404.
    package let apple: [UInt8]?
    /// `assetlinks.json`; nil where nothing is configured for it, which is answered with 404.
    package let assetLinks: [UInt8]?

    package init(_ source: AssociationSource) {
        let apple = source.apple
        let assetLinks = source.assetLinks
        self.apple = apple.isEmpty ? nil : apple.bytes()
        self.assetLinks = assetLinks.isEmpty ? nil : assetLinks.bytes()
    }

    /// For a host that several applications share, in their order.
    package init(merging sources: [AssociationSource]) {
        self.init(AssociationSource(merging: sources))
    }

    /// Which of the files are larger than `AppleAppSiteAssociation.sizeLimit`: the application must not be applied
    /// (and, for files of merged sources, must not join the others).
    package var problems: [AssociationProblem] {
        [
            Self.problem(of: apple, field: "ios", limit: AppleAppSiteAssociation.sizeLimit),
            Self.problem(of: assetLinks, field: "android", limit: AssetLinks.sizeLimit),
        ].compactMap { $0 }
    }

    private static func problem(of file: [UInt8]?, field: String, limit: Int) -> AssociationProblem? {
        guard let size = file?.count, size > limit else { return nil }
        return AssociationProblem(
            field: field, problem: "makes an association file of \(size) bytes; at most \(limit) are allowed")
    }
}
