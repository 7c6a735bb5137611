internal import WaymarkJSON

/// Turns a component or a path, with the defaults laid under it, into the rule that a device applies.
struct AppleRuleReader {
    /// File level under entry level under the component's own members, name by name.
    struct Defaults {
        var file: JSONObject?
        var entry: JSONObject?

        init(file: JSONObject? = nil, entry: JSONObject? = nil) {
            self.file = file
            self.entry = entry
        }
    }

    let defaults: Defaults

    func rule(_ component: JSONObject) -> AppleRule {
        var reading = Reading()
        func member(_ name: String) -> JSONValue? { component[name] ?? defaults.entry?[name] ?? defaults.file?[name] }
        reading.rule.path = reading.text(member("/"))
        reading.rule.fragment = reading.text(member("#"))
        if let query = reading.query(member("?")) {
            reading.rule.query = query
        } else if component["?"]?.object != nil, let under = defaults.entry?["?"] ?? defaults.file?["?"] {
            var other = Reading()
            reading.defaultQuery = other.query(under)
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

    /// A pattern of the older form: the path alone, `NOT ` in front for an exclusion.
    func rule(path: String) -> AppleRule {
        let excludes = path.utf8.starts(with: "NOT ".utf8)
        var rule = AppleRule(
            path: excludes ? String(decoding: path.utf8.dropFirst(4), as: UTF8.self) : path, excludes: excludes)
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

        /// One value that is no string makes the system drop the whole dictionary: the rule becomes wider, not dead.
        mutating func query(_ value: JSONValue?) -> AppleRule.Query? {
            switch value?.kind {
            case .string(let pattern): return .text(pattern)
            case .object(let object):
                var items: [AssociationComponent.QueryItem] = []
                for member in object.members {
                    guard let pattern = member.value.string else { return nil }
                    items.append(AssociationComponent.QueryItem(name: member.name, pattern: pattern))
                }
                return .items(items)
            case nil: return nil
            default:
                hasWrongType = true
                return nil
            }
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
