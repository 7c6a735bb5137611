/// Reads a PNG (ISO/IEC 15948, third edition) of a bounded size, without interlacing.
struct PNGReader {
    /// Width and height.
    static let sides = 1...1_024

    private struct Header {
        var width: Int
        var height: Int
        var depth: Int
        var color: Int

        /// Samples of a pixel.
        var channels: Int { [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][color] ?? 0 }
        /// Of a row, without its filter type.
        var rowBytes: Int { (width * channels * depth + 7) / 8 }

        var isPossible: Bool {
            switch color {
            case 0: [1, 2, 4, 8, 16].contains(depth)
            case 3: [1, 2, 4, 8].contains(depth)
            case 2, 4, 6: [8, 16].contains(depth)
            default: false
            }
        }
    }

    /// Why a file is no picture, as a sentence without a subject.
    struct Failure: Error {
        let problem: String

        init(_ problem: String) { self.problem = problem }
    }

    private var header = Header(width: 0, height: 0, depth: 0, color: 0)
    private var palette: [UInt8] = []
    /// Of the palette, or the transparent colour.
    private var transparency: [UInt8] = []
    private var data: [UInt8] = []

    static func image(_ file: [UInt8]) throws(Failure) -> RasterImage {
        var reader = PNGReader()
        try reader.read(file)
        return try reader.image()
    }

    private mutating func read(_ file: [UInt8]) throws(Failure) {
        guard file.starts(with: BilevelPNG.signature) else { throw Failure("is no PNG") }
        var position = BilevelPNG.signature.count
        var isFirst = true
        while true {
            guard file.count - position >= 12 else { throw Failure("ends before the PNG does") }
            let length = Self.number(file, position)
            guard length <= file.count - position - 12 else { throw Failure("ends before the PNG does") }
            let content = Array(file[(position + 4)..<(position + 8 + length)])
            guard Self.number(file, position + 8 + length) == Int(Zlib.checksum(of: content)) else {
                throw Failure("is damaged: the checksum of a part is wrong")
            }
            position += 12 + length
            let type = String(decoding: content[..<4], as: UTF8.self)
            let part = Array(content[4...])
            guard isFirst == (type == "IHDR") else { throw Failure("must begin with one header (IHDR)") }
            isFirst = false
            switch type {
            case "IHDR": try readHeader(part)
            case "PLTE": palette = part
            case "tRNS": transparency = part
            case "IDAT": data += part
            case "IEND":
                guard position == file.count else { throw Failure("goes on behind the end of the PNG") }
                return
            default:
                // An upper-case letter says that a picture can't be shown without the part.
                guard content[0] & 0x20 != 0 else { throw Failure("has a part that is not supported: \(type)") }
            }
        }
    }

    private mutating func readHeader(_ part: [UInt8]) throws(Failure) {
        guard part.count == 13 else { throw Failure("has a header of the wrong size") }
        header = Header(
            width: Self.number(part, 0), height: Self.number(part, 4), depth: Int(part[8]), color: Int(part[9]))
        guard Self.sides.contains(header.width), Self.sides.contains(header.height) else {
            throw Failure("must be at most \(Self.sides.upperBound) pixels wide and high")
        }
        guard header.isPossible, part[10] == 0, part[11] == 0 else {
            throw Failure("has a form that PNG does not have")
        }
        guard part[12] == 0 else { throw Failure("must not be interlaced: save it without interlacing") }
    }

    private func image() throws(Failure) -> RasterImage {
        if header.color == 3 {
            guard (3...768).contains(palette.count), palette.count % 3 == 0 else { throw Failure("has no palette") }
        }
        let scanline = header.rowBytes + 1
        guard var rows = Zlib.decompressed(data, count: scanline * header.height) else {
            throw Failure("is damaged: its data does not fill \(header.width) × \(header.height) pixels")
        }
        try unfilter(&rows)
        var pixels: [UInt8] = []
        pixels.reserveCapacity(header.width * header.height * 4)
        for row in 0..<header.height {
            let start = row * scanline + 1
            for column in 0..<header.width { append(rows, start, column, to: &pixels) }
        }
        return RasterImage(width: header.width, height: header.height, bytes: pixels)
    }

    /// Undoes the prediction of each byte from those to the left and above.
    private func unfilter(_ rows: inout [UInt8]) throws(Failure) {
        let scanline = header.rowBytes + 1
        let step = max(1, header.channels * header.depth / 8)
        for row in 0..<header.height {
            let start = row * scanline
            let filter = rows[start]
            guard filter <= 4 else { throw Failure("is damaged: a row has no filter of PNG's") }
            guard filter != 0 else { continue }
            for index in 1..<scanline {
                let left = index > step ? rows[start + index - step] : 0
                let above = row > 0 ? rows[start - scanline + index] : 0
                let corner = row > 0 && index > step ? rows[start - scanline + index - step] : 0
                let predicted: UInt8 =
                    switch filter {
                    case 1: left
                    case 2: above
                    case 3: UInt8((Int(left) + Int(above)) / 2)
                    default: Self.paeth(left, above, corner)
                    }
                rows[start + index] &+= predicted
            }
        }
    }

    private static func paeth(_ left: UInt8, _ above: UInt8, _ corner: UInt8) -> UInt8 {
        let estimate = Int(left) + Int(above) - Int(corner)
        let distances = (abs(estimate - Int(left)), abs(estimate - Int(above)), abs(estimate - Int(corner)))
        if distances.0 <= distances.1, distances.0 <= distances.2 { return left }
        return distances.1 <= distances.2 ? above : corner
    }

    private func append(_ rows: [UInt8], _ start: Int, _ column: Int, to pixels: inout [UInt8]) {
        func sample(_ channel: Int) -> Int {
            let bit = (column * header.channels + channel) * header.depth
            let byte = Int(rows[start + bit / 8])
            if header.depth == 16 { return byte << 8 | Int(rows[start + bit / 8 + 1]) }
            return byte >> (8 - header.depth - bit % 8) & (1 << header.depth - 1)
        }
        func eight(_ value: Int) -> UInt8 {
            header.depth == 16 ? UInt8(value >> 8) : UInt8(value * 255 / (1 << header.depth - 1))
        }
        /// Of a colour of so many samples, one of which may be the transparent one.
        func opacity(_ count: Int) -> UInt8 {
            guard transparency.count == count * 2 else { return 255 }
            for channel in 0..<count {
                let transparent = Int(transparency[2 * channel]) << 8 | Int(transparency[2 * channel + 1])
                if sample(channel) != transparent { return 255 }
            }
            return 0
        }
        switch header.color {
        case 0, 4:
            let gray = eight(sample(0))
            for _ in 0..<3 { pixels.append(gray) }
            pixels.append(header.color == 4 ? eight(sample(1)) : opacity(1))
        case 3:
            let index = sample(0)
            let place = min(index, palette.count / 3 - 1) * 3
            pixels += palette[place..<place + 3]
            pixels.append(index < transparency.count ? transparency[index] : 255)
        default:
            for channel in 0..<3 { pixels.append(eight(sample(channel))) }
            pixels.append(header.color == 6 ? eight(sample(3)) : opacity(3))
        }
    }

    /// Four bytes, most significant first.
    private static func number(_ bytes: [UInt8], _ position: Int) -> Int {
        bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
    }
}
