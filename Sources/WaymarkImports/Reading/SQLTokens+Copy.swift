/// The rows that PostgreSQL writes below `COPY … FROM stdin;`: a line each, its cells between tabs, up to the line `\.`
/// (https://www.postgresql.org/docs/current/sql-copy.html, "Text Format").
extension SQLTokens {
    /// The next row; nil behind the last one.
    ///
    /// - Throws: `SourceError` if the file ends before the line `\.`, or if a row has more than a record may have.
    mutating func copyRow() async throws -> CSVReader.Record? {
        var row = CopyRow()
        while true {
            while let byte = takeByte() {
                guard row.take(byte) else { continue }
                return row.isEnd ? nil : row.record
            }
            guard row.isWithinLimits else {
                throw SourceError(
                    "a row is longer than \(CSVReader.longestRecord) bytes or \(CSVReader.mostCells) cells; "
                        + "the file is damaged")
            }
            guard try await readPiece() else {
                // The last line of the file may have no end.
                if row.take(0x0A), row.isEnd { return nil }
                throw Self.cut("the rows of a COPY")
            }
        }
    }

    /// Passes the rows of another table.
    mutating func skipCopy() async throws {
        var line = 0
        var isEnd = true
        while true {
            while let byte = takeByte() {
                if byte == 0x0A {
                    if isEnd, line == 2 { return }
                    (line, isEnd) = (0, true)
                } else if byte != 0x0D {
                    isEnd = isEnd && line < 2 && byte == (line == 0 ? UInt8(ascii: "\\") : UInt8(ascii: "."))
                    line = min(line + 1, 3)
                }
            }
            guard try await readPiece() else {
                if isEnd, line == 2 { return }
                throw Self.cut("the rows of a COPY")
            }
        }
    }

    /// Passes the rest of the line.
    mutating func skipLine() async throws {
        while true {
            while let byte = takeByte() { if byte == 0x0A { return } }
            guard try await readPiece() else { throw Self.cut("a COPY") }
        }
    }
}

private struct CopyRow {
    private(set) var record = CSVReader.Record(bytes: [], ends: [], isSpreadsheets: false)
    /// Whether the line is `\.`.
    private(set) var isEnd = false
    private var start = 0
    private var isEscaped = false
    /// Whether the cell began with `\N` or `\.`.
    private var mark: UInt8?
    private var endsWithReturn = false

    var isWithinLimits: Bool {
        record.bytes.count <= CSVReader.longestRecord && record.ends.count <= CSVReader.mostCells
    }

    /// Whether the byte ends the row.
    mutating func take(_ byte: UInt8) -> Bool {
        if isEscaped {
            isEscaped = false
            if record.bytes.count == start, byte == UInt8(ascii: "N") || byte == UInt8(ascii: ".") { mark = byte }
            record.bytes.append(Self.escaped(byte))
            endsWithReturn = false
            return false
        }
        switch byte {
        case UInt8(ascii: "\\"): isEscaped = true
        case 0x09: endCell()
        case 0x0A:
            // Of a file that was copied with other line ends; a return of a text is escaped.
            if endsWithReturn { record.bytes.removeLast() }
            isEnd = mark == UInt8(ascii: ".") && record.ends.isEmpty && record.bytes.count == 1
            endCell()
            return true
        default:
            record.bytes.append(byte)
            endsWithReturn = byte == 0x0D
            return false
        }
        endsWithReturn = false
        return false
    }

    private mutating func endCell() {
        if mark == UInt8(ascii: "N"), record.bytes.count == start + 1 { record.bytes.removeLast() }
        mark = nil
        start = record.bytes.count
        record.ends.append(start)
    }

    private static func escaped(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "v"): 0x0B
        default: byte
        }
    }
}
