/// The rules that stand before another one, found by what their paths begin with: only those that begin like it can take
/// all that it fits.
struct EarlierRules {
    private let cover: RuleSubsumption
    private let budget: WorkBudget
    private var rules: [RuleSubsumption.Prepared] = []
    private var byBeginning: [ArraySlice<UInt8>: [Int]] = [:]
    private var lengths: [Int] = []

    init(_ cover: RuleSubsumption, _ budget: WorkBudget) {
        self.cover = cover
        self.budget = budget
    }

    mutating func append(_ rule: RuleSubsumption.Prepared) {
        defer { rules.append(rule) }
        // What may mean something else takes nothing for certain.
        guard rule.rule.alternatives.isEmpty else { return }
        let beginning = Self.beginning(rule)
        budget.spend(beginning.count + WorkBudget.Price.small)
        byBeginning[beginning, default: []].append(rules.count)
        if !lengths.contains(beginning.count) { lengths.append(beginning.count) }
    }

    /// Empty where rules of any beginning may lie within it.
    private static func beginning(_ rule: RuleSubsumption.Prepared) -> ArraySlice<UInt8> {
        guard let path = rule.path, path.text != "/*", rule.rule.caseSensitive else { return [] }
        return (rule.parent ?? path).beginning
    }

    /// The first one that takes all that the rule fits.
    func firstIndex(covering rule: RuleSubsumption.Prepared) -> Int? {
        guard rule.rule.alternatives.isEmpty else { return nil }
        // What a variable stands for is not known here.
        guard rule.path?.hasVariable != true else { return rules.firstIndex { cover.covers($0, rule) } }
        let path = rule.path?.bytes ?? []
        var first: Int?
        for length in lengths where length <= path.count && budget.spend(length + WorkBudget.Price.small) {
            for index in byBeginning[path[..<length]] ?? [] {
                guard index < first ?? .max, !budget.isExhausted else { break }
                if cover.covers(rules[index], rule) { first = index }
            }
        }
        return first
    }
}
