/// How a JSON text is laid out. Every style writes valid JSON that reads back as an equal value.
package struct JSONStyle: Sendable, Equatable {
    /// One member or element a line, indented by two spaces; else no white space at all.
    package var isPretty: Bool
    /// Writes `<`, `>` and `&` as escapes, so that the text can stand inside a `script` element of a page.
    package var escapesMarkup: Bool

    package init(isPretty: Bool = false, escapesMarkup: Bool = false) {
        self.isPretty = isPretty
        self.escapesMarkup = escapesMarkup
    }

    /// For bodies of requests and answers.
    package static let compact = JSONStyle()
    /// For people at a command line.
    package static let pretty = JSONStyle(isPretty: true)
    /// For JSON inside of HTML.
    package static let embedded = JSONStyle(escapesMarkup: true)
}
