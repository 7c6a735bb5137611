/// A URL's scheme, lower case (RFC 3986 section 3.1).
package struct URLScheme: Hashable, Sendable {
    package let text: String
    package init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        self.text = text
    }
}
