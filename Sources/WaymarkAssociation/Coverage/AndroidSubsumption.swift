import WaymarkBytes
internal import WaymarkJSON

/// Whether a dynamic rule covers everything that another one matches; true only if certain. Prepared once for a rule
/// that is compared with many.
struct AndroidSubsumption {
    private let rule: AndroidRule
    private let path: [UInt8]?
    /// The length of the path before its only wildcard, if that is a `*` at the end.
    private let beginning: Int?
    private let patterns: [ExactText: String]

    init(_ rule: AndroidRule, _ budget: WorkBudget) {
        self.rule = rule
        path = rule.path.map { Array($0.utf8) }
        if let path, path.last == UInt8(ascii: "*"), !path.contains(UInt8(ascii: "?")),
            path.firstIndex(of: UInt8(ascii: "*")) == path.count - 1
        {
            // With a single `*` at the end, stopping at the first match and backtracking are equivalent.
            beginning = path.count - 1
        } else {
            beginning = nil
        }
        budget.spend((path?.count ?? 0) + rule.items.count * WorkBudget.Price.medium + WorkBudget.Price.medium)
        var patterns: [ExactText: String] = [:]
        for item in rule.items { patterns[ExactText(item.name)] = item.pattern }
        self.patterns = patterns
    }

    static func isEverything(_ rule: AndroidRule) -> Bool {
        rule.items.isEmpty && rule.fragment == nil && [nil, "*", "/*"].contains(rule.path)
    }

    func covers(_ narrower: AndroidSubsumption, _ budget: WorkBudget) -> Bool {
        guard budget.spend(WorkBudget.Price.small / 2), rule.fragment == nil || rule.fragment == narrower.rule.fragment,
            coversPath(narrower, budget), rule.items.count <= narrower.rule.items.count
        else { return false }
        return rule.items.allSatisfy { item in
            guard budget.spend(item.name.utf8.count + WorkBudget.Price.medium) else { return false }
            guard let pattern = narrower.patterns[ExactText(item.name)] else { return false }
            return item.pattern == "*" || pattern.isSameText(as: item.pattern)
        }
    }

    private func coversPath(_ narrower: AndroidSubsumption, _ budget: WorkBudget) -> Bool {
        guard let path, path != [UInt8(ascii: "*")] else { return true }
        guard let other = narrower.path else { return false }
        guard let beginning else { return path == other }
        // Most pairs differ in their first bytes.
        var index = 0
        while index < beginning, index < other.count, path[index] == other[index] { index += 1 }
        budget.spend(index / 4)
        return index == beginning
    }
}
