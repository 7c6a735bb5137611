/// An Android application id: `com.example.shop`. At least two parts between dots, each of ASCII letters, digits and
/// underscores, a letter first.
package struct PackageName: Hashable, Sendable {
    package let text: String

    /// Longest name taken, in bytes.
    package static let lengthLimit = 255

    package init?(_ text: String) {
        guard text.utf8.count <= Self.lengthLimit else { return nil }
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count >= 2 else { return nil }
        for part in parts {
            guard let first = part.first, first.isLetter else { return nil }
            guard part.allSatisfy({ $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }) else { return nil }
        }
        self.text = text
    }

    static let shape =
        "must be like com.example.app: two or more parts between dots, each a letter followed by letters, digits or _"
}
