/// An API key as its holder sends it: `wm_` and 32 to 252 base62 characters.
///
/// Secret; it has no description that would show it in a log.
package struct KeyText: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    package static let prefix = "wm_"
    /// 43 base62 characters hold 256 bits.
    static let generatedLength = 43

    package let text: String

    package init?(_ text: String) {
        guard Self.isKey(Array(text.utf8)) else { return nil }
        self.text = text
    }

    /// Whether the bytes have a key's form.
    static func isKey(_ bytes: [UInt8]) -> Bool {
        bytes.count >= 35 && bytes.count <= 255 && bytes.starts(with: prefix.utf8)
            && bytes[3...].allSatisfy(Base62.holds)
    }

    /// A new key of 256 random bits.
    package init(randomBytes: (_ count: Int) -> [UInt8]) {
        text = Self.prefix + Base62.random(length: Self.generatedLength, bytes: randomBytes)
    }

    package var description: String { "wm_…" }
    package var debugDescription: String { description }
}
