/// Reads the next piece of a file; empty at its end.
package typealias PieceReader = () throws -> [UInt8]

/// The pieces of a text file as UTF-8, whatever spreadsheets wrote: a byte order mark is dropped, UTF-16 with one is converted.
struct TextPieces {
    private enum Encoding { case unknown, utf8, littleEndian, bigEndian }

    private let read: PieceReader
    private var encoding = Encoding.unknown
    /// Bytes at the end of a piece that are a part of a character.
    private var rest: [UInt8] = []

    init(_ read: @escaping PieceReader) { self.read = read }

    mutating func next() throws -> [UInt8] {
        if encoding == .unknown { return try first() }
        let piece = try read()
        return encoding == .utf8 ? piece : try convert(piece)
    }

    private mutating func first() throws -> [UInt8] {
        var start: [UInt8] = []
        while start.count < 3 {
            let piece = try read()
            guard !piece.isEmpty else { break }
            start += piece
        }
        if start.starts(with: [0xEF, 0xBB, 0xBF]) {
            encoding = .utf8
            start.removeFirst(3)
            return start.isEmpty ? try read() : start
        }
        guard start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) else {
            encoding = .utf8
            return start
        }
        encoding = start[0] == 0xFF ? .littleEndian : .bigEndian
        return try convert(Array(start.dropFirst(2)))
    }

    private mutating func convert(_ piece: [UInt8]) throws -> [UInt8] {
        let isEnd = piece.isEmpty
        let bytes = rest + piece
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        var position = 0
        while position + 1 < bytes.count {
            let (first, second) = (UInt16(bytes[position]), UInt16(bytes[position + 1]))
            units.append(encoding == .bigEndian ? first << 8 | second : second << 8 | first)
            position += 2
        }
        // The first half of a pair waits for the second.
        if !isEnd, let last = units.last, UTF16.isLeadSurrogate(last) {
            units.removeLast()
            position -= 2
        }
        rest = isEnd ? [] : Array(bytes[position...])
        let text = String(decoding: units, as: UTF16.self)
        // An empty piece would be the end.
        if text.isEmpty, !isEnd { return try convert(read()) }
        return Array(text.utf8)
    }
}
