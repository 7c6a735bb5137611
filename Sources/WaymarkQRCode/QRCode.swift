/// A text as a QR code (ISO/IEC 18004, byte mode), to be drawn as PNG or SVG.
///
/// The text stands in the symbol as its UTF-8 bytes without a mark of the character set; readers take ASCII, which every
/// smart link is, for what it is, and guess at anything else.
package struct QRCode: Sendable, Equatable {
    /// Width and height of a picture in pixels, the quiet zone included.
    package static let sizes = 64...2048
    /// The size where none is asked for.
    package static let defaultSize = 512
    /// Least width of the quiet zone around the symbol, in modules.
    package static let margins = 0...16
    /// The margin where none is asked for: what the standard wants, so that readers find the symbol.
    package static let defaultMargin = 4

    /// Whether this build can make QR codes: whether the package trait `QRCode` was on. Where it is false, every
    /// `init(text:errorCorrection:)` is nil.
    package static var isAvailable: Bool {
        #if QRCode
            true
        #else
            false
        #endif
    }

    /// What a reader gets.
    package let text: String
    package let modules: QRCodeModules

    /// The smallest symbol that holds the text. Nil where the text is empty or has more UTF-8 bytes than
    /// `errorCorrection.byteLimit` (2,331 for `.medium`), and where `isAvailable` is false.
    ///
    /// Takes fractions of a millisecond for a link, and some milliseconds for the longest texts.
    package init?(text: String, errorCorrection: ErrorCorrection = .medium) {
        #if QRCode
            guard let modules = SymbolEncoder.modules(for: Array(text.utf8), errorCorrection: errorCorrection) else {
                return nil
            }
            self.init(text: text, modules: modules)
        #else
            return nil
        #endif
    }

    /// A symbol that is there already; nobody checks that it says the text.
    package init(text: String, modules: QRCodeModules) {
        self.text = text
        self.modules = modules
    }
}
