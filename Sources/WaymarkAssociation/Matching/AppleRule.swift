/// One rule of an association file as applied by a device: a component with its defaults.
struct AppleRule: Hashable, Sendable {
    enum Query: Hashable, Sendable {
        case text(String)
        case items(QueryDictionary)
    }

    /// Nil: any path.
    var path: String?
    /// Nil: any query.
    var query: Query?
    /// Nil: any fragment.
    var fragment: String?
    var excludes = false
    var caseSensitive = true
    var percentEncoded = true
    /// Other possible meanings if its JSON is invalid.
    var alternatives: [Alternative] = []

    /// The rule under another reading of the file.
    struct Alternative: Hashable, Sendable {
        let doubt: Ambiguity
        /// Nil: the rule does not exist.
        let rule: Alternated?
    }

    /// A rule without alternatives.
    struct Alternated: Hashable, Sendable {
        private let storage: [AppleRule]
        var rule: AppleRule { storage[0] }

        init(_ rule: AppleRule) {
            var plain = rule
            plain.alternatives = []
            storage = [plain]
        }
    }

    /// All of its patterns, to inspect their text.
    var patterns: [String] {
        var patterns = [path, fragment].compactMap { $0 }
        switch query {
        case .text(let pattern): patterns.append(pattern)
        case .items(let query): patterns += query.items.map(\.pattern)
        case nil: break
        }
        return patterns
    }
}

/// The query items required by a rule. Rules that inherit them from `defaults` share one object.
final class QueryDictionary: Hashable, Sendable {
    let items: [AssociationComponent.QueryItem]

    init(_ items: [AssociationComponent.QueryItem]) { self.items = items }

    static func == (left: QueryDictionary, right: QueryDictionary) -> Bool {
        left === right || left.items == right.items
    }

    func hash(into hasher: inout Hasher) { hasher.combine(items) }
}
