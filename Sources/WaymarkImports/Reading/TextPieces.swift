/// Reads the next piece of a file; empty at its end. All reading of a file passes through it, so it is the place to suspend,
/// and to throw where the import was stopped.
package typealias PieceReader = () async throws -> [UInt8]

/// The pieces of a text file as UTF-8, whatever spreadsheets wrote: a byte order mark is dropped, UTF-16 with one is converted.
struct TextPieces {
    private enum Encoding { case unknown, utf8, littleEndian, bigEndian }

    private let read: PieceReader
    private var encoding = Encoding.unknown
    /// Bytes at the end of a piece that are a part of a character.
    private var rest: [UInt8] = []

    init(_ read: @escaping PieceReader) { self.read = read }

    mutating func next() async throws -> [UInt8] {
        if encoding == .unknown { return try await first() }
        let piece = try await read()
        return encoding == .utf8 ? piece : try await convert(piece)
    }

    private mutating func first() async throws -> [UInt8] {
        var start: [UInt8] = []
        while start.count < 3 {
            let piece = try await read()
            guard !piece.isEmpty else { break }
            start += piece
        }
        if start.starts(with: [0xEF, 0xBB, 0xBF]) {
            encoding = .utf8
            start.removeFirst(3)
            return start.isEmpty ? try await read() : start
        }
        guard start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) else {
            encoding = .utf8
            return start
        }
        encoding = start.first == 0xFF ? .littleEndian : .bigEndian
        return try await convert(Array(start.dropFirst(2)))
    }

    private mutating func convert(_ piece: [UInt8]) async throws -> [UInt8] {
        var piece = piece
        while true {
            let isEnd = piece.isEmpty
            let text = converted(rest + piece, isEnd: isEnd)
            // An empty piece would be the end.
            if !text.isEmpty || isEnd { return Array(text.utf8) }
            piece = try await read()
        }
    }

    /// The characters that are whole; the bytes of the others wait in `rest`.
    private mutating func converted(_ bytes: [UInt8], isEnd: Bool) -> String {
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
        rest = isEnd ? [] : Array(bytes.dropFirst(position))
        return String(decoding: units, as: UTF16.self)
    }
}
