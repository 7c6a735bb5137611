internal import WaymarkJSON

/// One entry of `applinks.details`: apps, and which URLs open them.
package struct AppLinksEntry: Hashable, Sendable {
    /// The two forms that Apple knows. In both the first rule that fits decides.
    package enum Rules: Hashable, Sendable {
        /// iOS 13 and later.
        case components([AssociationComponent])
        /// Patterns for the path alone, `NOT ` in front for an exclusion; what iOS 12 and earlier understand.
        case paths([String])
    }

    /// At least one.
    package let appIDs: [AppID]
    package let rules: Rules

    package init(appIDs: [AppID], rules: Rules) {
        self.appIDs = appIDs
        self.rules = rules
    }

    var usesPaths: Bool {
        if case .paths = rules { true } else { false }
    }

    /// The older form has room for one app in each entry, so there it becomes an entry for every app. Writing stops
    /// somewhere behind `limit` bytes: many apps times many paths can be far more than the document they came in.
    func write(to writer: inout JSONWriter, limit: Int) {
        switch rules {
        case .components(let components):
            writer.beginObject()
            writer.name("appIDs")
            writer.beginArray()
            for appID in appIDs { writer.string(appID.text) }
            writer.endArray()
            writer.name("components")
            writer.beginArray()
            for component in components { component.write(to: &writer) }
            writer.endArray()
            writer.endObject()
        case .paths(let paths):
            for appID in appIDs where writer.bytes.count <= limit {
                writer.beginObject()
                writer.member("appID", appID.text)
                writer.name("paths")
                writer.beginArray()
                for path in paths { writer.string(path) }
                writer.endArray()
                writer.endObject()
            }
        }
    }
}
