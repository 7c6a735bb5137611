/// A text as a QR code (ISO/IEC 18004, byte mode), rendered as PNG or SVG.
///
/// The symbol contains the text as UTF-8 without a character set indicator; readers decode ASCII, which every smart
/// link is, correctly, and have to guess the encoding of anything else.
package struct QRCode: Sendable, Equatable {
    /// Width and height of an image in pixels, including the quiet zone.
    package static let sizes = 64...2048
    /// The default size in pixels.
    package static let defaultSize = 512
    /// Width of the quiet zone around the symbol, in modules.
    package static let margins = 0...16
    /// The default margin: the standard's value, so that readers find the symbol.
    package static let defaultMargin = 4

    /// Whether this build can make QR codes: whether the package trait `QRCode` was enabled. If false, every
    /// `init(text:errorCorrection:)` returns nil.
    package static var isAvailable: Bool {
        #if QRCode
            true
        #else
            false
        #endif
    }

    /// The encoded text.
    package let text: String
    package let modules: QRCodeModules

    /// The smallest symbol that fits the text. Nil if the text is empty or has more UTF-8 bytes than
    /// `errorCorrection.byteLimit` (2,331 for `.medium`), and if `isAvailable` is false.
    ///
    /// Takes less than a millisecond for a link, and some milliseconds for the longest texts.
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

    /// Wraps an existing symbol, without checking that it encodes the text.
    package init(text: String, modules: QRCodeModules) {
        self.text = text
        self.modules = modules
    }
}

extension QRCode {
    /// The code as a PNG of exactly `size` × `size` pixels, without transparency.
    ///
    /// Every module is a square of the same whole number of pixels, so that edges stay sharp; remaining pixels go
    /// around the symbol, in addition to the margin. Takes about half a millisecond at the default size and several
    /// at the largest, too long for an event loop.
    ///
    /// - Parameters:
    ///   - size: pixels, one of `sizes`.
    ///   - margin: modules, one of `margins`.
    ///   - palette: the two colours. Default: black on white.
    /// - Returns: nil if a value is out of range, or if a module would be smaller than a pixel: if `size` is less
    ///   than `modules.side + 2 * margin`.
    package func png(
        size: Int = defaultSize, margin: Int = defaultMargin, palette: QRCodePalette = .blackOnWhite
    ) -> [UInt8]? {
        guard let (scale, inset) = layout(size, margin) else { return nil }
        var picture = BilevelPNG(width: size, palette: palette)
        for _ in 0..<inset { picture.appendRow(inkedColumns: []) }
        for row in 0..<modules.side {
            picture.appendRow(inkedColumns: columns(inRow: row, scale, inset), times: scale)
        }
        for _ in 0..<size - inset - scale * modules.side { picture.appendRow(inkedColumns: []) }
        return picture.encoded()
    }

    /// The same with a logo on these modules of rows and columns, with half a module of paper around it. Takes some ten
    /// milliseconds at the largest size.
    func png(
        size: Int, margin: Int, palette: QRCodePalette, logo: RasterImage, on covered: Range<Int>
    ) -> [UInt8]? {
        guard let (scale, inset) = layout(size, margin) else { return nil }
        let start = inset + covered.lowerBound * scale
        let side = covered.count * scale
        let pad = scale / 2
        let square = side > 2 * pad ? logo.fitted(into: side - 2 * pad, on: palette.light) : []
        let light = [palette.light.red, palette.light.green, palette.light.blue]
        var picture = TrueColorPNG(width: size, palette: palette)
        for line in 0..<size {
            let row = (line - inset) / scale
            guard line >= inset, row < modules.side else {
                picture.appendRow(inkedColumns: [])
                continue
            }
            let inked = columns(inRow: row, scale, inset)
            guard covered.contains(row) else {
                picture.appendRow(inkedColumns: inked)
                continue
            }
            var cover = [UInt8]()
            for _ in 0..<side { cover += light }
            let inner = line - start - pad
            let width = (side - 2 * pad) * 3
            if inner >= 0, inner < side - 2 * pad {
                cover.replaceSubrange(pad * 3..<pad * 3 + width, with: square[inner * width..<(inner + 1) * width])
            }
            picture.appendRow(inkedColumns: inked, covering: start, cover[...])
        }
        return picture.encoded()
    }

