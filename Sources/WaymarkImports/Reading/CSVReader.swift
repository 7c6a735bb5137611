/// Reads records of comma-separated values (RFC 4180) one at a time, and what spreadsheets make of them: semicolons or tabs in
/// place of commas, any line ends, a line `sep=;`, text behind a closing quote.
///
/// Its cost is linear in the file, and it holds one record and one piece of the file.
package final class CSVReader {
    /// Bytes of a record's cells together. More means that a quote does not end.
    static let longestRecord = 1 << 20
    static let mostCells = 4_096
    /// Bytes that are reserved for a record before they are needed.
    private static let widestReservation = 4_096

    /// One record: its cells end where `ends` says in `bytes`.
    package struct Record: Sendable {
        var bytes: [UInt8]
        var ends: [Int]
        /// Whether a spreadsheet may have written the cells; those of a database are taken as they are.
        var isSpreadsheets = true

        package var count: Int { ends.count }

        package func bytes(at column: Int) -> ArraySlice<UInt8> {
            bytes[(column == 0 ? 0 : ends[column - 1])..<ends[column]]
        }

        /// The cell without what spreadsheets put around it; empty where the record is shorter, nil where the cell is not UTF-8.
        func text(at column: Int) -> String? {
            guard column < ends.count else { return "" }
            let cell = isSpreadsheets ? Self.unwrapped(bytes(at: column)) : bytes(at: column)
            let text = String(decoding: cell, as: UTF8.self)
            // Another byte than the cell's stands for one that is no character.
            return cell.allSatisfy({ $0 < 0x80 }) || text.utf8.elementsEqual(cell) ? text : nil
        }

        /// The cell; one that is not UTF-8 in ISO 8859-1, in which every byte is a character.
        package subscript(column: Int) -> String {
            if let text = text(at: column) { return text }
            return String(String.UnicodeScalarView(bytes(at: column).map { Unicode.Scalar($0) }))
        }

        package var cells: [String] { ends.indices.map { self[$0] } }
        /// Whether nothing but white space stands in it.
        var isBlank: Bool { bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 } }

        func isBlank(at column: Int) -> Bool { bytes(at: column).allSatisfy { $0 == 0x20 || $0 == 0x09 } }

        /// Spreadsheets keep text as text by `="…"` or an apostrophe ahead of it; databases write no value as `\N`.
        private static func unwrapped(_ cell: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
            guard let first = cell.first else { return cell }
            let quote = UInt8(ascii: "\"")
            switch first {
            case UInt8(ascii: "=") where cell.count >= 3 && cell.dropFirst().first == quote && cell.last == quote:
                return cell.dropFirst(2).dropLast()
            case UInt8(ascii: "'") where SpreadsheetText.isGuarded(cell): return cell.dropFirst()
            case UInt8(ascii: "\\") where cell.elementsEqual([0x5C, 0x4E]): return []
            default: return cell
            }
        }
    }

    private enum State { case start, bare, quoted, closed }

    private var pieces: TextPieces
    private var piece: [UInt8] = []
    private var position = 0
    private var isAtEnd = false
    private var delimiter: UInt8?
    private var passesLineFeed = false
    private var widest = 0
    /// Records so far, blank ones left out.
    package private(set) var count = 0

    /// - Parameter reopen: Reads the file from its beginning, to find its encoding; nil if it can be read once only.
    package init(_ read: @escaping PieceReader, reopen: (() throws -> PieceReader)? = nil) {
        pieces = TextPieces(read, reopen: reopen)
    }

    package var note: String? { pieces.note }

    /// The next record that is not blank; nil at the end.
    package func next() async throws -> Record? {
        while let record = try await read() {
            guard !record.isBlank else { continue }
            count += 1
            return record
        }
        return nil
    }

    private func read() async throws -> Record? {
        if delimiter == nil { delimiter = try await findDelimiter() }
        guard let delimiter else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(max(64, widest), Self.widestReservation))
        var ends: [Int] = []
        ends.reserveCapacity(32)
        var state = State.start
        var isStarted = false
        while true {
            while position < piece.count {
                let byte = piece[position]
                position += 1
                if passesLineFeed {
                    passesLineFeed = false
                    if byte == 0x0A { continue }
                }
                isStarted = true
                if state == .quoted {
                    if byte == 0x22 { state = .closed } else { bytes.append(byte) }
                    continue
                }
                switch byte {
                case delimiter:
                    try end(bytes, &ends)
                    state = .start
                case 0x0A, 0x0D:
                    passesLineFeed = byte == 0x0D
                    try end(bytes, &ends)
                    widest = max(widest, bytes.count)
                    return Record(bytes: bytes, ends: ends)
                case 0x22 where state == .start: state = .quoted
                case 0x22 where state == .closed:
                    bytes.append(byte)
                    state = .quoted
                default:
                    bytes.append(byte)
                    state = .bare
                }
            }
            guard bytes.count <= Self.longestRecord else { throw tooLong }
            guard try await readPiece() else {
                guard isStarted else { return nil }
                guard state != .quoted else { throw SourceError("record \(count + 1): a quote is not closed") }
                try end(bytes, &ends)
                return Record(bytes: bytes, ends: ends)
            }
        }
    }

    private func end(_ bytes: [UInt8], _ ends: inout [Int]) throws {
        guard bytes.count <= Self.longestRecord else { throw tooLong }
        guard ends.count < Self.mostCells else {
            throw SourceError("record \(count + 1): it has more than \(Self.mostCells) cells; a line end is missing")
        }
        ends.append(bytes.count)
    }

    private var tooLong: SourceError {
        SourceError("record \(count + 1): it is longer than \(Self.longestRecord) bytes; a quote is not closed")
    }

    private func readPiece() async throws -> Bool {
        guard !isAtEnd else { return false }
        piece = try await pieces.next()
        position = 0
        isAtEnd = piece.isEmpty
        return !isAtEnd
    }

    /// The separator that stands most often in the first line, outside of quotes.
    private func findDelimiter() async throws -> UInt8? {
        guard try await readPiece() else { return nil }
        // The whole first line, however small the pieces are.
        var start = piece
        while start.count < 1 << 16, !piece.contains(where: { $0 == 0x0A || $0 == 0x0D }) {
            guard try await readPiece() else { break }
            start += piece
        }
        piece = start
        let line = piece.prefix { $0 != 0x0A && $0 != 0x0D }
        if line.count == 5, line.starts(with: "sep=".utf8), let named = line.last {
            position = line.count
            // Its own line end, which may be one of two bytes.
            if position < piece.count {
                passesLineFeed = piece[position] == 0x0D
                position += 1
            }
            return named
        }
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for byte in line {
            if byte == 0x22 { isQuoted.toggle() }
            if !isQuoted, byte == 0x2C || byte == 0x3B || byte == 0x09 { counts[byte, default: 0] += 1 }
        }
        var found = UInt8(ascii: ",")
        for candidate: UInt8 in [0x3B, 0x09] where counts[candidate, default: 0] > counts[found, default: 0] {
            found = candidate
        }
        return found
    }
}
