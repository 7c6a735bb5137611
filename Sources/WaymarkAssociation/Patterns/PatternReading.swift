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
