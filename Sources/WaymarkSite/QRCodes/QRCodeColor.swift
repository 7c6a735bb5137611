import WaymarkBytes

/// A colour of sRGB.
package struct QRCodeColor: Sendable, Equatable {
    package let red: UInt8
    package let green: UInt8
    package let blue: UInt8

    package init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Parses `RRGGBB` or `RGB` in hexadecimal digits of either case, with an optional `#` as in CSS. Nil for
    /// anything else, including names of colours and transparency.
    package init?(hexadecimal text: String) {
        let digits = text.utf8.first == UInt8(ascii: "#") ? text.utf8.dropFirst() : text.utf8[...]
        let values = digits.compactMap(\.hexadecimalValue)
        guard values.count == digits.count else { return nil }
        switch values.count {
        case 3: self.init(red: values[0] * 17, green: values[1] * 17, blue: values[2] * 17)
        case 6:
            self.init(
                red: values[0] << 4 | values[1], green: values[2] << 4 | values[3], blue: values[4] << 4 | values[5])
        default: return nil
        }
    }

    /// `#RRGGBB`.
    package var hexadecimal: String { "#" + Hexadecimal.text([red, green, blue]).uppercased() }

    /// The colour's reflectance, from 0 for black to 1 for white (IEC 61966-2-1, relative luminance).
    package var reflectance: Double {
        0.2126 * Self.linear(red) + 0.7152 * Self.linear(green) + 0.0722 * Self.linear(blue)
    }

    /// The sRGB curve as a polynomial, accurate to 0.003: indistinguishable for eyes and cameras, and the exact curve
    /// would need a mathematics library.
    private static func linear(_ part: UInt8) -> Double {
        let value = Double(part) / 255
        return value * (value * (value * 0.305_306 + 0.682_171) + 0.012_523)
    }
}

/// Two colours that readers can distinguish: dark modules on light paper, never inverted, which many readers don't
/// support.
package struct QRCodePalette: Sendable, Equatable {
    package let dark: QRCodeColor
    package let light: QRCodeColor

    package static let blackOnWhite = QRCodePalette(
        checkedDark: QRCodeColor(red: 0, green: 0, blue: 0), light: QRCodeColor(red: 255, green: 255, blue: 255))

    /// Minimum `contrast`: grade B in ISO/IEC 15415, which leaves a reserve for print, dirt and dim light.
    package static let leastContrast = 0.55

    /// Nil if `contrast(of:on:)` is below `leastContrast`.
    package init?(dark: QRCodeColor, light: QRCodeColor) {
        guard Self.contrast(of: dark, on: light) >= Self.leastContrast else { return nil }
        self.init(checkedDark: dark, light: light)
    }

    private init(checkedDark dark: QRCodeColor, light: QRCodeColor) {
        self.dark = dark
        self.light = light
    }

    /// The symbol contrast of ISO/IEC 15415: the difference in reflectance between paper and modules, 1 for black on
    /// white, negative if the modules are lighter.
    package static func contrast(of dark: QRCodeColor, on light: QRCodeColor) -> Double {
        light.reflectance - dark.reflectance
    }
}
