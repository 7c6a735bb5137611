import WaymarkQRCode

/// Codes that need no libqrencode: no scanner reads them, but every module's place can be told.
enum Samples {
    /// Modules without any symmetry, so that a picture that is mirrored or turned differs.
    static func modules(side: Int = 21) -> QRCodeModules? {
        QRCodeModules(side: side, darkness: (0..<side * side).map { $0 * $0 % 7 < 3 || $0 < side / 2 })
    }

    static func code(side: Int = 21, text: String = "sample") -> QRCode? {
        modules(side: side).map { QRCode(text: text, modules: $0) }
    }
}
