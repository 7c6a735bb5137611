/// A PNG (ISO/IEC 15948, third edition) of two colours, paper and ink, one bit a pixel.
struct BilevelPNG {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private let width: Int
    private let palette: QRCodePalette
    private var height = 0
    /// What IDAT holds before compression: for each row its filter type, always 0 (none), and its bits, the leftmost
    /// pixel in the highest.
    private var scanlines: [UInt8] = []

    /// - Parameter width: pixels, at least 1.
    init(width: Int, palette: QRCodePalette) {
        self.width = width
        self.palette = palette
    }

    /// Adds a row below the others, or several equal ones, with ink where the ranges say; they must be inside of the
    /// width.
    mutating func appendRow(inkedColumns: [Range<Int>], times: Int = 1) {
        var scanline = [UInt8](repeating: 0, count: 1 + (width + 7) / 8)
        for column in inkedColumns.joined() {
            scanline[1 + column / 8] |= 0x80 >> UInt8(column % 8)
        }
        for _ in 0..<times { scanlines += scanline }
        height += times
    }

    /// The whole file.
    func encoded() -> [UInt8] {
        var file = Self.signature
        // Depth 1, colour type 3 (palette), and the only compression, filter method and interlacing that it needs.
        Self.append("IHDR", bigEndian(width) + bigEndian(height) + [1, 3, 0, 0, 0], to: &file)
        Self.append("PLTE", [palette.light, palette.dark].flatMap { [$0.red, $0.green, $0.blue] }, to: &file)
        Self.append("IDAT", Zlib.compressed(scanlines), to: &file)
        Self.append("IEND", [], to: &file)
        return file
    }

    /// A chunk: length of the data, type, data, checksum of type and data.
    private static func append(_ type: StaticString, _ data: [UInt8], to file: inout [UInt8]) {
        let content = Array(type.description.utf8) + data
        file += bigEndian(data.count) + content + bigEndian(Int(Zlib.checksum(of: content)))
    }
}

/// Four bytes, the highest first; the number must fit into 32 bits.
private func bigEndian(_ number: Int) -> [UInt8] {
    let number = UInt32(number)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
}
