/// An API key as its holder sends it: `wm_` and 32 to 252 base62 characters.
///
/// Secret; it has no description that would show it in a log.
package struct KeyText: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    package static let prefix = "wm_"
    /// 43 base62 characters hold 256 bits.
    static let generatedLength = 43

    package let text: String

    package init?(_ text: some StringProtocol) {
        let bytes = text.utf8
        guard bytes.count >= 35, bytes.count <= 255, text.hasPrefix(Self.prefix) else { return nil }
        guard bytes.dropFirst(3).allSatisfy(Base62.holds) else { return nil }
        self.text = String(text)
    }

    /// A new key of 256 random bits.
    package init(randomBytes: (_ count: Int) -> [UInt8]) {
        text = Self.prefix + Base62.random(length: Self.generatedLength, bytes: randomBytes)
    }

    package var description: String { "wm_…" }
    package var debugDescription: String { description }
}
