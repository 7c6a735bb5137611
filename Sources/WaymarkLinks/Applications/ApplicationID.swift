import WaymarkBytes

/// An application's name in the interface: 1–64 of `A-Z a-z 0-9 - _ .`, starting and ending with a letter or digit.
package struct ApplicationID: Hashable, Sendable {
    package let text: String

    package static let rule = "must be 1 to 64 of A-Z a-z 0-9 - _ . and start and end with a letter or digit"

    /// Nil for text that violates `rule`.
    package init?(_ text: String) {
        let bytes = text.utf8
        guard (1...64).contains(bytes.count), let first = bytes.first, let last = bytes.last,
            first.isAlphanumeric, last.isAlphanumeric,
            bytes.allSatisfy({
                $0.isAlphanumeric || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".")
            })
        else { return nil }
        self.text = text
    }
}
