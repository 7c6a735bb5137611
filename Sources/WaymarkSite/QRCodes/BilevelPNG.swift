internal import CWaymarkZlib

/// A PNG (ISO/IEC 15948, third edition) with two colours, one bit per pixel.
struct BilevelPNG {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private let width: Int
    private let palette: QRCodePalette
    private var height = 0
    /// The content of IDAT before compression: for each row its filter type, always 0 (none), and its bits, with the
    /// leftmost pixel in the most significant one.
    private var scanlines: [UInt8] = []

    /// - Parameter width: pixels, at least 1.
    init(width: Int, palette: QRCodePalette) {
        self.width = width
        self.palette = palette
    }

    /// Appends a row, or several equal ones, with dark pixels in the ranges, which must be within the width.
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
        // Depth 1, colour type 3 (palette), and the standard's only compression and filter method, without
        // interlacing.
        Self.append("IHDR", bigEndian(width) + bigEndian(height) + [1, 3, 0, 0, 0], to: &file)
        Self.append("PLTE", [palette.light, palette.dark].flatMap { [$0.red, $0.green, $0.blue] }, to: &file)
        Self.append("IDAT", Zlib.compressed(scanlines), to: &file)
        Self.append("IEND", [], to: &file)
        return file
    }

    /// Appends a chunk: length of the data, type, data, checksum of type and data.
    static func append(_ type: StaticString, _ data: [UInt8], to file: inout [UInt8]) {
        let content = Array(type.description.utf8) + data
        file += bigEndian(data.count) + content + bigEndian(Int(Zlib.checksum(of: content)))
    }
}

/// Four bytes, most significant first; the number must fit into 32 bits.
func bigEndian(_ number: Int) -> [UInt8] {
    let number = UInt32(number)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
}

/// PNG's use of zlib.
enum Zlib {
    /// The bytes in the zlib format (RFC 1950), at zlib's default level: the highest one makes a link's image 1 %
    /// smaller and takes five times as long.
    static func compressed(_ bytes: [UInt8]) -> [UInt8] {
        let bound = compressBound(uLong(bytes.count))
        // unsafe because C takes addresses; each is valid only inside of its closure, with its length beside it, and
        // the count that zlib writes back is the number of bytes it has written.
        return unsafe [UInt8](unsafeUninitializedCapacity: Int(bound)) { output, count in
            var written = bound
            let status = unsafe bytes.withUnsafeBufferPointer { input in
                unsafe compress(output.baseAddress, &written, input.baseAddress, uLong(input.count))
            }
            // The output has the size that zlib requested, so only a failed allocation is left as an error.
            guard status == Z_OK else { fatalError("zlib found no memory") }
            count = Int(written)
        }
    }

    /// What bytes in the zlib format hold, if that is as many bytes as given.
    static func decompressed(_ bytes: [UInt8], count: Int) -> [UInt8]? {
        var isWhole = false
        // unsafe because C takes addresses; each is valid only inside of its closure, with its length beside it. zlib writes
        // nothing beyond the length, and the bytes are taken only if it has written them all.
        let output = unsafe [UInt8](unsafeUninitializedCapacity: count) { output, written in
            var length = uLong(count)
            let status = unsafe bytes.withUnsafeBufferPointer { input in
                unsafe uncompress(output.baseAddress, &length, input.baseAddress, uLong(input.count))
            }
            isWhole = status == Z_OK && Int(length) == count
            written = isWhole ? count : 0
        }
        return isWhole ? output : nil
    }

    /// The CRC-32 of PNG (ISO/IEC 15948, annex D), the same as zlib's and Ethernet's.
    static func checksum(of bytes: [UInt8]) -> UInt32 {
        // unsafe because C takes an address; it is valid only inside of the closure, with its length beside it.
        unsafe bytes.withUnsafeBufferPointer { input in
            unsafe UInt32(truncatingIfNeeded: crc32(0, input.baseAddress, uInt(input.count)))
        }
    }
}
