/// Pixels with eight bits each of red, green, blue and opacity, row by row.
struct RasterImage: Sendable, Equatable {
    let width: Int
    let height: Int
    private(set) var bytes: [UInt8]

    init(width: Int, height: Int, bytes: [UInt8]) {
        self.width = width
        self.height = height
        self.bytes = bytes
    }

    /// The image on a square of paper: as large as fits, in the middle, and each pixel the mean of those that it stands for.
    ///
    /// - Returns: red, green and blue of each pixel of the square.
    func fitted(into side: Int, on paper: QRCodeColor) -> [UInt8] {
        var square = [UInt8]()
        square.reserveCapacity(side * side * 3)
        for _ in 0..<side * side { square += [paper.red, paper.green, paper.blue] }
        let longest = max(width, height)
        let (columns, rows) = (max(1, width * side / longest), max(1, height * side / longest))
        let (left, top) = ((side - columns) / 2, (side - rows) / 2)
        let background = [Int(paper.red), Int(paper.green), Int(paper.blue)]
        for row in 0..<rows {
            let source = Self.range(row, of: rows, in: height)
            for column in 0..<columns {
                var sums = [0, 0, 0]
                var opacity = 0
                let across = Self.range(column, of: columns, in: width)
                for y in source {
                    for x in across {
                        let place = (y * width + x) * 4
                        let own = Int(bytes[place + 3])
                        opacity += own
                        for part in 0..<3 { sums[part] += Int(bytes[place + part]) * own }
                    }
                }
                let whole = 255 * source.count * across.count
                let place = ((top + row) * side + left + column) * 3
                for part in 0..<3 {
                    let value = (sums[part] + background[part] * (whole - opacity) + whole / 2) / whole
                    square[place + part] = UInt8(clamping: value)
                }
            }
        }
        return square
    }

    /// The places of the source that one of `count` stands for, at least one.
    private static func range(_ index: Int, of count: Int, in length: Int) -> Range<Int> {
        let start = index * length / count
        return start..<max(start + 1, (index + 1) * length / count)
    }
}
