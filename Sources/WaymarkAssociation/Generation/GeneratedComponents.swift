internal import WaymarkJSON

/// The rules of an app that configures none: the service's own paths stay in the browser, and every other URL of the
/// host opens the app. Routes of templates are not listed, because they are no paths of the link domain.
struct GeneratedComponents {
    /// Whether the application serves the APIs of Firebase Dynamic Links or HOKO. `v1` and `v2` are then their paths,
    /// otherwise they may be slugs.
    var servesOtherAPIs = false

    init(servesOtherAPIs: Bool = false) {
        self.servesOtherAPIs = servesOtherAPIs
    }

    /// - Parameter document: an application; its members `firebase` and `hoko`.
    init(_ document: JSONValue) {
        self.init(
            servesOtherAPIs: ["firebase", "hoko"].contains { document[$0]?["enabled"]?.bool == true })
    }

    /// First path segments that are no slugs and whose pages people may open.
    private var segments: [String] {
        ["_", "api", ".well-known"] + (servesOtherAPIs ? ["v1", "v2"] : [])
    }

    /// The names of QR codes after a slug. Patterns name them whole, because `a/qr.menu` may be a slug.
    private static let pictures = ["qr.png", "qr.svg"]
    /// The largest number of segments of a slug.
    private static let slugSegments = 4
    /// The page that shows where a link leads; slugs hold no `+`.
    private static let details = "/*+"

    /// For Apple, whose `*` also matches slashes, and whose `/x/*` also matches `/x`.
    var apple: [AssociationComponent] {
        Self.rules(
            excluding: segments.map { "/\($0)/*" } + [Self.details] + Self.pictures.map { "/*/\($0)" },
            including: "/*")
    }

    /// For Android, whose `*` ends at the first occurrence of the pattern's next character, so that each number of
    /// segments needs a pattern of its own.
    var android: [AssociationComponent] {
        let slugs = (1...Self.slugSegments).map { String(repeating: "/*", count: $0) }
        return Self.rules(
            // The dashboard's address without its slash.
            excluding: ["/_"] + segments.map { "/\($0)/*" } + [Self.details]
                + slugs.flatMap { slug in Self.pictures.map { "\(slug)/\($0)" } },
            including: "*")
    }

    private static func rules(excluding excluded: [String], including rest: String) -> [AssociationComponent] {
        excluded.map { AssociationComponent(path: $0, exclude: true) } + [AssociationComponent(path: rest)]
    }
}
