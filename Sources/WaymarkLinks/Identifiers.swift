/// An application's name in the interface: 1–64 of `a-z 0-9 - _`, starting with a letter or digit.
package struct ApplicationID: Hashable, Sendable {
    package let text: String
    package init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        self.text = text
    }
}
