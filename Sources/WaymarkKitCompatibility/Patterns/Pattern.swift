/// A regular expression that a value must match as a whole, in time linear in the length of the value.
///
/// It is an automaton that follows all ways through the pattern at once and never goes back: no pattern, however hostile,
/// and no value can make it hang. What only backtracking could do (references to groups, looking around, atomic groups and
/// possessive repetition) is refused when the pattern is read.
///
/// Supported, with the meaning that ICU gives it: characters, `.`, classes in brackets with ranges and `^`, `\d \w \s` and
/// their opposites, `\p{L}` and other general categories by short name, `\t \n \r \f \a \e \xhh \x{h…} \uhhhh \Uhhhhhhhh`,
/// `^ $ \A \Z \z \b \B`, groups with and without a name, `|`, `* + ? {n} {n,} {n,m}` and their reluctant forms, and the
/// flags `(?i)` and `(?s)` in front of everything.
struct Pattern: Sendable, Equatable {
    enum Instruction: Sendable, Equatable {
        case set(ScalarSet)
        case assertion(PatternNode.Assertion)
        /// Goes on at both places.
        case split(Int, Int)
        case jump(Int)
    }

    let text: String
    private var instructions: [Instruction] = []

    /// How many scalars a pattern may have.
    static let lengthLimit = 1_000
    /// How many instructions a pattern may become, counted repetitions written out.
    static let sizeLimit = 2_000
    /// How many scalars a value may have; a longer one does not match.
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

    /// Whether the value matches from its first scalar to its last.
    func matches(_ value: some StringProtocol) -> Bool {
        var steps = 0
        return matches(value, steps: &steps)
    }

    /// - Parameter steps: grows by one for every instruction that is looked at.
    func matches(_ value: some StringProtocol, steps: inout Int) -> Bool {
        let scalars = Array(value.unicodeScalars)
        guard scalars.count <= Self.valueLimit else { return false }
        var run = PatternRun(instructions: instructions, scalars: scalars)
        defer { steps += run.steps }
        return run.matches()
    }
}

/// Why a text is no pattern, and where.
struct PatternError: Error, Sendable, Equatable {
    /// Which scalar of the pattern it is about, from 0.
    let offset: Int
    /// What is wrong, without a full stop.
    let problem: String
}
