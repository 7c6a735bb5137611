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
