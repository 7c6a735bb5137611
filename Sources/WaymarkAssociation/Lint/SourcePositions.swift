/// Turns places in a file into lines and columns, however long its lines are.
struct SourcePositions {
    private let source: [UInt8]
    /// Where each line begins.
    private let lines: [Int]
    /// How many scalars begin before each block of bytes.
    private let scalars: [Int]

    private static let block = 256

    init(_ source: [UInt8]) {
        self.source = source
        var lines = [0]
        var scalars: [Int] = []
        scalars.reserveCapacity(source.count / Self.block + 1)
        var count = 0
        for (location, byte) in source.enumerated() {
            if location % Self.block == 0 { scalars.append(count) }
            if byte & 0xC0 != 0x80 { count += 1 }
            let isReturn =
                byte == UInt8(ascii: "\r")
                && !(location + 1 < source.count && source[location + 1] == UInt8(ascii: "\n"))
            if byte == UInt8(ascii: "\n") || isReturn { lines.append(location + 1) }
        }
        self.lines = lines
        self.scalars = scalars
    }

    /// Both from 1; columns in Unicode scalars.
    func position(_ offset: Int) -> (line: Int, column: Int) {
        var (low, high) = (0, lines.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if lines[middle] <= offset { low = middle } else { high = middle }
        }
        let start = lines[low]
        let column = scalars(before: min(max(offset, start), source.count)) - scalars(before: start)
        return (low + 1, column + 1)
    }

    private func scalars(before location: Int) -> Int {
        guard !scalars.isEmpty else { return 0 }
        let block = min(location / Self.block, scalars.count - 1)
        return scalars[block] + source[block * Self.block..<location].count { $0 & 0xC0 != 0x80 }
    }
}
