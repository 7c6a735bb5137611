import WaymarkBytes
import WaymarkLinks

/// The inline style sheet of an application's accent colour. The Content Security Policy allows it by its digest, so
/// that no other inline style is applied.
struct AccentStyle: Sendable {
    let css: String
    /// The source for `style-src`.
    let source: String

    /// - Parameter sha256: 32 bytes.
    init(_ accent: RGBColor, sha256: (_ bytes: [UInt8]) -> [UInt8]) {
        let light = Self.rules(accent, on: Self.lightPaper, towards: RGBColor(red: 0, green: 0, blue: 0))
        let dark = Self.rules(accent, on: Self.darkPaper, towards: RGBColor(red: 255, green: 255, blue: 255))
        css = ":root{\(light)}@media(prefers-color-scheme:dark){:root{\(dark)}}"
        source = "'sha256-\(Base64.text(sha256(Array(css.utf8))))'"
    }

    /// `--paper` in `style.css`.
    static let lightPaper = RGBColor(red: 0xFF, green: 0xFF, blue: 0xFF)
    static let darkPaper = RGBColor(red: 0x1C, green: 0x22, blue: 0x20)

    /// The fill has the configured colour; text in this colour is adjusted until it is readable.
    private static func rules(_ accent: RGBColor, on paper: RGBColor, towards pole: RGBColor) -> String {
        let ink = accent.readable(on: paper, towards: pole)
        return "--accent:\(accent.text);--on-accent:\(accent.textColor.text);--accent-ink:\(ink.text)"
    }
}

extension RGBColor {
    /// The minimum contrast of text (WCAG 2.2, success criterion 1.4.3).
    static let readableContrast = 4.5

    /// White if it is readable on the colour, otherwise black, which then is.
    var textColor: RGBColor {
        let white = RGBColor(red: 255, green: 255, blue: 255)
        return contrast(with: white) >= Self.readableContrast ? white : RGBColor(red: 0, green: 0, blue: 0)
    }

    /// The nearest colour towards the pole in which text is readable on this paper.
    func readable(on paper: RGBColor, towards pole: RGBColor) -> RGBColor {
        for step in 0..<16 {
            let color = mixed(with: pole, sixteenths: step)
            if color.contrast(with: paper) >= Self.readableContrast { return color }
        }
        return pole
    }

    /// 1 to 21, as defined by WCAG.
    func contrast(with other: RGBColor) -> Double {
        let (one, two) = (luminance, other.luminance)
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    private func mixed(with other: RGBColor, sixteenths: Int) -> RGBColor {
        func mix(_ one: UInt8, _ two: UInt8) -> UInt8 {
            UInt8((Int(one) * (16 - sixteenths) + Int(two) * sixteenths) / 16)
        }
        return RGBColor(red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
    }

    private var luminance: Double {
        0.2126 * Self.linear(red) + 0.7152 * Self.linear(green) + 0.0722 * Self.linear(blue)
    }

    private static func linear(_ channel: UInt8) -> Double {
        let value = Double(channel) / 255
        if value <= 0.04045 { return value / 12.92 }
        let base = (value + 0.055) / 1.055
        // To the power of 2.4: the square times the fifth root of the square, by Newton's method.
        let square = base * base
        var root = 1.0
        for _ in 0..<24 { root = (4 * root + square / (root * root * root * root)) / 5 }
        return square * root
    }
}
