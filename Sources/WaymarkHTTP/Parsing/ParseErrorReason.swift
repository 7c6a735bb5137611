/// The reasons for which requests are refused, as figures name them: the parser's own, and a few of the server's.
package enum ParseErrorReason {
    /// In the order of their numbers: `bare_line_feed` and the like.
    package static let names =
        ParseError.allCases.map { name(of: $0) } + ["timeout", "misdirected", "overload", "other"]

    /// The number of the reason that a refused client was told.
    ///
    /// - Parameter detail: as of `RequestParser.Outcome.reject`, or a sentence of the server's own.
    package static func number(of status: Status, detail: StaticString) -> Int {
        let parsers = ParseError.allCases.count
        // unsafe because it compares pointers; nothing is read through them. Each sentence stands in the program once.
        if let index = ParseError.allCases.firstIndex(where: { unsafe $0.detail.utf8Start == detail.utf8Start }) {
            return index
        }
        return switch status.code {
        case 408: parsers
        case 421: parsers + 1
        case 503: parsers + 2
        default: parsers + 3
        }
    }

    /// `bareLineFeed` becomes `bare_line_feed`.
    private static func name(of refusal: ParseError) -> String {
        var name = ""
        for character in String(describing: refusal) {
            if character.isUppercase { name += "_" }
            name += character.lowercased()
        }
        return name
    }
}
