/// A PNG (ISO/IEC 15948, third edition) with eight bits each of red, green and blue: a QR code with a logo in it.
struct TrueColorPNG {
    private let width: Int
    private let palette: QRCodePalette
    private var height = 0
    /// As in `BilevelPNG`.
    private var scanlines: [UInt8] = []

    /// - Parameter width: pixels, at least 1.
    init(width: Int, palette: QRCodePalette) {
        self.width = width
        self.palette = palette
        scanlines.reserveCapacity(width * (1 + width * 3))
    }

    /// Appends a row with dark pixels in the ranges, and these pixels in place of some.
    mutating func appendRow(inkedColumns: [Range<Int>], covering start: Int = 0, _ pixels: ArraySlice<UInt8> = []) {
        let row = scanlines.count + 1
        scanlines.append(0)
        let (light, dark) = (palette.light, palette.dark)
        for _ in 0..<width {
            scanlines.append(light.red)
            scanlines.append(light.green)
            scanlines.append(light.blue)
        }
        for column in inkedColumns.joined() {
            scanlines[row + column * 3] = dark.red
            scanlines[row + column * 3 + 1] = dark.green
            scanlines[row + column * 3 + 2] = dark.blue
        }
        scanlines.replaceSubrange(row + start * 3..<row + start * 3 + pixels.count, with: pixels)
        height += 1
    }

    /// The whole file.
    func encoded() -> [UInt8] {
        var file = BilevelPNG.signature
        // Depth 8, colour type 2 (red, green, blue).
        BilevelPNG.append("IHDR", bigEndian(width) + bigEndian(height) + [8, 2, 0, 0, 0], to: &file)
        BilevelPNG.append("IDAT", Zlib.compressed(scanlines), to: &file)
        BilevelPNG.append("IEND", [], to: &file)
        return file
    }
}
