package import WaymarkJSON

/// What an application's document says about association: the content of both files, read and checked.
package struct AssociationSource: Hashable, Sendable {
    package let apple: AppleAppSiteAssociation
    package let assetLinks: AssetLinks

    package init(apple: AppleAppSiteAssociation, assetLinks: AssetLinks) {
        self.apple = apple
        self.assetLinks = assetLinks
    }

    /// An application without an app: neither file exists.
    package static let none = AssociationSource(
        apple: AppleAppSiteAssociation(details: []), assetLinks: AssetLinks(apps: []))

    /// Several applications on one host: entries and apps one behind the other, in the order given, which is also the
    /// order of precedence on a device that has more than one of the apps.
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
    /// What reading a document came to.
    package enum Reading: Hashable, Sendable {
        case source(AssociationSource)
        /// All that is wrong, at least one, in the order of this service's reading. At most
        /// `AssociationSource.problemLimit`, so that a long hostile document does not become a far longer answer.
        case problems([AssociationProblem])
    }

    /// How many problems one reading names at most.
    package static let problemLimit = 1_000

    /// Reads `ios`, `android` and the routes of `templates` from an application's document and looks at nothing else in
    /// it. `null` and an absent member are the same.
    ///
    /// A document that is not an object, and templates without a usable route, are taken as empty: they are for the
    /// reader of the whole application to report.
    package static func read(_ document: JSONValue) -> Reading {
        var reader = AssociationReader()
        let routes = (document["templates"]?.array ?? []).compactMap { $0["route"]?.string }.filter { !$0.isEmpty }
        // Most of the work is ordering them, and an application without an app for iOS needs none.
        let generated = document["ios"] == nil ? [] : GeneratedComponents.components(routes: routes)
        let apple = reader.apple(document["ios"], generated: generated)
        let assetLinks = reader.assetLinks(document["android"])
        let source = AssociationSource(apple: apple, assetLinks: assetLinks)
        if reader.problems.isEmpty { reader.note(AssociationFiles(source).problems) }
        return reader.problems.isEmpty ? .source(source) : .problems(reader.problems)
    }
}

extension Array where Element: Hashable {
    /// Every element where it stands first.
    var withoutRepetition: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
