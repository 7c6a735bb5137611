/// Reads a text line by line.
final class LineReader {
    /// Bytes. Longer lines are no links.
    static let longest = 1 << 20

    private var pieces: TextPieces
    private var buffer: [UInt8] = []
    private var start = 0
    private var isAtEnd = false

    /// Of a text in UTF-8, as JSON is (RFC 8259, section 8.1).
    init(_ read: @escaping PieceReader) { pieces = TextPieces(read, declared: { _ in .utf8 }) }

    /// Without its end; nil behind the last one.
    func next() async throws -> [UInt8]? {
        var searched = start
        while true {
            // checked: `searched` and `start` are at most the number of bytes.
            if let end = buffer[searched...].firstIndex(of: 0x0A) {
                defer { start = end + 1 }
                let line = buffer[start..<end]
                guard line.count <= Self.longest else { throw Self.tooLong }
                return Array(line.last == 0x0D ? line.dropLast() : line)
            }
            guard buffer.count - start <= Self.longest else { throw Self.tooLong }
            guard !isAtEnd else {
                guard start < buffer.count else { return nil }
                defer { start = buffer.count }
                return Array(buffer.dropFirst(start))
            }
            buffer.removeFirst(start)
            start = 0
            searched = buffer.count
            let piece = try await pieces.next()
            if piece.isEmpty { isAtEnd = true } else { buffer += piece }
        }
    }

    private static var tooLong: SourceError { SourceError("a line is longer than \(longest) bytes") }
}
