import WaymarkBytes

/// Reads patterns' texts: `*`, `?`, `$(name)`, and everything else as it is. There is no escape.
///
/// A variable's values are parsed once for all patterns that use it: it may have thousands of values and be used in
/// thousands of patterns.
///
/// Isolation: used by one request, like its budget.
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

    /// The text as numbers to be matched with patterns of the same reading.
    func units(_ text: String, _ reading: PatternReading) -> [UInt32] {
        // Characters with several scalars are looked up one by one.
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

    /// Wildcards in a value have their usual meaning; variables don't.
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

/// How a pattern is parsed where the documentation leaves it open.
struct PatternReading: Hashable, Sendable {
    /// How `$(name)` is treated if the variable is undefined or the bracket is not closed.
    enum Unknown: Sendable, Hashable {
        case fitsNothing, isLiteral
    }

    var unit = CharacterUnit.scalar
    var foldsCase = CaseFolding.none
    var undefined = Unknown.fitsNothing
    var unclosed = Unknown.isLiteral
    /// Whether `$(name)` in a variable's value is literal text, as values are.
    var nested = Unknown.isLiteral
    /// Whether a file's own variable overrides a predefined one with the same name.
    var ownVariablesWin = true
}

/// One token of a pattern.
enum PatternToken: Hashable, Sendable {
    /// This character, by its number in the alphabet.
    case literal(UInt32)
    /// `?`
    case anyOne
    /// `*`
    case anyRun
    /// `$(digit)` and similar.
    case oneOf(CharacterClass)
    /// `$(region)` and `$(lang)`.
    case code(CodeTable)
    /// A variable of the file: any one of its values.
    case choice([[PatternToken]])
    /// Matches nothing: an undefined variable.
    case never

    /// Represents `*` in a pattern that is compared with another one: only `*` matches it.
    static let runUnit: UInt32 = .max
    /// Represents `?` in such a pattern: `?` and `*` match it.
    static let oneUnit: UInt32 = .max - 1

    /// Whether it always matches exactly one character.
    var isSingle: Bool {
        switch self {
        case .literal, .anyOne, .oneOf: true
        case .anyRun, .code, .choice, .never: false
        }
    }
}

/// The predefined variables for one ASCII character.
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
