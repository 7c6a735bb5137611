/// How a JSON text is laid out. Every style writes valid JSON that reads back as an equal value.
package struct JSONStyle: Sendable, Equatable {
    /// One member or element a line, indented by two spaces; else no white space at all.
    package var isPretty: Bool

    /// For bodies of requests and answers.
    package static let compact = JSONStyle(isPretty: false)
    /// For people at a command line.
    package static let pretty = JSONStyle(isPretty: true)
}
