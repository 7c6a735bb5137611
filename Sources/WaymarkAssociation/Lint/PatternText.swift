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
    private let variables: SubstitutionVariables

    init(_ text: String, _ part: Part, _ rule: AppleRule, _ variables: SubstitutionVariables) {
        self.text = text
        self.part = part
        self.rule = rule
        self.variables = variables
    }

    var faults: [Fault] {
        (part.isPath ? pathFaults : []) + encodingFaults + variableFaults
    }

    /// `NOT` in any case, with or without the space: `NOT/x`, `not /x`. A path that is merely named so is none.
    static func startsWithNot(_ pattern: String) -> Bool {
        guard pattern.prefix(3).lowercased() == "not" else { return false }
        guard let next = pattern.dropFirst(3).first else { return false }
        return next == " " || next == "/" || next == "*" || next == ":"
    }

    /// The names between `$(` and `)`.
    static func variableNames(_ pattern: String) -> [String] {
        var names: [String] = []
        var rest = Substring(pattern)
        while let start = rest.firstRange(of: "$("), let end = rest[start.upperBound...].firstIndex(of: ")") {
            names.append(String(rest[start.upperBound..<end]))
            rest = rest[rest.index(after: end)...]
        }
        return names
    }

    // MARK: Paths

    private var pathFaults: [Fault] {
        var faults: [Fault] = []
        if holdsQuery {
            faults.append(Fault(rule: .queryInPath, problem: "\(quoted(text)) holds a query, which no path does"))
        }
        if text.contains("#") {
            faults.append(Fault(rule: .fragmentInPath, problem: "\(quoted(text)) holds a fragment, which no path does"))
        }
        if !text.hasPrefix("/"), !text.hasPrefix("*"), !text.hasPrefix("$(") {
            faults.append(Fault(rule: .pathWithoutSlash, problem: "\(quoted(text)) begins with neither / nor *"))
        }
        if text.contains("//") {
            faults.append(Fault(rule: .doubleSlash, problem: "\(quoted(text)) holds two slashes side by side"))
        }
        if !rule.excludes, text.hasSuffix("*"), let last = text.dropLast().utf8.last, last.isLetter || last.isDigit {
            let name = text.dropLast()
            faults.append(
                Fault(
                    rule: .starWithoutSlash, problem: "\(quoted(text)) also fits \(quoted(name + "else"))",
                    mend: "Write \(quoted(name + "/*")), which fits \(quoted(name)) as well."))
        }
        return faults
    }

    /// `?name=`
    private var holdsQuery: Bool {
        text.utf8.split(separator: UInt8(ascii: "?"), omittingEmptySubsequences: false).dropFirst().contains { rest in
            let name = rest.prefix { $0.isLetter || $0.isDigit || "_-.[]".utf8.contains($0) }
            return !name.isEmpty && rest.dropFirst(name.count).first == UInt8(ascii: "=")
        }
    }

    // MARK: Encoding

    private var encodingFaults: [Fault] {
        let escapes = text.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false).dropFirst()
            .map { Array($0.prefix(2)) }.filter { $0.count == 2 && $0.allSatisfy { $0.hexadecimalValue != nil } }
        guard rule.percentEncoded else {
            return escapes.isEmpty
                ? []
                : [
                    Fault(
                        rule: .escapeInDecoded,
                        problem: "\(quoted(text)) holds an escape, but the URL is decoded before it is compared")
                ]
        }
        var faults: [Fault] = []
        if text.utf8.contains(where: PercentText.neverStandsInURL) {
            faults.append(
                Fault(
                    rule: .patternNotEncoded, problem: "\(quoted(text)) holds characters that no URL does",
                    mend: "Write \(quoted(PercentText.encoded(text))), or add \"percentEncoded\": false."))
        }
        if rule.caseSensitive, escapes.contains(where: { $0.contains { $0.isLetter && !$0.isCapital } }) {
            faults.append(
                Fault(rule: .escapeInSmallLetters, problem: "\(quoted(text)) holds an escape with small letters"))
        }
        return faults
    }

    // MARK: Variables

    private var variableFaults: [Fault] {
        var faults: [Fault] = []
        let names = Self.variableNames(text)
        if opened > names.count {
            faults.append(Fault(rule: .variableOpen, problem: "a $( in \(quoted(text)) has no closing bracket"))
        }
        for name in names where !variables.isKnown(name) {
            let guess = Spelling.nearest(to: name, among: variables.names + SubstitutionVariables.predefinedNames)
            faults.append(
                Fault(
                    rule: .variableUndefined, problem: "the variable \(quoted(name)) is not defined",
                    mend: guess.map { "Write $(\($0)), or define it in substitutionVariables." }
                        ?? "Define it in substitutionVariables."))
        }
        return faults
    }

    private var opened: Int {
        let bytes = Array(text.utf8)
        return zip(bytes, bytes.dropFirst()).count { $0 == UInt8(ascii: "$") && $1 == UInt8(ascii: "(") }
    }
}
