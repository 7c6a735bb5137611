import WaymarkBytes
internal import WaymarkJSON

/// Whether one rule matches every URL that another one matches, which makes the other unreachable after it.
///
/// Compares patterns with patterns: a `*` is covered only by `*`, a `?` by either. True is certain; false may also
/// mean unknown.
///
/// Isolation: used by one request, like its budget.
final class RuleSubsumption {
    private let parser: PatternParser
    private let budget: WorkBudget
    /// Query dictionaries in `defaults` are shared by many rules.
    private var queries: [ObjectIdentifier: [ExactText: SubsumptionPattern]] = [:]

    init(variables: SubstitutionVariables, budget: WorkBudget = WorkBudget()) {
        parser = PatternParser(variables: variables, budget: budget)
        self.budget = budget
    }

    /// A rule prepared for comparison with many others.
    struct Prepared {
        let rule: AppleRule
        let path: SubsumptionPattern?
        /// The parent path that the path's pattern also matches.
        let parent: SubsumptionPattern?
        fileprivate let query: SubsumptionPattern?
        fileprivate let fragment: SubsumptionPattern?

        fileprivate var items: QueryDictionary? {
            if case .items(let items) = rule.query { items } else { nil }
        }
    }

    func prepared(_ rule: AppleRule) -> Prepared {
        budget.spend(WorkBudget.Price.medium)
        let path = rule.path.map { PathPattern($0) }
        var query: SubsumptionPattern?
        if case .text(let pattern) = rule.query { query = SubsumptionPattern(pattern, budget) }
        return Prepared(
            rule: rule, path: path.map { SubsumptionPattern($0.text, budget) },
            parent: path?.parent.map { SubsumptionPattern($0, budget) }, query: query,
            fragment: rule.fragment.map { SubsumptionPattern($0, budget) })
    }

    func covers(_ wider: AppleRule, _ narrower: AppleRule) -> Bool { covers(prepared(wider), prepared(narrower)) }

    func covers(_ wider: Prepared, _ narrower: Prepared) -> Bool {
        guard budget.spend(WorkBudget.Price.small), wider.rule.alternatives.isEmpty, narrower.rule.alternatives.isEmpty
        else {
            return false
        }
        let isComparable =
            wider.rule.percentEncoded == narrower.rule.percentEncoded
            && (!wider.rule.caseSensitive || narrower.rule.caseSensitive)
        return coversPath(wider, narrower, isComparable) && coversQuery(wider, narrower, isComparable)
            && coversText(wider.fragment, narrower.fragment, isComparable, foldsCase: !wider.rule.caseSensitive)
    }

    /// Whether the rule matches every URL.
    func coversAll(_ rule: AppleRule) -> Bool { covers(rule, AppleRule()) }

    private func coversPath(_ wider: Prepared, _ narrower: Prepared, _ isComparable: Bool) -> Bool {
        guard let path = wider.path else { return true }
        if path.text == "*" || path.text == "/*" { return true }
        guard isComparable, let other = narrower.path, narrower.rule.path != "*" else { return false }
        let foldsCase = !wider.rule.caseSensitive
        return [other, narrower.parent].allSatisfy { text in
            guard let text else { return true }
            return covers(path, text, foldsCase: foldsCase)
                || (wider.parent.map { covers($0, text, foldsCase: foldsCase) } ?? false)
        }
    }

    private func coversQuery(_ wider: Prepared, _ narrower: Prepared, _ isComparable: Bool) -> Bool {
        let foldsCase = !wider.rule.caseSensitive
        guard let items = wider.items else {
            return coversText(wider.query, narrower.query, isComparable, foldsCase: foldsCase)
        }
        if isComparable, let other = narrower.items, items === other { return true }
        let others = narrower.items.map(patterns)
        let own = patterns(items)
        return items.items.allSatisfy { item in
            guard budget.spend(2 * WorkBudget.Price.small) else { return false }
            let name = ExactText(item.name)
            return coversText(own[name], others?[name], isComparable, foldsCase: foldsCase)
        }
    }

    private func patterns(_ items: QueryDictionary) -> [ExactText: SubsumptionPattern] {
        if let known = queries[ObjectIdentifier(items)] { return known }
        var patterns: [ExactText: SubsumptionPattern] = [:]
        for item in items.items {
            guard budget.spend(item.name.utf8.count + WorkBudget.Price.medium) else { break }
            patterns[ExactText(item.name)] = SubsumptionPattern(item.pattern, budget)
        }
        queries[ObjectIdentifier(items)] = patterns
        return patterns
    }

    private func coversText(
        _ wider: SubsumptionPattern?, _ narrower: SubsumptionPattern?, _ isComparable: Bool, foldsCase: Bool
    ) -> Bool {
        guard let wider, wider.text != "*" else { return true }
        guard isComparable, let narrower else { return false }
        return covers(wider, narrower, foldsCase: foldsCase)
    }

    /// Whether the first pattern matches everything that the second one matches.
    private func covers(_ wider: SubsumptionPattern, _ narrower: SubsumptionPattern, foldsCase: Bool) -> Bool {
        if wider.isToldApart(from: narrower, foldsCase: foldsCase, budget) { return false }
        if wider.isSame(as: narrower) { return true }
        guard budget.spend(WorkBudget.Price.medium), let texts = narrower.texts(foldsCase: foldsCase, parser) else {
            return false
        }
        let tokens = wider.tokens(foldsCase: foldsCase, parser)
        return texts.allSatisfy { text in
            budget.spend(text.count / 8 + WorkBudget.Price.small)
            var matcher = PatternMatcher(text, foldsCase: foldsCase, budget: budget)
            return matcher.fits(tokens) && !budget.isExhausted
        }
    }
}

/// The rules before another one, indexed by the start of their paths: only rules with the same start can cover it.
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
        // An ambiguous rule covers nothing for certain.
        guard rule.rule.alternatives.isEmpty else { return }
        let beginning = Self.beginning(rule)
        budget.spend(beginning.count + WorkBudget.Price.small)
        byBeginning[beginning, default: []].append(rules.count)
        if !lengths.contains(beginning.count) { lengths.append(beginning.count) }
    }

    /// Empty if the rule can cover paths of any start.
    private static func beginning(_ rule: RuleSubsumption.Prepared) -> ArraySlice<UInt8> {
        guard let path = rule.path, path.text != "/*", rule.rule.caseSensitive else { return [] }
        return (rule.parent ?? path).beginning
    }

    /// The first rule that covers everything the rule matches.
    func firstIndex(covering rule: RuleSubsumption.Prepared) -> Int? {
        guard rule.rule.alternatives.isEmpty else { return nil }
        // The value of a variable is not known here.
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