    /// Pixels of a module, and those before the first one; nil if a value is out of range, or a module too small.
    private func layout(_ size: Int, _ margin: Int) -> (scale: Int, inset: Int)? {
        guard Self.sizes.contains(size), Self.margins.contains(margin) else { return nil }
        let scale = size / (modules.side + 2 * margin)
        return scale > 0 ? (scale, (size - scale * modules.side) / 2) : nil
    }

    private func columns(inRow row: Int, _ scale: Int, _ inset: Int) -> [Range<Int>] {
        modules.darkRuns(inRow: row).map { run in
            inset + run.lowerBound * scale..<inset + run.upperBound * scale
        }
    }
}

extension QRCode {
    /// The code as an SVG 1.1 document in UTF-8: one path for all modules, in units of a module, and the text as the
    /// title, for accessibility.
    ///
    /// - Parameters:
    ///   - size: width and height in pixels if nothing else scales the image, one of `sizes`. Unlike in `png`, a
    ///     module may be smaller than a pixel, because the image can be scaled up.
    ///   - margin: modules, one of `margins`.
    ///   - palette: the two colours. Default: black on white.
    /// - Returns: nil if a value is out of range.
    package func svg(
        size: Int = defaultSize, margin: Int = defaultMargin, palette: QRCodePalette = .blackOnWhite
    ) -> [UInt8]? {
        svg(size: size, margin: margin, palette: palette, logo: nil, on: 0..<0)
    }

    /// The same with a logo, given by its URL, on these modules of rows and columns. An image of an image runs no scripts and
    /// loads nothing.
    func svg(
        size: Int, margin: Int, palette: QRCodePalette, logo: String?, on covered: Range<Int>
    ) -> [UInt8]? {
        guard Self.sizes.contains(size), Self.margins.contains(margin) else { return nil }
        let extent = modules.side + 2 * margin
        var path = ""
        for row in 0..<modules.side {
            for run in modules.darkRuns(inRow: row) {
                path += "M\(run.lowerBound + margin) \(row + margin)h\(run.count)v1h-\(run.count)z"
            }
        }
        var cover = ""
        var namespace = ""
        if let logo {
            let (start, side) = (covered.lowerBound + margin, covered.count)
            // For programs that read SVG 1.1 only.
            namespace = #" xmlns:xlink="http://www.w3.org/1999/xlink""#
            cover = """
                <rect x="\(start)" y="\(start)" width="\(side)" height="\(side)" fill="\(palette.light.hexadecimal)"/>\
                <image x="\(start).5" y="\(start).5" width="\(side - 1)" height="\(side - 1)" xlink:href="\(logo)"/>
                """
        }
        let document = """
            <svg xmlns="http://www.w3.org/2000/svg"\(namespace) width="\(size)" height="\(size)" viewBox="0 0 \(extent) \(extent)" \
            role="img" shape-rendering="crispEdges"><title>\(text.escapedForXML)</title>\
            <rect width="\(extent)" height="\(extent)" fill="\(palette.light.hexadecimal)"/>\
            <path fill="\(palette.dark.hexadecimal)" d="\(path)"/>\(cover)</svg>

            """
        return Array(document.utf8)
    }
}

extension String {
    /// The text as character data of XML 1.0. Characters that XML can't represent become U+FFFD.
    fileprivate var escapedForXML: String {
        var escaped = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar {
            case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
            case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
            case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
            // As a reference, because XML parsers normalize a literal one to a line feed.
            case "\r": escaped.append(contentsOf: "&#13;".unicodeScalars)
            case "\t", "\n", "\u{20}"..."\u{D7FF}", "\u{E000}"..."\u{FFFD}", "\u{10000}"..."\u{10FFFF}":
                escaped.append(scalar)
            default: escaped.append("\u{FFFD}")
            }
        }
        return String(escaped)
    }
}
