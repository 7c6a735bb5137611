/// Matches patterns with one text without backtracking. The cost is at most the text's length times the pattern's
/// divided by 64. For a pattern without variables, it is the sum of both if no stretch between two `*` is longer than
/// 64 characters.
///
/// Between two `*`, only the first end of a stretch matters, because the second `*` reaches everything from there
/// that a later end reaches. So stretches are searched for one after the other.
struct PatternMatcher {
    let text: [UInt32]
    let foldsCase: Bool
    /// The number of characters, tokens and words of bits processed.
    private(set) var steps = 0
    /// The positions of each character; filled on demand.
    private var positions: [PatternToken: PositionSet] = [:]

    /// If it is exhausted, the matcher stops and returns false.
    private let budget: WorkBudget

    init(_ text: [UInt32], foldsCase: Bool = false, budget: WorkBudget = WorkBudget()) {
        self.text = text
        self.foldsCase = foldsCase
        self.budget = budget
    }

    private mutating func count(_ steps: Int) {
        self.steps += steps
        budget.spend(steps)
    }

    mutating func fits(_ tokens: [PatternToken]) -> Bool {
        count(tokens.count)
        budget.spend(tokens.count + WorkBudget.Price.small)
        let stretches = tokens.split(separator: .anyRun, omittingEmptySubsequences: false)
        guard let head = stretches.first, let tail = stretches.last, stretches.count > 1 else {
            return ends(of: tokens[...], from: PositionSet(end: text.count, only: 0)).contains(text.count)
        }
        guard var position = firstEnd(of: head, at: 0) else { return false }
        for stretch in stretches.dropFirst().dropLast() {
            guard !budget.isExhausted, let end = firstEnd(of: stretch, from: position) else { return false }
            position = end
        }
        return tailFits(tail, from: position)
    }

    // MARK: Stretches without `*`

    /// The first end of a stretch that begins exactly at the position.
    private mutating func firstEnd(of stretch: ArraySlice<PatternToken>, at position: Int) -> Int? {
        guard stretch.allSatisfy(\.isSingle) else {
            return ends(of: stretch, from: PositionSet(end: text.count, only: position)).first
        }
        return singles(stretch, standAt: position) ? position + stretch.count : nil
    }

    /// The first end of a stretch that begins at the position or later.
    private mutating func firstEnd(of stretch: ArraySlice<PatternToken>, from position: Int) -> Int? {
        guard stretch.allSatisfy(\.isSingle) else {
            return ends(of: stretch, from: PositionSet(end: text.count, from: position)).first
        }
        guard position + stretch.count <= text.count else { return nil }
        guard var search = StretchSearch(stretch, foldsCase: foldsCase, budget) else { return nil }
        let end = search.firstEnd(in: text, from: position, budget)
        steps += search.steps
        return end
    }

    private mutating func tailFits(_ tail: ArraySlice<PatternToken>, from position: Int) -> Bool {
        guard tail.allSatisfy(\.isSingle) else {
            return ends(of: tail, from: PositionSet(end: text.count, from: position)).contains(text.count)
        }
        let start = text.count - tail.count
        return start >= position && singles(tail, standAt: start)
    }

    private mutating func singles(_ stretch: ArraySlice<PatternToken>, standAt position: Int) -> Bool {
        guard position + stretch.count <= text.count else { return false }
        let fitting = zip(stretch, text[position...]).prefix { $0.takes($1, foldsCase: foldsCase) }.count
        count(min(fitting + 1, stretch.count))
        return fitting == stretch.count
    }

    // MARK: Anything

    /// All ends of the tokens if they begin at one of the positions.
    private mutating func ends(of tokens: ArraySlice<PatternToken>, from start: PositionSet) -> PositionSet {
        var reached = start
        for token in tokens {
            guard !budget.isExhausted, let first = reached.first else { return PositionSet(end: text.count) }
            count(reached.words.count)
            budget.spend(WorkBudget.Price.small)
            switch token {
            case .literal, .anyOne, .oneOf:
                reached.advance(over: positions(of: token))
            case .anyRun:
                reached.insert(from: first)
            case .never:
                return PositionSet(end: text.count)
            case .choice(let alternatives):
                var union = PositionSet(end: text.count)
                for alternative in alternatives {
                    guard !budget.isExhausted else { break }
                    union.formUnion(ends(of: alternative[...], from: reached))
                    count(union.words.count)
                    budget.spend(WorkBudget.Price.small)
                }
                reached = union
            case .code(let table):
                reached = codeEnds(table, from: reached)
            }
        }
        return reached
    }

    private mutating func codeEnds(_ table: CodeTable, from start: PositionSet) -> PositionSet {
        var reached = PositionSet(end: text.count)
        for position in 0..<text.count where start.contains(position) {
            for length in table.lengths where position + length <= text.count {
                count(1)
                guard budget.spend(WorkBudget.Price.small) else { return reached }
                if table.contains(text[position..<position + length], foldsCase: foldsCase) {
                    reached.insert(position + length)
                }
            }
        }
        return reached
    }

    private mutating func positions(of token: PatternToken) -> PositionSet {
        if let known = positions[token] { return known }
        var set = PositionSet(end: text.count)
        for (position, unit) in text.enumerated() where token.takes(unit, foldsCase: foldsCase) { set.insert(position) }
        count(text.count)
        // Limited: a hostile pattern could contain thousands of characters before a long text.
        if positions.count < 64 { positions[token] = set }
        return set
    }
}

extension PatternToken {
    /// Whether the token matches this character; false for tokens that don't match single characters.
    func takes(_ unit: UInt32, foldsCase: Bool) -> Bool {
        switch self {
        case .literal(let own): own == unit
        case .anyOne: unit != Self.runUnit
        case .oneOf(let characters): characters.contains(unit, foldsCase: foldsCase)
        case .anyRun, .code, .choice, .never: false
        }
    }
}
