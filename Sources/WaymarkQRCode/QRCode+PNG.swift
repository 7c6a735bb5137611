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
