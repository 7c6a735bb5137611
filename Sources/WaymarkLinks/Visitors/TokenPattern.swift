import WaymarkBytes

/// A token as the data writes it: letters of any case stand for small ones; `^` ahead of it holds it to the text's start,
/// `|` ahead or behind wants something else than a letter there; `␣` is a space at either end.
struct TokenPattern {
    let bytes: [UInt8]
    let isAtStart: Bool
    let beginsWord: Bool
    let endsWord: Bool

    init(_ text: Substring) {
        var rest = text
        isAtStart = rest.first == "^"
        beginsWord = rest.first == "|"
        if isAtStart || beginsWord { rest.removeFirst() }
        endsWord = rest.count > 1 && rest.last == "|"
        if endsWord { rest.removeLast() }
        bytes = rest.replacing("␣", with: " ").utf8.map(\.lowercased)
    }

    /// All tokens of the lines with their meanings. An invalid line is ignored; a test detects it.
    static func all(_ lines: String) -> [(pattern: TokenPattern, meaning: UserAgentMeaning)] {
        lines.split(separator: "\n").flatMap { line -> [(TokenPattern, UserAgentMeaning)] in
            guard !line.hasPrefix("#"), let colon = line.firstRange(of: ": "),
                let meaning = UserAgentMeaning(line[..<colon.lowerBound])
            else { return [] }
            return line[colon.upperBound...].split(separator: ", ").map { (TokenPattern($0), meaning) }
        }
    }
}
