import CWaymarkZlib

/// A PNG as its specification reads it, independent of the code that writes one: nil wherever a rule is broken that
/// every reader checks.
struct PNGFile {
    struct Chunk {
        let type: String
        let data: [UInt8]
    }

    let chunks: [Chunk]

    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else { return nil }
        var chunks: [Chunk] = []
        var rest = bytes.dropFirst(8)
        while !rest.isEmpty {
            guard rest.count >= 12 else { return nil }
            let length = PNGFile.number(rest.prefix(4))
            guard rest.count >= 12 + length else { return nil }
            let content = rest.dropFirst(4).prefix(4 + length)
            guard PNGFile.number(rest.dropFirst(8 + length).prefix(4)) == PNGFile.checksum(content) else { return nil }
            chunks.append(
                Chunk(type: String(decoding: content.prefix(4), as: UTF8.self), data: [UInt8](content.dropFirst(4))))
            rest = rest.dropFirst(12 + length)
        }
        self.chunks = chunks
    }

    var header: [UInt8] { data(of: "IHDR") }
    var width: Int { PNGFile.number(header.prefix(4)) }
    var height: Int { PNGFile.number(header.dropFirst(4).prefix(4)) }

    func data(of type: String) -> [UInt8] {
        chunks.filter { $0.type == type }.flatMap(\.data)
    }

    /// The palette's colour of every pixel, row by row, as `0xRRGGBB`; nil where the picture is not of one bit a pixel,
    /// unfiltered and not interlaced, or where the compressed data has another length than the dimensions want.
    func pixels() -> [[Int]]? {
        guard header.count == 13, Array(header[8...]) == [1, 3, 0, 0, 0] else { return nil }
        let palette = data(of: "PLTE")
        let stride = 1 + (width + 7) / 8
        // One byte more than is wanted, so that too much data shows as well as too little.
        var scanlines = [UInt8](repeating: 0, count: stride * height + 1)
        var count = uLong(scanlines.count)
        let compressed = data(of: "IDAT")
        guard uncompress(&scanlines, &count, compressed, uLong(compressed.count)) == Z_OK,
            Int(count) == stride * height
        else { return nil }
        var rows: [[Int]] = []
        var previous: ArraySlice<UInt8> = []
        for row in 0..<height {
            let scanline = scanlines[row * stride..<(row + 1) * stride]
            guard scanline.first == 0 else { return nil }
            // Most rows repeat the one above, and a debug build takes long to read millions of pixels.
            if scanline == previous, let last = rows.last {
                rows.append(last)
                continue
            }
            previous = scanline
            rows.append(
                (0..<width).map { column in
                    let bit = scanline[scanline.startIndex + 1 + column / 8] >> UInt8(7 - column % 8) & 1
                    return PNGFile.number(palette.dropFirst(Int(bit) * 3).prefix(3))
                })
        }
        return rows
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }

    /// CRC-32 bit by bit, as the specification defines it.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> Int {
        var remainder: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            remainder ^= UInt32(byte)
            for _ in 0..<8 {
                remainder = remainder & 1 == 1 ? remainder >> 1 ^ 0xEDB8_8320 : remainder >> 1
            }
        }
        return Int(~remainder)
    }
}
