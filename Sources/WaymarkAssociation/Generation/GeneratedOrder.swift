/// Brings patterns into an order in which each can be reached: what lies within another one stands before it, and what
/// is excluded anyway is left out. Otherwise the order stays.
struct GeneratedOrder {
    private(set) var patterns: [String] = []

    private let given: [String]
    /// For each pattern those that lie within it.
    private var within: [[Int]]
    private var isPlaced: [Bool]

    /// Whether the budget sufficed; otherwise the order means nothing.
    let isComplete: Bool

    init(_ given: [String], exclusions: [String], budget: WorkBudget = WorkBudget()) {
        let cover = RuleSubsumption(variables: .none, budget: budget)
        let excluding = exclusions.map { cover.prepared(AppleRule(path: $0)) }
        var given: [String] = given
        var rules = given.map { cover.prepared(AppleRule(path: $0)) }
        let kept = rules.indices.filter { index in !excluding.contains { cover.covers($0, rules[index]) } }
        (given, rules) = (kept.map { given[$0] }, kept.map { rules[$0] })
        self.given = given
        within = Array(repeating: [], count: given.count)
        isPlaced = Array(repeating: false, count: given.count)

        // Only patterns with a wildcard hold others, and only those that begin like them.
        var byBeginning: [Substring: [Int]] = [:]
        for (index, pattern) in given.enumerated() where pattern.utf8.contains(where: Self.isWildcard) {
            byBeginning[Self.beginning(pattern), default: []].append(index)
        }
        let lengths = Set(byBeginning.keys.map(\.utf8.count)).sorted()
        for (index, pattern) in given.enumerated() where !budget.isExhausted {
            for length in lengths where budget.spend(min(length, pattern.utf8.count) + WorkBudget.Price.small) {
                guard let end = pattern.utf8.index(pattern.startIndex, offsetBy: length, limitedBy: pattern.endIndex)
                else { continue }
                for wider in byBeginning[pattern[..<end]] ?? [] where wider != index {
                    if cover.covers(rules[wider], rules[index]) { within[wider].append(index) }
                }
            }
        }
        isComplete = !budget.isExhausted
        // Of several that fit the same (`/*` and `/*/*` do) the first is enough.
        for (index, narrower) in within.enumerated() {
            for other in narrower where index < other && within[other].contains(index) { isPlaced[other] = true }
        }
        for index in given.indices { position(index) }
    }

    private mutating func position(_ index: Int) {
        guard !isPlaced[index] else { return }
        isPlaced[index] = true
        for narrower in within[index] { position(narrower) }
        patterns.append(given[index])
    }

    private static func isWildcard(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "*") || byte == UInt8(ascii: "?") }

    /// What stands before the first wildcard, without a slash at its end, which `/*` leaves open.
    private static func beginning(_ pattern: String) -> Substring {
        let text = pattern[..<(pattern.utf8.firstIndex(where: isWildcard) ?? pattern.endIndex)]
        return text.hasSuffix("/") ? text.dropLast() : text
    }
}
