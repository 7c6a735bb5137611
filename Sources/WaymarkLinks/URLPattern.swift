/// A URL with `:variables` as whole path segments or whole query values.
package struct URLPattern: Hashable, Sendable {
    package let text: String
    package init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        self.text = text
    }
}
