/// One or several parts of a file as a response body, with multipart text between several.
package final class FileParts: Sendable {
    private struct Piece: Sendable {
        /// Its end in the body.
        let end: Int
        let content: Content
    }

    private enum Content: Sendable {
        case text([UInt8])
        case range(Range<Int>)
    }

    private let file: OpenFile
    private let pieces: [Piece]

    /// A single part.
    ///
    /// - Precondition: `range` lies within the file.
    package init(_ file: OpenFile, _ range: Range<Int>) {
        precondition(range.lowerBound >= 0 && range.upperBound <= file.count, "a part lies within its file")
        self.file = file
        pieces = [Piece(end: range.count, content: .range(range))]
    }

    /// Several parts, as `multipart/byteranges` (RFC 9110 section 14.6).
    ///
    /// - Parameters:
    ///   - mediaType: of the file.
    ///   - boundary: must not occur in any part.
    /// - Precondition: the ranges lie within the file.
    package init(_ file: OpenFile, _ ranges: [Range<Int>], mediaType: StaticString, boundary: String) {
        var pieces: [Piece] = []
        var end = 0
        func add(_ text: String) {
            end += text.utf8.count
            pieces.append(Piece(end: end, content: .text(Array(text.utf8))))
        }
        for range in ranges {
            precondition(range.lowerBound >= 0 && range.upperBound <= file.count, "a part lies within its file")
            add(
                (end == 0 ? "" : "\r\n")
                    + "--\(boundary)\r\nContent-Type: \(mediaType)\r\n"
                    + "Content-Range: \(Self.contentRange(range, of: file.count))\r\n\r\n")
            end += range.count
            pieces.append(Piece(end: end, content: .range(range)))
        }
        add("\r\n--\(boundary)--\r\n")
        self.file = file
        self.pieces = pieces
    }

    /// The value of a Content-Range field.
    package static func contentRange(_ range: Range<Int>, of size: Int) -> String {
        "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
    }

    /// Bytes in all.
    package var count: Int { pieces.last?.end ?? 0 }

    /// The bytes to send from `offset` on, to the end of the piece that contains it.
    func rest(at offset: Int) -> BodyRest {
        var start = 0
        for piece in pieces {
            if offset < piece.end {
                let taken = offset - start
                switch piece.content {
                case .text(let text): return .bytes(text, from: taken)
                case .range(let range): return .file(file, range.lowerBound + taken..<range.upperBound)
                }
            }
            start = piece.end
        }
        return .nothing
    }
}

/// The next bytes of a body to send.
enum BodyRest {
    case nothing
    case bytes([UInt8], from: Int)
    case file(OpenFile, Range<Int>)
}

extension ResponseBody {
    func rest(at offset: Int) -> BodyRest {
        switch self {
        case .none, .stream: .nothing
        case .bytes(let bytes): offset < bytes.count ? .bytes(bytes, from: offset) : .nothing
        case .file(let file): offset < file.count ? .file(file, offset..<file.count) : .nothing
        case .parts(let parts): parts.rest(at: offset)
        }
    }
}
