/// An absolute http or https URL without user info.
package struct WebURL: Hashable, Sendable {
    package let text: String
    package init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        self.text = text
    }
}
