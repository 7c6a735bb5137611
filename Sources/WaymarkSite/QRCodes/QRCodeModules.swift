/// A QR code's square of dark and light modules, without its quiet zone.
package struct QRCodeModules: Sendable, Equatable {
    /// Modules per row and column: 21 (version 1) to 177 (version 40), in steps of 4.
    package let side: Int
    private let darkness: [Bool]

    /// Takes the modules row by row, true for dark. Nil if they don't form a square with a valid side.
    package init?(side: Int, darkness: [Bool]) {
        guard (21...177).contains(side), side % 4 == 1, darkness.count == side * side else { return nil }
        self.side = side
        self.darkness = darkness
    }

    /// Whether the module is dark. Row 0 is at the top, column 0 at the left; both must be below `side`.
    package subscript(row row: Int, column column: Int) -> Bool {
        precondition((0..<side).contains(row) && (0..<side).contains(column), "no such module")
        return darkness[row * side + column]
    }

    /// The dark columns of a row as ranges, from left to right, that don't touch each other.
    package func darkRuns(inRow row: Int) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var start: Int?
        for column in 0..<side {
            switch (start, self[row: row, column: column]) {
            case (nil, true):
                start = column
            case (let first?, false):
                runs.append(first..<column)
                start = nil
            default:
                break
            }
        }
        if let start { runs.append(start..<side) }
        return runs
    }
}
