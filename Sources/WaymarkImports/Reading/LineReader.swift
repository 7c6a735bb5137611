/// Reads a text line by line.
final class LineReader {
    static let longest = 4 << 20

    private var pieces: TextPieces
    private var buffer: [UInt8] = []
    private var start = 0
    private var isAtEnd = false

    init(_ read: @escaping PieceReader) { pieces = TextPieces(read) }

    /// Without its end; nil behind the last one.
    func next() throws -> [UInt8]? {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: 0x0A) {
                defer { start = end + 1 }
                let line = buffer[start..<end]
                return Array(line.last == 0x0D ? line.dropLast() : line)
            }
            guard !isAtEnd else {
                guard start < buffer.count else { return nil }
                defer { start = buffer.count }
                return Array(buffer[start...])
            }
            buffer.removeFirst(start)
            start = 0
            searched = buffer.count
            guard buffer.count <= Self.longest else { throw SourceError("a line is longer than \(Self.longest) bytes") }
            let piece = try pieces.next()
            if piece.isEmpty { isAtEnd = true } else { buffer += piece }
        }
    }
}
