/// Matches a value against a pattern's automaton by tracking the set of states that can be reached after each scalar
/// (Thompson's construction). An instruction is entered at most once per scalar, so the work is at most their
/// product.
struct PatternRun {
    let instructions: [Pattern.Instruction]
    let scalars: [Unicode.Scalar]
    private(set) var steps = 0

    /// The scalar at which each instruction was last entered; the extra last element is the end of the pattern.
    private var entered: [Int]
    private var pending: [Int] = []

    init(instructions: [Pattern.Instruction], scalars: [Unicode.Scalar]) {
        self.instructions = instructions
        self.scalars = scalars
        entered = Array(repeating: -1, count: instructions.count + 1)
    }

    mutating func matches() -> Bool {
        var waiting: [Int] = []
        enter(0, at: 0, waiting: &waiting)
        for position in scalars.indices {
            var next: [Int] = []
            for index in waiting {
                if case .set(let set) = instructions[index], set.contains(scalars[position]) {
                    enter(index + 1, at: position + 1, waiting: &next)
                }
            }
            guard !next.isEmpty || entered[instructions.count] == position + 1 else { return false }
            waiting = next
        }
        return entered[instructions.count] == scalars.count
    }

    /// Follows all instructions that consume no scalar, and collects those that wait for one.
    private mutating func enter(_ start: Int, at position: Int, waiting: inout [Int]) {
        pending.append(start)
        while let index = pending.popLast() {
            guard entered[index] != position else { continue }
            entered[index] = position
            steps += 1
            guard index < instructions.count else { continue }
            switch instructions[index] {
            case .set: waiting.append(index)
            case .assertion(let assertion): if holds(assertion, at: position) { pending.append(index + 1) }
            case .split(let first, let second): pending += [second, first]
            case .jump(let target): pending.append(target)
            }
        }
    }

    private func holds(_ assertion: PatternNode.Assertion, at position: Int) -> Bool {
        switch assertion {
        case .start: position == 0
        case .end: position == scalars.count
        case .lineEnd:
            position == scalars.count || (position == scalars.count - 1 && scalars[position] == "\n")
        case .wordBoundary: isWord(position - 1) != isWord(position)
        case .noWordBoundary: isWord(position - 1) == isWord(position)
        }
    }

    private func isWord(_ position: Int) -> Bool {
        scalars.indices.contains(position) && ScalarSet.Class.word.contains(scalars[position])
    }
}

/// A regular expression as a tree.
indirect enum PatternNode: Sendable, Equatable {
    /// Consumes one scalar of the set.
    case set(ScalarSet)
    /// Consumes nothing; matches at certain positions only.
    case assertion(Assertion)
    /// All of them in order.
    case sequence([PatternNode])
    /// Any one of them.
    case choice([PatternNode])
    /// A repetition, unlimited if `maximum` is nil. Greedy and reluctant repetition are equivalent because the whole
    /// value must match.
    case repetition(PatternNode, minimum: Int, maximum: Int?)

    enum Assertion: Sendable, Equatable {
        /// `^` and `\A`.
        case start
        /// `\z`.
        case end
        /// `$` and `\Z`: the end of the value, or before its final line feed.
        case lineEnd
        /// `\b`.
        case wordBoundary
        /// `\B`.
        case noWordBoundary
    }

    /// The number of instructions it compiles to; saturates above the limit.
    var size: Int {
        switch self {
        case .set, .assertion: 1
        case .sequence(let nodes): nodes.reduce(0) { Self.sum($0, $1.size) }
        case .choice(let nodes): nodes.reduce(0) { Self.sum(Self.sum($0, $1.size), 2) }
        case .repetition(let node, let minimum, let maximum):
            // Empty nodes also count: otherwise `((){1000}){1000}` would be free.
            Self.sum(
                Self.product(max(node.size, 1), minimum),
                maximum.map { Self.product(Self.sum(node.size, 1), $0 - minimum) } ?? Self.sum(node.size, 2))
        }
    }

    private static let ceiling = 1 << 20

    private static func sum(_ left: Int, _ right: Int) -> Int { min(left + right, ceiling) }

    private static func product(_ left: Int, _ right: Int) -> Int {
        let (product, overflows) = left.multipliedReportingOverflow(by: right)
        return overflows ? ceiling : min(product, ceiling)
    }
}
