/// A regular expression that must match a whole value, in time linear in the length of the value.
///
/// It is an automaton that follows all alternatives at once and never backtracks, so no pattern or value can make it
/// hang, however hostile. Features that require backtracking (backreferences, lookaround, atomic groups and
/// possessive quantifiers) are rejected when the pattern is parsed.
///
/// Supported, with ICU's meaning: characters, `.`, bracketed classes with ranges and `^`, `\d \w \s` and their
/// negations, `\p{L}` and other general categories by short name, `\t \n \r \f \a \e \xhh \x{h…} \uhhhh \Uhhhhhhhh`,
/// `^ $ \A \Z \z \b \B`, named and unnamed groups, `|`, `* + ? {n} {n,} {n,m}` and their reluctant forms, and the
/// flags `(?i)` and `(?s)` at the start.
struct Pattern: Sendable, Equatable {
    enum Instruction: Sendable, Equatable {
        case set(ScalarSet)
        case assertion(PatternNode.Assertion)
        /// Continues at both positions.
        case split(Int, Int)
        case jump(Int)
    }

    let text: String
    private var instructions: [Instruction] = []

    /// Maximum length of a pattern in scalars.
    static let lengthLimit = 1_000
    /// Maximum number of instructions, with counted repetitions expanded.
    static let sizeLimit = 2_000
    /// Maximum length of a value in scalars; a longer one does not match.
    static let valueLimit = 4_096

    init(_ text: String) throws(PatternError) {
        guard text.unicodeScalars.count <= Self.lengthLimit else {
            throw PatternError(
                offset: Self.lengthLimit, problem: "a pattern may have \(Self.lengthLimit) characters at most")
        }
        var parser = PatternParser(text)
        let node = try parser.pattern()
        guard node.size <= Self.sizeLimit else {
            throw PatternError(offset: 0, problem: "the pattern repeats too much")
        }
        self.text = text
        emit(node)
    }

    private mutating func emit(_ node: PatternNode) {
        switch node {
        case .set(let set): instructions.append(.set(set))
        case .assertion(let assertion): instructions.append(.assertion(assertion))
        case .sequence(let nodes): for node in nodes { emit(node) }
        case .choice(let nodes): emit(choice: nodes[...])
        case .repetition(let node, let minimum, let maximum):
            for _ in 0..<minimum { emit(node) }
            guard let maximum else {
                let split = instructions.count
                instructions.append(.jump(0))
                emit(node)
                instructions.append(.jump(split))
                instructions[split] = .split(split + 1, instructions.count)
                return
            }
            var splits: [Int] = []
            for _ in minimum..<maximum {
                splits.append(instructions.count)
                instructions.append(.jump(0))
                emit(node)
            }
            for split in splits { instructions[split] = .split(split + 1, instructions.count) }
        }
    }

    private mutating func emit(choice nodes: ArraySlice<PatternNode>) {
        var jumps: [Int] = []
        for (position, node) in zip(nodes.indices, nodes) {
            guard position < nodes.index(before: nodes.endIndex) else {
                emit(node)
                break
            }
            let split = instructions.count
            instructions.append(.jump(0))
            emit(node)
            jumps.append(instructions.count)
            instructions.append(.jump(0))
            instructions[split] = .split(split + 1, instructions.count)
        }
        for jump in jumps { instructions[jump] = .jump(instructions.count) }
    }

    /// Whether the whole value matches.
    func matches(_ value: some StringProtocol) -> Bool {
        var steps = 0
        return matches(value, steps: &steps)
    }

    /// - Parameter steps: incremented for every instruction visited.
    func matches(_ value: some StringProtocol, steps: inout Int) -> Bool {
        let scalars = Array(value.unicodeScalars)
        guard scalars.count <= Self.valueLimit else { return false }
        var run = PatternRun(instructions: instructions, scalars: scalars)
        defer { steps += run.steps }
        return run.matches()
    }
}

/// Why a pattern is invalid, and where.
struct PatternError: Error, Sendable, Equatable {
    /// The index of the offending scalar, from 0.
    let offset: Int
    /// The description, without a full stop.
    let problem: String
}
