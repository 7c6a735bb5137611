/// An absolute http or https URL without user info that is safe as a header value: ASCII, without control characters
/// and spaces.
package struct WebURL: Hashable, Sendable {
    let url: URLText

    /// Nil if the text is not such a URL. Non-ASCII characters in path, query and fragment are percent-encoded.
    package init?(_ text: String) {
        guard let checked = WebURL.check(text).value else { return nil }
        self = checked
    }

    private init(url: URLText) { self.url = url }

    /// Why the text is not such a URL; nil if it is one.
    package static func problem(in text: String) -> String? { check(text).problem }

    static func check(_ text: String) -> Checked<WebURL> {
        switch URLText.check(text) {
        case .problem(let problem): .problem(problem)
        case .valid(let url): url.isWeb ? .valid(WebURL(url: url)) : .problem("must be an http or https URL")
        }
    }

    package var text: String { url.text }
    package var scheme: URLScheme { url.schemeText == "http" ? .http : .https }
    /// Without port, lower case. Never nil for a validated URL; optional to avoid a trap.
    package var host: HostName? { url.host }
    /// As written; nil for the scheme's default port.
    package var port: Int? { url.port }
    /// Empty or starts with a slash.
    package var path: String { url.string(url.pathRange) }
    /// Without `?`.
    package var query: String? { url.queryRange.map(url.string) }
    /// Without `#`.
    package var fragment: String? { url.fragmentRange.map(url.string) }

    /// `scheme://host:port`, with the port only if written.
    package var origin: String { url.string(0..<url.pathRange.lowerBound) }
    /// Whether nothing, or only a slash, follows the origin.
    package var isOrigin: Bool { query == nil && fragment == nil && (path.isEmpty || path == "/") }
}
