extension PatternParser {
    /// Parses an escape outside of a class.
    mutating func escape() throws(PatternError) -> PatternNode {
        let start = position
        guard position + 1 < scalars.count else { throw failure("a backslash must not end the pattern") }
        switch scalars[position + 1] {
        case "b": return assertion(.wordBoundary)
        case "B": return assertion(.noWordBoundary)
        case "A": return assertion(.start)
        case "Z": return assertion(.lineEnd)
        case "z": return assertion(.end)
        case "1"..."9", "k": throw failure("references to groups are not supported", at: start)
        default: break
        }
        var set = ScalarSet()
        set.ignoresCase = ignoresCase
        if let scalar = try escapedItem(into: &set) { set.insert(scalar...scalar) }
        return .set(set)
    }

    private mutating func assertion(_ assertion: PatternNode.Assertion) -> PatternNode {
        position += 2
        return .assertion(assertion)
    }

    /// Parses a bracketed class.
    mutating func characterClass() throws(PatternError) -> ScalarSet {
        let start = position
        position += 1
        var set = ScalarSet()
        set.ignoresCase = ignoresCase
        set.isNegated = take("^")
        guard current != "]" else { throw failure("a class must not be empty; write \\] for the bracket itself") }
        while let scalar = current {
            if take("]") { return set }
            guard scalar != "[" else { throw failure("classes inside of a class are not supported; write \\[") }
            guard !startsSetOperation else { throw failure("operations on classes are not supported") }
            guard let low = try classItem(into: &set) else { continue }
            guard current == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
                set.insert(low...low)
                continue
            }
            guard !startsSetOperation else { throw failure("operations on classes are not supported") }
            let dash = position
            position += 1
            guard current != "[" else { throw failure("classes inside of a class are not supported; write \\[") }
            guard let high = try classItem(into: &set) else {
                throw failure("a range must end with a character", at: dash)
            }
            guard low <= high else { throw failure("the ends of a range are the wrong way round", at: dash) }
            set.insert(low...high)
        }
        throw failure("a class has no closing bracket", at: start)
    }

    private var startsSetOperation: Bool {
        guard position + 1 < scalars.count, scalars[position] == scalars[position + 1] else { return false }
        return scalars[position] == "&" || scalars[position] == "-"
    }

    private mutating func classItem(into set: inout ScalarSet) throws(PatternError) -> Unicode.Scalar? {
        guard let scalar = current else { return nil }
        if scalar == "\\" { return try escapedItem(into: &set) }
        position += 1
        return scalar
    }

    /// An escaped character; or nil, after adding the named class to the set.
    private mutating func escapedItem(into set: inout ScalarSet) throws(PatternError) -> Unicode.Scalar? {
        let start = position
        guard position + 1 < scalars.count else { throw failure("a backslash must not end the pattern") }
        let scalar = scalars[position + 1]
        position += 2
        switch scalar {
        case "d", "D": set.insert(.digit, isNegated: scalar == "D")
        case "w", "W": set.insert(.word, isNegated: scalar == "W")
        case "s", "S": set.insert(.space, isNegated: scalar == "S")
        case "p", "P": set.insert(.category(try categoryName(from: start)), isNegated: scalar == "P")
        case "t": return "\t"
        case "n": return "\n"
        case "r": return "\r"
        case "f": return "\u{C}"
        case "a": return "\u{7}"
        case "e": return "\u{1B}"
        case "x": return try current == "{" ? bracedHex(from: start) : hex(digits: 2, from: start)
        case "u": return try hex(digits: 4, from: start)
        case "U": return try hex(digits: 8, from: start)
        case "a"..."z", "A"..."Z", "0"..."9": throw failure("\\\(scalar) is not supported", at: start)
        default: return scalar
        }
        return nil
    }

    private mutating func categoryName(from start: Int) throws(PatternError) -> String {
        guard take("{"), let end = scalars[position...].firstIndex(of: "}") else {
            throw failure("\\p must be followed by the name of a category in braces", at: start)
        }
        var name = ""
        name.unicodeScalars.append(contentsOf: scalars[position..<end])
        guard Unicode.GeneralCategory.shortNames.contains(name) else {
            throw failure("only general categories by their short names, such as \\p{L}, are supported", at: start)
        }
        position = end + 1
        return name
    }

    private mutating func bracedHex(from start: Int) throws(PatternError) -> Unicode.Scalar {
        position += 1
        guard let end = scalars[position...].firstIndex(of: "}"), (1...6).contains(end - position) else {
            throw failure("\\x{ must be followed by one to six hex digits and }", at: start)
        }
        let scalar = try hex(digits: end - position, from: start)
        position += 1
        return scalar
    }

    private mutating func hex(digits: Int, from start: Int) throws(PatternError) -> Unicode.Scalar {
        var value: UInt32 = 0
        for _ in 0..<digits {
            guard let scalar = current, let digit = Character(scalar).hexDigitValue, scalar.isASCII else {
                throw failure("\(digits) hex digits were expected", at: start)
            }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        guard let scalar = Unicode.Scalar(value) else { throw failure("there is no such character", at: start) }
        return scalar
    }
}
