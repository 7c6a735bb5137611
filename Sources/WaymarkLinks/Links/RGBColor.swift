import WaymarkBytes

/// An sRGB colour without transparency, written `#rrggbb`.
package struct RGBColor: Sendable, Equatable {
    package let red, green, blue: UInt8

    package init(red: UInt8, green: UInt8, blue: UInt8) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    /// Nil unless the text is `#` and six hexadecimal digits, in either case.
    package init?(_ text: String) {
        guard text.utf8.first == UInt8(ascii: "#"), let parts = Hexadecimal.bytes(String(text.dropFirst())),
            parts.count == 3
        else { return nil }
        self.init(red: parts[0], green: parts[1], blue: parts[2])
    }

    /// In lower case.
    package var text: String { "#" + Hexadecimal.text([red, green, blue]) }
}
