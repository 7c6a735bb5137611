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
