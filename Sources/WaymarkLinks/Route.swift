/// `static/path/:variable`.
package struct Route: Hashable, Sendable {
    package let text: String
    package init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        self.text = text
    }
}
