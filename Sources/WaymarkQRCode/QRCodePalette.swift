/// The two colours of a picture that readers can tell apart: dark modules on light paper, never the other way round, which
/// many readers don't look for.
package struct QRCodePalette: Sendable, Equatable {
    package let dark: QRCodeColor
    package let light: QRCodeColor

    package static let blackOnWhite = QRCodePalette(
        checkedDark: QRCodeColor(red: 0, green: 0, blue: 0), light: QRCodeColor(red: 255, green: 255, blue: 255))

    /// Least `contrast`: what ISO/IEC 15415 grades as B, so that print, dirt and a dim room may take something off it.
    package static let leastContrast = 0.55

    /// Nil where `contrast(of:on:)` is below `leastContrast`.
    package init?(dark: QRCodeColor, light: QRCodeColor) {
        guard Self.contrast(of: dark, on: light) >= Self.leastContrast else { return nil }
        self.init(checkedDark: dark, light: light)
    }

    private init(checkedDark dark: QRCodeColor, light: QRCodeColor) {
        self.dark = dark
        self.light = light
    }

    /// The symbol contrast of ISO/IEC 15415: how much more light the paper gives back than the modules, 1 for black on
    /// white, negative where the modules are the lighter ones.
    package static func contrast(of dark: QRCodeColor, on light: QRCodeColor) -> Double {
        light.reflectance - dark.reflectance
    }
}
