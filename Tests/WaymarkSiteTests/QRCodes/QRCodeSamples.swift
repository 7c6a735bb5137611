import WaymarkSite

/// Codes that need no libqrencode: no scanner reads them, but every module's place can be told.
enum Samples {
    /// Modules without any symmetry, so that a picture that is mirrored or turned differs.
    static func modules(side: Int = 21) -> QRCodeModules? {
        QRCodeModules(side: side, darkness: (0..<side * side).map { $0 * $0 % 7 < 3 || $0 < side / 2 })
    }

    static let palette = QRCodePalette(
        dark: QRCodeColor(red: 0x10, green: 0x2A, blue: 0x43), light: QRCodeColor(red: 0xFF, green: 0xF4, blue: 0xE0))

    static func code(side: Int = 21, text: String = "sample") -> QRCode? {
        modules(side: side).map { QRCode(text: text, modules: $0) }
    }
}
