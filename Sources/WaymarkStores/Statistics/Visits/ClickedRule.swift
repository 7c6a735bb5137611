/// The rule by which a click was led on, for what follows the click: claims and conversions.
package struct ClickedRule: Sendable, Hashable {
    /// The name that it had then, or else its number.
    package var text: String
    /// Whether it has a name and a share of the visitors.
    package var isVariant: Bool

    package init(_ text: String, isVariant: Bool = false) {
        self.text = text
        self.isVariant = isVariant
    }

    /// The name, if it has a share of the visitors.
    package var variant: String? { isVariant ? text : nil }

    /// Precede the text where it is stored: U+0002 and U+0003, which no name has, and no rule.
    package static let (ruleMark, variantMark) = ("\u{2}", "\u{3}")

    package var stored: String { (isVariant ? Self.variantMark : Self.ruleMark) + text }

    /// Nil for text that begins with neither mark.
    package init?(stored: some StringProtocol) {
        let text = String(stored.dropFirst())
        guard !text.isEmpty else { return nil }
        if stored.hasPrefix(Self.ruleMark) {
            self.init(text)
        } else if stored.hasPrefix(Self.variantMark) {
            self.init(text, isVariant: true)
        } else {
            return nil
        }
    }
}
