/// Parses a regular expression into a tree in linear time. Groups may nest 32 deep.
struct PatternParser {
    let scalars: [Unicode.Scalar]
    var position = 0
    var ignoresCase = false
    var dotTakesLineEnds = false

    private static let depthLimit = 32

    /// Maximum count of a repetition.
    static let repetitionLimit = 1_000

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
    }

    mutating func pattern() throws(PatternError) -> PatternNode {
        try flags()
        let node = try choice(depth: 0)
        guard position == scalars.count else { throw failure("a closing parenthesis has no opening one") }
        return node
    }

    var current: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    func failure(_ problem: String, at offset: Int? = nil) -> PatternError {
        PatternError(offset: offset ?? position, problem: problem)
    }

    mutating func take(_ text: String) -> Bool {
        let end = position + text.unicodeScalars.count
        guard end <= scalars.count, scalars[position..<end].elementsEqual(text.unicodeScalars) else { return false }
        position = end
        return true
    }

    /// `(?i)` and `(?s)`, only at the start of the pattern.
    private mutating func flags() throws(PatternError) {
        guard scalars.starts(with: "(?".unicodeScalars), let end = scalars.firstIndex(of: ")") else { return }
        let letters = scalars[2..<end]
        guard !letters.isEmpty, letters.allSatisfy({ $0 == "i" || $0 == "s" }) else { return }
        ignoresCase = letters.contains("i")
        dotTakesLineEnds = letters.contains("s")
        position = end + 1
    }

    private mutating func choice(depth: Int) throws(PatternError) -> PatternNode {
        guard depth <= Self.depthLimit else { throw failure("groups nest more than \(Self.depthLimit) deep") }
        var branches = [try sequence(depth: depth)]
        while take("|") { branches.append(try sequence(depth: depth)) }
        return branches.count == 1 ? branches[0] : .choice(branches)
    }

    private mutating func sequence(depth: Int) throws(PatternError) -> PatternNode {
        var nodes: [PatternNode] = []
        while let scalar = current, scalar != "|", scalar != ")" {
            let atom = try atom(scalar, depth: depth)
            nodes.append(try repeated(atom))
        }
        return nodes.count == 1 ? nodes[0] : .sequence(nodes)
    }

    private mutating func atom(_ scalar: Unicode.Scalar, depth: Int) throws(PatternError) -> PatternNode {
        switch scalar {
        case "(": return try group(depth: depth)
        case "[": return .set(try characterClass())
        case "\\": return try escape()
        case "*", "+", "?": throw failure("there is nothing to repeat in front of \(scalar)")
        case "{", "}", "]": throw failure("\(scalar) must be written \\\(scalar) where it stands for itself")
        default: break
        }
        position += 1
        switch scalar {
        case ".": return .set(dot)
        case "^": return .assertion(.start)
        case "$": return .assertion(.lineEnd)
        default: return .set(literal(scalar))
        }
    }

    func literal(_ scalar: Unicode.Scalar) -> ScalarSet {
        var set = ScalarSet(scalar)
        set.ignoresCase = ignoresCase
        return set
    }

    /// Any character except ICU's line terminators.
    private var dot: ScalarSet {
        var set = ScalarSet()
        set.isNegated = true
        guard !dotTakesLineEnds else { return set }
        set.insert("\n"..."\r")
        set.insert("\u{85}"..."\u{85}")
        set.insert("\u{2028}"..."\u{2029}")
        return set
    }

    private mutating func group(depth: Int) throws(PatternError) -> PatternNode {
        let start = position
        position += 1
        if take("?") {
            if take("<"), let scalar = current, scalar != "=", scalar != "!" {
                guard let end = scalars[position...].firstIndex(of: ">") else {
                    throw failure("the name of a group has no >", at: start)
                }
                position = end + 1
            } else if !take(":") {
                throw failure(
                    "groups that look around, atomic groups and flags inside of a pattern are not supported", at: start)
            }
        }
        let node = try choice(depth: depth + 1)
        guard take(")") else { throw failure("an opening parenthesis has no closing one", at: start) }
        return node
    }

    private mutating func repeated(_ atom: PatternNode) throws(PatternError) -> PatternNode {
        var node = atom
        while let scalar = current {
            let start = position
            let bounds: (minimum: Int, maximum: Int?)
            switch scalar {
            case "*": bounds = (0, nil)
            case "+": bounds = (1, nil)
            case "?": bounds = (0, 1)
            case "{":
                bounds = try counts()
                position -= 1
            default: return node
            }
            position += 1
            guard current != "+" else { throw failure("possessive repetition is not supported") }
            _ = take("?")
            node = .repetition(node, minimum: bounds.minimum, maximum: bounds.maximum)
            // Checked for every repetition, before the next one multiplies the size.
            guard node.size <= Pattern.sizeLimit else { throw failure("the pattern repeats too much", at: start) }
            guard !isQuantifier(current) else { throw failure("a quantifier follows another quantifier") }
        }
        return node
    }

    private func isQuantifier(_ scalar: Unicode.Scalar?) -> Bool {
        scalar == "*" || scalar == "+" || scalar == "?" || scalar == "{"
    }

    /// Parses `{2}`, `{2,}` or `{2,5}`.
    private mutating func counts() throws(PatternError) -> (minimum: Int, maximum: Int?) {
        let start = position
        position += 1
        guard let minimum = try number() else {
            throw failure("{ must be followed by a number, or be written \\{", at: start)
        }
        var maximum: Int? = minimum
        if take(",") { maximum = try number() }
        guard take("}") else { throw failure("{ has no }", at: start) }
        if let maximum, maximum < minimum {
            throw failure("the bounds of a repetition are the wrong way round", at: start)
        }
        return (minimum, maximum)
    }

    private mutating func number() throws(PatternError) -> Int? {
        let start = position
        var value = 0
        while let scalar = current, ("0"..."9").contains(scalar) {
            value = value * 10 + Int(scalar.value - 0x30)
            guard value <= Self.repetitionLimit else {
                throw failure("nothing may be repeated more than \(Self.repetitionLimit) times", at: start)
            }
            position += 1
        }
        return position == start ? nil : value
    }
}
