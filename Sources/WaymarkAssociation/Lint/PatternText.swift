import WaymarkBytes

/// What the text of a pattern tells about mistakes, without looking at any URL.
struct PatternText {
    enum Part {
        case path, legacyPath, query, fragment

        var isPath: Bool { self == .path || self == .legacyPath }
    }

    struct Fault: Hashable {
        let rule: LintRule
        let problem: String
        var mend = ""
    }

    private let text: String
    private let part: Part
    private let rule: AppleRule
    private let traits: Traits

    init(_ text: String, _ part: Part, _ rule: AppleRule, _ budget: WorkBudget) {
        budget.spend(text.utf8.count * 6 + WorkBudget.Price.medium)
        self.text = text
        self.part = part
        self.rule = rule
        traits = Traits(text)
    }

    /// The names between `$(` and `)`.
    var variableNames: [String] { traits.variableNames }

    var faults: [Fault] {
        (part.isPath ? pathFaults : []) + encodingFaults + openVariableFaults
    }

    /// `NOT` in any case, with or without the space: `NOT/x`, `not /x`; but not a path that only begins with these
    /// letters.
    static func startsWithNot(_ pattern: String) -> Bool {
        guard pattern.utf8.prefix(3).elementsEqual("not".utf8, by: { $0 | 0x20 == $1 }) else { return false }
        guard let next = pattern.utf8.dropFirst(3).first else { return false }
        return " /*:".utf8.contains(next)
    }

    /// Whether the text contains `$(`.
    static func holdsVariable(_ text: String) -> Bool {
        var isBehindDollar = false
        for byte in text.utf8 {
            if isBehindDollar, byte == UInt8(ascii: "(") { return true }
            isBehindDollar = byte == UInt8(ascii: "$")
        }
        return false
    }

    // MARK: Paths

    private var pathFaults: [Fault] {
        var faults: [Fault] = []
        if traits.holdsQuery {
            faults.append(Fault(rule: .queryInPath, problem: "\(quoted(text)) holds a query, which no path does"))
        }
        if traits.holdsFragment {
            faults.append(Fault(rule: .fragmentInPath, problem: "\(quoted(text)) holds a fragment, which no path does"))
        }
        if !text.utf8.starts(with: "/".utf8), !text.utf8.starts(with: "*".utf8), !text.utf8.starts(with: "$(".utf8) {
            faults.append(Fault(rule: .pathWithoutSlash, problem: "\(quoted(text)) begins with neither / nor *"))
        }
        if traits.holdsDoubleSlash {
            faults.append(Fault(rule: .doubleSlash, problem: "\(quoted(text)) holds two slashes side by side"))
        }
        if !rule.excludes, text.utf8.last == UInt8(ascii: "*"), let last = text.utf8.dropLast().last,
            last.isLetter || last.isDigit
        {
            let name = text.dropLast()
            faults.append(
                Fault(
                    rule: .starWithoutSlash, problem: "\(quoted(text)) also fits \(quoted(name + "else"))",
                    mend: "Write \(quoted(name + "/*")), which fits \(quoted(name)) as well."))
        }
        return faults
    }

    // MARK: Encoding

    private var encodingFaults: [Fault] {
        guard rule.percentEncoded else {
            return !traits.holdsEscape
                ? []
                : [
                    Fault(
                        rule: .escapeInDecoded,
                        problem: "\(quoted(text)) holds an escape, but the URL is decoded before it is compared")
                ]
        }
        var faults: [Fault] = []
        if traits.holdsUnencoded {
            faults.append(
                Fault(
                    rule: .patternNotEncoded, problem: "\(quoted(text)) holds characters that no URL does",
                    mend:
                        "Write \(quoted(PercentEncoding.encode(text, allowed: .url))), or add \"percentEncoded\": false."
                ))
        }
        if rule.caseSensitive, traits.holdsSmallEscape {
            faults.append(
                Fault(rule: .escapeInSmallLetters, problem: "\(quoted(text)) holds an escape with small letters"))
        }
        return faults
    }

    // MARK: Variables

    private var openVariableFaults: [Fault] {
        guard traits.openedVariables > traits.variableNames.count else { return [] }
        return [Fault(rule: .variableOpen, problem: "a $( in \(quoted(text)) has no closing bracket")]
    }
}

extension PatternText {
    /// The properties of the text, found in one pass.
    private struct Traits {
        var holdsQuery = false
        var holdsFragment = false
        var holdsDoubleSlash = false
        var holdsEscape = false
        var holdsSmallEscape = false
        var holdsUnencoded = false
        var variableNames: [String] = []
        var openedVariables = 0

        init(_ text: String) {
            let bytes = Array(text.utf8)
            // The start of a possible query item's name: after the last `?`, as long as characters of a name follow.
            var queryName: Int?
            // The start of the name of a variable without a closing bracket so far.
            var variable: Int?
            for (location, byte) in bytes.enumerated() {
                let next = location + 1 < bytes.count ? bytes[location + 1] : 0
                if let start = queryName {
                    if byte == UInt8(ascii: "="), location > start { holdsQuery = true }
                    if !(byte.isLetter || byte.isDigit || "_-.[]".utf8.contains(byte)) { queryName = nil }
                }
                if !ASCIISet.url.contains(byte) { holdsUnencoded = true }
                switch byte {
                case UInt8(ascii: "?"): queryName = location + 1
                case UInt8(ascii: "#"): holdsFragment = true
                case UInt8(ascii: "/") where next == byte: holdsDoubleSlash = true
                case UInt8(ascii: "%"):
                    let digits = bytes[(location + 1)...].prefix(2)
                    guard digits.count == 2, digits.allSatisfy({ $0.hexadecimalValue != nil }) else { break }
                    holdsEscape = true
                    if digits.contains(where: { $0.isLetter && !$0.isCapital }) { holdsSmallEscape = true }
                case UInt8(ascii: "$") where next == UInt8(ascii: "("):
                    openedVariables += 1
                    if variable == nil { variable = location + 2 }
                case UInt8(ascii: ")"):
                    guard let start = variable, location >= start else { break }
                    variableNames.append(String(decoding: bytes[start..<location], as: UTF8.self))
                    variable = nil
                default: break
                }
            }
        }
    }
}
