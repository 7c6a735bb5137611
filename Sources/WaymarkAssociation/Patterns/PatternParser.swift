/// Reads patterns' texts: `*`, `?`, `$(name)`, and everything else as it is. There is no escape.
///
/// The values of a variable are read once for all patterns that name it: a variable may have thousands of values and stand
/// in thousands of patterns.
///
/// Isolation: belongs to one request, like its budget.
final class PatternParser {
    let variables: SubstitutionVariables
    let budget: WorkBudget
    private var alphabets: [AlphabetKey: Alphabet] = [:]
    private var values: [ValuesKey: [PatternToken]] = [:]

    init(variables: SubstitutionVariables, budget: WorkBudget = WorkBudget()) {
        self.variables = variables
        self.budget = budget
    }

    private struct AlphabetKey: Hashable {
        let unit: CharacterUnit
        let foldsCase: CaseFolding
    }

    private struct ValuesKey: Hashable {
        let name: String
        let alphabet: AlphabetKey
        let nested: PatternReading.Unknown
    }

    /// The text as numbers that can be held against the tokens of patterns with the same reading.
    func units(_ text: String, _ reading: PatternReading) -> [UInt32] {
        // Characters of several scalars are looked up one by one.
        budget.spend(text.utf8.count * (reading.unit == .grapheme ? 60 : 4) + WorkBudget.Price.small)
        let key = AlphabetKey(unit: reading.unit, foldsCase: reading.foldsCase)
        return alphabets[key, default: Alphabet(unit: key.unit, foldsCase: key.foldsCase)].units(text)
    }

    func tokens(_ pattern: String, _ reading: PatternReading = PatternReading()) -> [PatternToken] {
        guard budget.spend(pattern.utf8.count * 4 + WorkBudget.Price.small) else { return [.never] }
        var tokens: [PatternToken] = []
        var rest = Substring(pattern).unicodeScalars
        var literal = String.UnicodeScalarView()
        func flush(_ literal: inout String.UnicodeScalarView) -> [PatternToken] {
            defer { literal = String.UnicodeScalarView() }
            return literal.isEmpty ? [] : units(String(literal), reading).map(PatternToken.literal)
        }
        while let scalar = rest.first {
            switch scalar {
            case "*":
                tokens += flush(&literal)
                if tokens.last != .anyRun { tokens.append(.anyRun) }
                rest.removeFirst()
            case "?":
                tokens += flush(&literal)
                tokens.append(.anyOne)
                rest.removeFirst()
            case "$" where rest.dropFirst().first == "(":
                tokens += flush(&literal)
                let name = rest.dropFirst(2)
                guard let end = name.firstIndex(of: ")") else {
                    if reading.unclosed == .fitsNothing { return [.never] }
                    return tokens + units(String(rest), reading).map(PatternToken.literal)
                }
                tokens += variable(String(name[..<end]), written: String(rest[...end]), reading)
                rest = rest[name.index(after: end)...]
            default:
                literal.append(scalar)
                rest.removeFirst()
            }
        }
        return tokens + flush(&literal)
    }

    private func variable(_ name: String, written: String, _ reading: PatternReading) -> [PatternToken] {
        budget.spend(WorkBudget.Price.medium)
        let predefined = SubstitutionVariables.predefined(name)
        if let own = variables.values(of: name), reading.ownVariablesWin || predefined == nil {
            let alphabet = AlphabetKey(unit: reading.unit, foldsCase: reading.foldsCase)
            let key = ValuesKey(name: name, alphabet: alphabet, nested: reading.nested)
            if let known = values[key] { return known }
            let read = [PatternToken.choice(own.map { value($0, reading) })]
            values[key] = read
            return read
        }
        if let predefined { return [predefined] }
        return reading.undefined == .fitsNothing ? [.never] : units(written, reading).map(PatternToken.literal)
    }

    /// A value's wildcards mean what they mean in a pattern; a variable in it does not.
    private func value(_ text: String, _ reading: PatternReading) -> [PatternToken] {
        guard budget.spend(text.utf8.count * 4 + WorkBudget.Price.medium) else { return [.never] }
        if reading.nested == .fitsNothing, PatternText.holdsVariable(text) { return [.never] }
        var tokens: [PatternToken] = []
        var literal = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar == "*" || scalar == "?" {
                if !literal.isEmpty { tokens += units(String(literal), reading).map(PatternToken.literal) }
                literal = String.UnicodeScalarView()
                tokens.append(scalar == "*" ? .anyRun : .anyOne)
            } else {
                literal.append(scalar)
            }
        }
        return literal.isEmpty ? tokens : tokens + units(String(literal), reading).map(PatternToken.literal)
    }
}

/// How the text of a pattern is read, where the documentation leaves that open.
struct PatternReading: Hashable, Sendable {
    /// What becomes of `$(name)` where no such variable exists, or where the bracket is never closed.
    enum Unknown: Sendable, Hashable {
        case fitsNothing, isLiteral
    }

    var unit = CharacterUnit.scalar
    var foldsCase = CaseFolding.none
    var undefined = Unknown.fitsNothing
    var unclosed = Unknown.isLiteral
    /// Whether `$(name)` inside of a variable's value is text, which is what a value is made of.
    var nested = Unknown.isLiteral
    /// Whether a file's own variable hides a predefined one of its name.
    var ownVariablesWin = true
}

/// One step of a pattern.
enum PatternToken: Hashable, Sendable {
    /// This character, as its alphabet numbers it.
    case literal(UInt32)
    /// `?`
    case anyOne
    /// `*`
    case anyRun
    /// `$(digit)` and its like.
    case oneOf(CharacterClass)
    /// `$(region)` and `$(lang)`.
    case code(CodeTable)
    /// A variable of the file: one of these.
    case choice([[PatternToken]])
    /// Fits no text: a variable that is not defined.
    case never

    /// Stands for `*` in the text of a pattern that is held against another one: only `*` takes it.
    static let runUnit: UInt32 = .max
    /// Stands for `?` in such a text: `?` and `*` take it.
    static let oneUnit: UInt32 = .max - 1

    /// Whether it always takes exactly one character.
    var isSingle: Bool {
        switch self {
        case .literal, .anyOne, .oneOf: true
        case .anyRun, .code, .choice, .never: false
        }
    }
}

/// The predefined variables that stand for one ASCII character.
enum CharacterClass: String, Sendable, Hashable, CaseIterable {
    case alpha, upper, lower, alnum, digit, xdigit

    func contains(_ unit: UInt32, foldsCase: Bool) -> Bool {
        guard unit < 0x80 else { return false }
        let byte = UInt8(unit)
        switch self {
        case .alpha: return byte.isLetter
        case .upper: return foldsCase ? byte.isLetter : byte.isCapital
        case .lower: return byte.isLetter && (foldsCase || !byte.isCapital)
        case .alnum: return byte.isLetter || byte.isDigit
        case .digit: return byte.isDigit
        case .xdigit: return byte.hexadecimalValue != nil
        }
    }
}
