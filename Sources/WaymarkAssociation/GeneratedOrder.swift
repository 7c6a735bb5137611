/// Brings patterns into an order in which each can be reached: what lies within another one stands before it, and what
/// is excluded anyway is left out. Otherwise the order stays.
struct GeneratedOrder {
    private(set) var patterns: [String] = []

    private let given: [String]
    /// For each pattern those that lie within it.
    private var within: [[Int]]
    private var isPlaced: [Bool]

    init(_ given: [String], exclusions: [String]) {
        let cover = RuleCover(variables: .none)
        let exclusions = exclusions.map { AppleRule(path: $0) }
        let given = given.filter { pattern in
            !exclusions.contains { cover.covers($0, AppleRule(path: pattern)) }
        }
        self.given = given
        within = Array(repeating: [], count: given.count)
        isPlaced = Array(repeating: false, count: given.count)

        // Only patterns with a wildcard hold others, and only those that begin like them.
        var byBeginning: [Substring: [Int]] = [:]
        for (index, pattern) in given.enumerated() where pattern.contains(where: Self.isWildcard) {
            byBeginning[Self.beginning(pattern), default: []].append(index)
        }
        for (index, pattern) in given.enumerated() {
            var beginning = Self.beginning(pattern)
            while true {
                for wider in byBeginning[beginning] ?? [] where wider != index {
                    if cover.covers(AppleRule(path: given[wider]), AppleRule(path: pattern)) {
                        within[wider].append(index)
                    }
                }
                guard beginning.popLast() != nil else { break }
            }
        }
        // Of several that fit the same (`/*` and `/*/*` do) the first is enough.
        for (index, narrower) in within.enumerated() {
            for other in narrower where index < other && within[other].contains(index) { isPlaced[other] = true }
        }
        for index in given.indices { place(index) }
    }

    private mutating func place(_ index: Int) {
        guard !isPlaced[index] else { return }
        isPlaced[index] = true
        for narrower in within[index] { place(narrower) }
        patterns.append(given[index])
    }

    private static func isWildcard(_ character: Character) -> Bool { character == "*" || character == "?" }

    /// What stands before the first wildcard, without a slash at its end, which `/*` leaves open.
    private static func beginning(_ pattern: String) -> Substring {
        let text = pattern.prefix { !isWildcard($0) }
        return text.hasSuffix("/") ? text.dropLast() : text
    }
}
