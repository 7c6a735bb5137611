/// Parses a `multipart/form-data` body (RFC 7578) in pieces, however they are split. The work is linear in the body's
/// length. It holds at most one header section; the content of parts is passed on as it arrives.
package struct MultipartParser: Sendable {
    package enum Event: Equatable {
        case part(MultipartHeader)
        /// The next bytes of the current part; not empty.
        case data(ArraySlice<UInt8>)
        case endOfPart
    }

    package struct Failure: Error, Sendable, Equatable, CustomStringConvertible {
        /// What is wrong with the body, to follow "The form can't be read: ".
        package let description: String
    }

    /// Parts of one body.
    package static let partLimit = 200
    /// Bytes of one part's header section.
    package static let headerLimit = 8_192
    /// Spaces between a boundary and its line end (RFC 2046 section 5.1.1).
    private static let paddingLimit = 64

    private enum State {
        /// Before the first boundary: ignored.
        case preamble
        case content
        /// Behind a boundary: the padding so far, and whether a CR came.
        case boundary(padding: Int, hasReturn: Bool)
        /// Behind a boundary and its first hyphen.
        case closing
        case header
        /// Behind the closing boundary: ignored.
        case epilogue
    }

    /// CRLF, two hyphens and the boundary. No other byte of it is a CR, so a match that fails can only begin again with
    /// the byte that failed.
    private let delimiter: [UInt8]
    private var state = State.preamble
    /// How many bytes of the delimiter the input ends with.
    private var matched: Int
    /// How many of them belong to no content if the match fails: the line end before the first boundary, or of a header.
    private var implied = 2
    private var header: [UInt8] = []
    private var parts = 0

    /// - Parameter boundary: see `MultipartBoundary`.
    package init(boundary: MultipartBoundary) {
        delimiter = [0x0D, 0x0A, 0x2D, 0x2D] + boundary.bytes
        // The first boundary may begin the body, without a line end before it.
        matched = 2
    }

    /// Parses the next piece of the body. The data of its events is part of the piece wherever possible.
    package mutating func parse(_ bytes: [UInt8]) throws(Failure) -> [Event] {
        var events: [Event] = []
        var position = 0
        while position < bytes.count {
            switch state {
            case .epilogue: return events
            case .preamble, .content: takeContent(bytes, &position, &events)
            case .boundary, .closing:
                try takeBoundary(bytes[position])
                position += 1
            case .header:
                try takeHeader(bytes[position], &events)
                position += 1
            }
        }
        return events
    }

    /// The body has no further bytes.
    package func end() throws(Failure) {
        guard case .epilogue = state else { throw Failure(description: "it ends before its last boundary") }
    }

    // MARK: Content

    private mutating func takeContent(_ bytes: [UInt8], _ position: inout Int, _ events: inout [Event]) {
        let start = position
        // Bytes of the delimiter that came with earlier pieces: content, if the match fails.
        var held = matched
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if matched > 0 {
                if byte == delimiter[matched] {
                    matched += 1
                    guard matched == delimiter.count else { continue }
                    pass(bytes[start..<position - (matched - held)], &events)
                    if case .content = state { events.append(.endOfPart) }
                    matched = 0
                    state = .boundary(padding: 0, hasReturn: false)
                    return
                }
                pass(delimiter[min(implied, held)..<held], &events)
                (held, implied, matched) = (0, 0, 0)
            }
            if byte == 0x0D { matched = 1 }
        }
        pass(bytes[start..<position - (matched - held)], &events)
    }

    private func pass(_ data: ArraySlice<UInt8>, _ events: inout [Event]) {
        guard case .content = state, !data.isEmpty else { return }
        events.append(.data(data))
    }

    // MARK: Boundaries and headers

    private mutating func takeBoundary(_ byte: UInt8) throws(Failure) {
        switch (state, byte) {
        case (.boundary(padding: 0, hasReturn: false), 0x2D): state = .closing
        case (.closing, 0x2D): state = .epilogue
        case (.boundary(let padding, hasReturn: false), 0x20), (.boundary(let padding, hasReturn: false), 0x09):
            guard padding < Self.paddingLimit else {
                throw Failure(description: "a boundary is followed by too many spaces")
            }
            state = .boundary(padding: padding + 1, hasReturn: false)
        case (.boundary(let padding, hasReturn: false), 0x0D): state = .boundary(padding: padding, hasReturn: true)
        case (.boundary(_, hasReturn: true), 0x0A):
            guard parts < Self.partLimit else {
                throw Failure(description: "it has more than \(Self.partLimit) parts")
            }
            parts += 1
            state = .header
        default: throw Failure(description: "a boundary is not followed by a line end")
        }
    }

    private mutating func takeHeader(_ byte: UInt8, _ events: inout [Event]) throws(Failure) {
        guard header.count < Self.headerLimit else {
            throw Failure(description: "the header of a part is longer than \(Self.headerLimit) bytes")
        }
        header.append(byte)
        guard byte == 0x0A, header.count == 2 || header.suffix(4).elementsEqual([0x0D, 0x0A, 0x0D, 0x0A]) else {
            return
        }
        events.append(.part(try MultipartHeader(header.dropLast(2))))
        header = []
        state = .content
        // The boundary of an empty part follows the line end of its header.
        (matched, implied) = (2, 2)
    }
}
