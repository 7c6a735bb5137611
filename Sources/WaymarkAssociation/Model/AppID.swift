/// An app as Apple's association file names it: `ABCDE12345.com.example.shop`, the application identifier prefix (as a
/// rule the team's ten characters), a dot, and the bundle identifier.
///
/// Older accounts have prefixes of other lengths, so any length is taken. What is refused is what real files get wrong:
/// no prefix (`com.example.shop`), an App Store number in its place, a placeholder, a wildcard.
package struct AppID: Hashable, Sendable {
    package let text: String

    /// Longest identifier taken, in bytes.
    package static let lengthLimit = 255

    /// Nil unless the prefix is of ASCII capitals and digits with a capital among them, and the bundle identifier of
    /// ASCII letters, digits and hyphens in non-empty parts between dots.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.lengthLimit else { return nil }
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count >= 2, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        let prefix = parts[0]
        guard prefix.allSatisfy({ $0.isCapital || $0.isDigit }), prefix.contains(where: \.isCapital) else { return nil }
        guard parts.dropFirst().joined().allSatisfy({ $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") }) else {
            return nil
        }
        self.text = text
    }

    static let shape =
        "must be like ABCDE12345.com.example.app: the team's prefix in capitals, a dot, the bundle identifier"
}
