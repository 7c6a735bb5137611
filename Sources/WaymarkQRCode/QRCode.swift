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

extension QRCode {
    /// The code as a PNG of exactly `size` × `size` pixels, without anything transparent.
    ///
    /// Every module is a square of the same whole number of pixels, so that edges stay sharp; what is left over goes
    /// around the symbol, in addition to the margin. Takes about half a millisecond at the default size and several at
    /// the largest, too long for the thread of an event loop.
    ///
    /// - Parameters:
    ///   - size: pixels, one of `sizes`.
    ///   - margin: modules, one of `margins`.
    ///   - palette: the two colours; black on white where none are given.
    /// - Returns: nil where a value is outside of its limits, and where a module would be smaller than a pixel: where
    ///   `size` is less than `modules.side + 2 * margin`.
    package func png(
        size: Int = defaultSize, margin: Int = defaultMargin, palette: QRCodePalette = .blackOnWhite
    ) -> [UInt8]? {
        guard Self.sizes.contains(size), Self.margins.contains(margin) else { return nil }
        let scale = size / (modules.side + 2 * margin)
        guard scale > 0 else { return nil }
        let inset = (size - scale * modules.side) / 2
        var picture = BilevelPNG(width: size, palette: palette)
        for _ in 0..<inset { picture.appendRow(inkedColumns: []) }
        for row in 0..<modules.side {
            let columns = modules.darkRuns(inRow: row).map { run in
                inset + run.lowerBound * scale..<inset + run.upperBound * scale
            }
            picture.appendRow(inkedColumns: columns, times: scale)
        }
        for _ in 0..<size - inset - scale * modules.side { picture.appendRow(inkedColumns: []) }
        return picture.encoded()
    }
}

extension QRCode {
    /// The code as an SVG 1.1 document in UTF-8: one path for all modules, in units of a module, and the
    /// text as the title for those who can't scan.
    ///
    /// - Parameters:
    ///   - size: width and height in pixels where nothing else scales the picture, one of `sizes`. Unlike in `png`, a
    ///     module may come out smaller than a pixel: whoever shows the picture can enlarge it.
    ///   - margin: modules, one of `margins`.
    ///   - palette: the two colours; black on white where none are given.
    /// - Returns: nil where a value is outside of its limits.
    package func svg(
        size: Int = defaultSize, margin: Int = defaultMargin, palette: QRCodePalette = .blackOnWhite
    ) -> [UInt8]? {
        guard Self.sizes.contains(size), Self.margins.contains(margin) else { return nil }
        let extent = modules.side + 2 * margin
        var path = ""
        for row in 0..<modules.side {
            for run in modules.darkRuns(inRow: row) {
                path += "M\(run.lowerBound + margin) \(row + margin)h\(run.count)v1h-\(run.count)z"
            }
        }
        let document = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(size)" height="\(size)" viewBox="0 0 \(extent) \(extent)" \
            role="img" shape-rendering="crispEdges"><title>\(text.escapedForXML)</title>\
            <rect width="\(extent)" height="\(extent)" fill="\(palette.light.hexadecimal)"/>\
            <path fill="\(palette.dark.hexadecimal)" d="\(path)"/></svg>

            """
        return Array(document.utf8)
    }
}

extension String {
    /// The text as character data of XML 1.0. What XML can't hold in any spelling becomes U+FFFD.
    fileprivate var escapedForXML: String {
        var escaped = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar {
            case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
            case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
            case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
            // A reader would make a line feed of it, were it not a reference.
            case "\r": escaped.append(contentsOf: "&#13;".unicodeScalars)
            case "\t", "\n", "\u{20}"..."\u{D7FF}", "\u{E000}"..."\u{FFFD}", "\u{10000}"..."\u{10FFFF}":
                escaped.append(scalar)
            default: escaped.append("\u{FFFD}")
            }
        }
        return String(escaped)
    }
}
