import WaymarkBytes

/// An API key as sent by its holder: `wm_` and 32 to 252 base62 characters if this program generated it, otherwise the
/// text that an administrator chose, 20 to 255 visible ASCII characters.
///
/// Secret; its description does not contain it, so it can't be logged by accident.
package struct KeyText: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible {
    package static let prefix = "wm_"
    /// 43 base62 characters have 256 bits.
    static let generatedLength = 43

    package let text: String

    /// A key in the format of generated keys.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard (35...255).contains(bytes.count), bytes.starts(with: Self.prefix.utf8),
            bytes[3...].allSatisfy(\.isAlphanumeric)
        else { return nil }
        self.text = text
    }

    /// A key chosen by an administrator, for callers whose key can't be changed.
    package init?(given text: String) {
        guard Self.isKey(Array(text.utf8)) else { return nil }
        self.text = text
    }

    /// Whether the bytes have the format of a key.
    static func isKey(_ bytes: [UInt8]) -> Bool {
        (20...255).contains(bytes.count) && bytes.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// Generates a key of 256 random bits.
    package init(randomBytes: (_ count: Int) -> [UInt8]) {
        text = Self.prefix + Base62.random(length: Self.generatedLength, bytes: randomBytes)
    }

    package var description: String { "wm_…" }
    package var debugDescription: String { description }
}
