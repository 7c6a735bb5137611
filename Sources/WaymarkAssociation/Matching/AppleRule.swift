/// One rule of an association file as a device applies it: its component, the defaults laid under it.
struct AppleRule: Hashable, Sendable {
    enum Query: Hashable, Sendable {
        case text(String)
        case items(QueryDictionary)
    }

    /// Nil: every path.
    var path: String?
    /// Nil: every query.
    var query: Query?
    /// Nil: every fragment.
    var fragment: String?
    var excludes = false
    var caseSensitive = true
    var percentEncoded = true
    /// What else it could come to where its JSON is not as it should be.
    var alternatives: [Alternative] = []

    /// The rule under another reading of the file.
    struct Alternative: Hashable, Sendable {
        let doubt: Ambiguity
        /// Nil: the rule is not there at all.
        let rule: Alternated?
    }

    /// A rule without alternatives of its own.
    struct Alternated: Hashable, Sendable {
        private let storage: [AppleRule]
        var rule: AppleRule { storage[0] }

        init(_ rule: AppleRule) {
            var plain = rule
            plain.alternatives = []
            storage = [plain]
        }
    }

    /// Which patterns it has, for questions about their text.
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

/// The items that a rule demands. That of `defaults` is one object for all rules that take it over.
final class QueryDictionary: Hashable, Sendable {
    let items: [AssociationComponent.QueryItem]

    init(_ items: [AssociationComponent.QueryItem]) { self.items = items }

    static func == (left: QueryDictionary, right: QueryDictionary) -> Bool {
        left === right || left.items == right.items
    }

    func hash(into hasher: inout Hasher) { hasher.combine(items) }
}
