import WaymarkBytes

/// The bytes of a host's association files, made once for every change of an application and then only copied out.
package struct AssociationFiles: Hashable, Sendable {
    /// `apple-app-site-association`; nil if nothing is configured for it, which is served as 404.
    package let apple: [UInt8]?
    /// `assetlinks.json`; nil if nothing is configured for it, which is served as 404.
    package let assetLinks: [UInt8]?
    /// The files that exceed `AppleAppSiteAssociation.sizeLimit` and are nil for that reason: the change must be
    /// rejected. Always empty for a source from `AssociationSource.read`, but not for several merged sources.
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

    /// Creates the files of a host shared by several applications, in their order.
    package init(merging sources: [AssociationSource]) {
        self.init(AssociationSource(merging: sources))
    }

    private static func tooLarge(field: String, limit: Int) -> AssociationProblem {
        AssociationProblem(field: field, problem: "makes an association file of more than the \(limit) bytes allowed")
    }
}
