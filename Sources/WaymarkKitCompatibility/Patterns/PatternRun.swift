/// One walk of a value through a pattern's automaton: the set of places that can be reached after each scalar (Thompson's
/// construction). An instruction is entered at most once for each scalar, so the work is at most their product.
struct PatternRun {
    let instructions: [Pattern.Instruction]
    let scalars: [Unicode.Scalar]
    private(set) var steps = 0

    /// For each instruction, at which scalar it was entered last; the one behind the last is the end of the pattern.
    private var entered: [Int]
    private var pending: [Int] = []

    init(instructions: [Pattern.Instruction], scalars: [Unicode.Scalar]) {
        self.instructions = instructions
        self.scalars = scalars
        entered = Array(repeating: -1, count: instructions.count + 1)
    }

    mutating func matches() -> Bool {
        var positions: [Int] = []
        enter(0, at: 0, positions: &positions)
        for position in scalars.indices {
            var next: [Int] = []
            for position in positions {
                if case .set(let set) = instructions[position], set.contains(scalars[position]) {
                    enter(position + 1, at: position + 1, positions: &next)
                }
            }
            guard !next.isEmpty || entered[instructions.count] == position + 1 else { return false }
            positions = next
        }
        return entered[instructions.count] == scalars.count
    }

    /// Follows everything that takes no scalar, and keeps the places that wait for one.
    private mutating func enter(_ start: Int, at position: Int, positions: inout [Int]) {
        pending.append(start)
        while let position = pending.popLast() {
            guard entered[position] != position else { continue }
            entered[position] = position
            steps += 1
            guard position < instructions.count else { continue }
            switch instructions[position] {
            case .set: positions.append(position)
            case .assertion(let assertion): if holds(assertion, at: position) { pending.append(position + 1) }
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
