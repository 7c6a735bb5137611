package import WaymarkJSON

/// The association settings in an application's document: the validated contents of both files.
package struct AssociationSource: Hashable, Sendable {
    package let apple: AppleAppSiteAssociation
    package let assetLinks: AssetLinks

    package init(apple: AppleAppSiteAssociation, assetLinks: AssetLinks) {
        self.apple = apple
        self.assetLinks = assetLinks
    }

    /// An application without apps: neither file exists.
    package static let none = AssociationSource(
        apple: AppleAppSiteAssociation(details: []), assetLinks: AssetLinks(apps: []))

    /// Merges several applications on one host: entries and apps are concatenated in the given order, which is also
    /// the order of precedence on a device with more than one of the apps.
    package init(merging sources: [AssociationSource]) {
        self.init(
            apple: AppleAppSiteAssociation(
                details: sources.flatMap(\.apple.details),
                webCredentials: sources.flatMap(\.apple.webCredentials).withoutRepetition,
                appClips: sources.flatMap(\.apple.appClips).withoutRepetition),
            assetLinks: AssetLinks(apps: sources.flatMap(\.assetLinks.apps).withoutRepetition))
    }
}

extension AssociationSource {
    /// The result of reading a document.
    package enum Reading: Hashable, Sendable {
        case source(AssociationSource)
        /// All problems, at least one, in the order they were found. At most `AssociationSource.problemLimit`, so
        /// that a hostile document does not produce a far longer response.
        case problems([AssociationProblem])
    }

    /// Maximum number of problems.
    package static let problemLimit = 1_000

    /// Reads `ios`, `android`, and whether `firebase` and `hoko` are enabled from an application's document, and nothing
    /// else. `null` counts as absent.
    ///
    /// A document that is not an object counts as empty: the reader of the whole application reports it.
    package static func read(_ document: JSONValue) -> Reading {
        var reader = AssociationReader()
        let generated = GeneratedComponents(document)
        let apple = reader.apple(document["ios"], generated: generated.apple)
        let assetLinks = reader.assetLinks(document["android"], generated: generated.android)
        let source = AssociationSource(apple: apple, assetLinks: assetLinks)
        if reader.problems.isEmpty { reader.note(AssociationFiles(source).problems) }
        return reader.problems.isEmpty ? .source(source) : .problems(reader.problems)
    }
}

extension Array where Element: Hashable {
    /// The elements without duplicates; the first of each is kept.
    var withoutRepetition: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
