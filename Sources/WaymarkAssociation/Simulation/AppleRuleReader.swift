internal import WaymarkJSON

/// Converts a component or a path, with its defaults, to the rule applied by a device.
struct AppleRuleReader {
    /// The `defaults` of one level; its query is read once for all rules that inherit it.
    final class Level {
        let members: JSONObject
        fileprivate let query: QueryReading?

        init(_ members: JSONObject, _ budget: WorkBudget) {
            self.members = members
            query = members["?"].map { QueryReading($0, budget) }
        }
    }

    /// The file's defaults are overridden by the entry's, and those by the component's own members, name by name.
    struct Defaults {
        var file: Level?
        var entry: Level?

        init(file: Level? = nil, entry: Level? = nil) {
            self.file = file
            self.entry = entry
        }

        fileprivate var query: QueryReading? { entry?.query ?? file?.query }
    }

    let defaults: Defaults
    let budget: WorkBudget

    init(defaults: Defaults, budget: WorkBudget) {
        self.defaults = defaults
        self.budget = budget
    }

    func rule(_ component: JSONObject) -> AppleRule {
        budget.spend(WorkBudget.Price.rule)
        var reading = Reading()
        func member(_ name: String) -> JSONValue? {
            component[name] ?? defaults.entry?.members[name] ?? defaults.file?.members[name]
        }
        reading.rule.path = reading.text(member("/"))
        reading.rule.fragment = reading.text(member("#"))
        let own = component["?"].map { QueryReading($0, budget) }
        if let query = own ?? defaults.query {
            reading.rule.query = query.query
            reading.hasWrongType = reading.hasWrongType || query.hasWrongType
            if own?.isDropped == true { reading.defaultQuery = defaults.query?.query }
        }
        if let value = reading.bool(member("caseSensitive")) { reading.rule.caseSensitive = value }
        if let value = reading.bool(member("percentEncoded")) { reading.rule.percentEncoded = value }
        if let exclude = member("exclude") {
            if let value = exclude.bool {
                reading.rule.excludes = value
            } else {
                reading.hasWrongType = true
                reading.hasWrongExclude = true
            }
        }
        return reading.finished
    }

    /// A pattern of the older form: the path only, with the prefix `NOT ` for exclusions.
    func rule(path: String) -> AppleRule {
        let excludes = path.utf8.starts(with: "NOT ".utf8)
        var rule = AppleRule(
            path: excludes ? String(decoding: path.utf8.dropFirst(4), as: UTF8.self) : path, excludes: excludes)
        budget.spend(WorkBudget.Price.rule)
        guard defaults.file != nil || defaults.entry != nil else { return rule }
        var component: JSONObject = ["/": JSONValue(rule.path ?? "")]
        if excludes { component["exclude"] = true }
        rule.alternatives = [.init(doubt: .defaultsForPaths, rule: .init(self.rule(component)))]
        return rule
    }

    private struct Reading {
        var rule = AppleRule()
        var hasWrongType = false
        var hasWrongExclude = false
        var defaultQuery: AppleRule.Query?

        mutating func text(_ value: JSONValue?) -> String? {
            guard let value else { return nil }
            if value.string == nil { hasWrongType = true }
            return value.string
        }

        mutating func bool(_ value: JSONValue?) -> Bool? {
            guard let value else { return nil }
            if value.bool == nil { hasWrongType = true }
            return value.bool
        }

        var finished: AppleRule {
            var rule = rule
            if hasWrongType { rule.alternatives.append(.init(doubt: .wrongType, rule: nil)) }
            if hasWrongExclude {
                var other = rule
                other.excludes = true
                rule.alternatives.append(.init(doubt: .wrongExclude, rule: .init(other)))
            }
            if let defaultQuery {
                var other = rule
                other.query = defaultQuery
                rule.alternatives.append(.init(doubt: .defaultQuery, rule: .init(other)))
            }
            return rule
        }
    }
}

/// The value of `?` in a component or in defaults.
private struct QueryReading {
    /// Nil if it is dropped: the rule then matches more, not less.
    let query: AppleRule.Query?
    /// It is neither a string nor an object.
    var hasWrongType = false
    /// It is an object with a value that is not a string, so the system drops the whole dictionary.
    var isDropped = false

    init(_ value: JSONValue, _ budget: WorkBudget) {
        switch value.kind {
        case .string(let pattern): query = .text(pattern)
        case .object(let object):
            budget.spend(object.count * WorkBudget.Price.small)
            var items: [AssociationComponent.QueryItem] = []
            items.reserveCapacity(object.count)
            for member in object.members {
                guard let pattern = member.value.string else { break }
                items.append(AssociationComponent.QueryItem(name: member.name, pattern: pattern))
            }
            isDropped = items.count < object.count
            query = isDropped ? nil : .items(QueryDictionary(items))
        default:
            hasWrongType = true
            query = nil
        }
    }
}
