/// Reads a pattern's text: `*`, `?`, `$(name)`, and everything else as it is. There is no escape.
struct PatternParser {
    /// What becomes of `$(name)` where no such variable exists, or where the bracket is never closed.
    enum Unknown: Sendable, Hashable {
        case fitsNothing, isLiteral
    }

    let variables: SubstitutionVariables
    var undefined = Unknown.fitsNothing
    var unclosed = Unknown.isLiteral
    /// Whether `$(name)` inside of a variable's value is text, which is what a value is made of.
    var nested = Unknown.isLiteral
    /// Whether a file's own variable hides a predefined one of its name.
    var ownVariablesWin = true

    func tokens(_ pattern: some StringProtocol, alphabet: inout Alphabet) -> [PatternToken] {
        var tokens: [PatternToken] = []
        var rest = Substring(pattern).unicodeScalars
        var literal = String.UnicodeScalarView()
        // A variable may have thousands of values and stand in a pattern thousands of times.
        var known: [String: [PatternToken]] = [:]
        func flush(_ literal: inout String.UnicodeScalarView, _ alphabet: inout Alphabet) -> [PatternToken] {
            defer { literal = String.UnicodeScalarView() }
            return literal.isEmpty ? [] : alphabet.units(String(literal)).map(PatternToken.literal)
        }
        while let scalar = rest.first {
            switch scalar {
            case "*":
                tokens += flush(&literal, &alphabet)
                if tokens.last != .anyRun { tokens.append(.anyRun) }
                rest.removeFirst()
            case "?":
                tokens += flush(&literal, &alphabet)
                tokens.append(.anyOne)
                rest.removeFirst()
            case "$" where rest.dropFirst().first == "(":
                tokens += flush(&literal, &alphabet)
                let name = rest.dropFirst(2)
                guard let end = name.firstIndex(of: ")") else {
                    if unclosed == .fitsNothing { return [.never] }
                    tokens += alphabet.units(String(rest)).map(PatternToken.literal)
                    return tokens
                }
                let closed = rest[...end]
                let key = String(name[..<end])
                let read = known[key] ?? variable(key, written: String(closed), &alphabet)
                known[key] = read
                tokens += read
                rest = rest[name.index(after: end)...]
            default:
                literal.append(scalar)
                rest.removeFirst()
            }
        }
        return tokens + flush(&literal, &alphabet)
    }

    private func variable(_ name: String, written: String, _ alphabet: inout Alphabet) -> [PatternToken] {
        let own = variables.values(of: name)
        let predefined = SubstitutionVariables.predefined(name)
        if let own, ownVariablesWin || predefined == nil {
            return [.choice(own.map { value($0, &alphabet) })]
        }
        if let predefined { return [predefined] }
        return undefined == .fitsNothing ? [.never] : alphabet.units(written).map(PatternToken.literal)
    }

    /// A value's wildcards mean what they mean in a pattern; a variable in it does not.
    private func value(_ text: String, _ alphabet: inout Alphabet) -> [PatternToken] {
        if nested == .fitsNothing, text.contains("$(") { return [.never] }
        var tokens: [PatternToken] = []
        var literal = ""
        for scalar in text.unicodeScalars {
            if scalar == "*" || scalar == "?" {
                tokens += alphabet.units(literal).map(PatternToken.literal)
                literal = ""
                tokens.append(scalar == "*" ? .anyRun : .anyOne)
            } else {
                literal.unicodeScalars.append(scalar)
            }
        }
        return tokens + alphabet.units(literal).map(PatternToken.literal)
    }
}
