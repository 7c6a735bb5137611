/// Extracts a request body from the input, with either kind of framing (RFC 9112 sections 6 and 7).
///
/// One value per request. It stores no bytes: consumed bytes are never needed again, even if a chunk line was split.
///
///     while true {
///         switch decoder.decode(received) {
///         case .data(let range, let consumed): // the body goes on with `range`
///         case .needMore(let consumed): // all of it; wait for more
///         case .end(let consumed): // what follows is the next request
///         case .reject(let status, let detail): // answer and close
///         }
///     }
package struct BodyDecoder: Sendable {
    package enum Outcome: Equatable {
        /// The body is not complete. All bytes given have been consumed.
        case needMore(consumed: Int)
        /// `range` of the input belongs to the body; call again with the bytes after the consumed ones.
        case data(ByteRange, consumed: Int)
        /// The body is complete, including trailers; the bytes after the consumed ones are not part of it.
        case end(consumed: Int)
        /// The body is malformed or too large; the connection must be closed.
        case reject(Status, detail: StaticString)

        package static func == (left: Outcome, right: Outcome) -> Bool {
            switch (left, right) {
            case (.needMore(let left), .needMore(let right)), (.end(let left), .end(let right)): left == right
            case (.data(let left, let leftEnd), .data(let right, let rightEnd)): left == right && leftEnd == rightEnd
            case (.reject(let left, _), .reject(let right, _)): left == right
            default: false
            }
        }
    }

    private enum State {
        /// Remaining bytes of the body, with Content-Length.
        case length(UInt64)
        /// Between the data of two chunks.
        case chunkLine
        /// Remaining bytes of the chunk.
        case chunkData(UInt64)
        case end
        case failed(ParseError)
    }

    private var state: State
    private var lines: ChunkLines
    /// Remaining bytes of the limit.
    private var quota: UInt64

    /// - Parameters:
    ///   - framing: from the request's head.
    ///   - limit: maximum size of the body in bytes, without chunk lines; a larger Content-Length or chunk is
    ///     rejected with 413 before its data arrives. Default: none.
    ///   - chunkOverhead: maximum overhead of chunked framing in bytes. Default: 16,384 (16 KiB).
    package init(_ framing: BodyFraming, limit: UInt64 = .max, chunkOverhead: Int = ChunkLines.overheadLimit) {
        lines = ChunkLines(overheadLimit: chunkOverhead)
        quota = limit
        switch framing {
        case .none, .length(0): state = .end
        case .length(let length): state = length > limit ? .failed(.bodyTooLarge) : .length(length)
        case .chunked: state = .chunkLine
        }
    }

    /// Whether the whole body has been extracted.
    package var isComplete: Bool {
        if case .end = state { true } else { false }
    }

    /// Extracts the next piece of the body from the start of `bytes`, which may be empty.
    package mutating func decode(_ bytes: Span<UInt8>) -> Outcome {
        var position = 0
        while true {
            switch state {
            case .end:
                return .end(consumed: position)
            case .failed(let refusal):
                return .reject(refusal.status, detail: refusal.detail)
            case .length(let left):
                guard let range = piece(of: left, bytes, at: position) else { return .needMore(consumed: position) }
                let rest = left - UInt64(range.count)
                state = rest == 0 ? .end : .length(rest)
                return .data(range, consumed: Int(range.end))
            case .chunkData(let left):
                guard let range = piece(of: left, bytes, at: position) else { return .needMore(consumed: position) }
                let rest = left - UInt64(range.count)
                state = rest == 0 ? .chunkLine : .chunkData(rest)
                return .data(range, consumed: Int(range.end))
            case .chunkLine:
                if position == bytes.count { return .needMore(consumed: position) }
                switch lines.take(bytes[position]) {
                case .more: break
                case .chunk(let size):
                    if size > quota {
                        state = .failed(.bodyTooLarge)
                        continue
                    }
                    quota -= size
                    state = .chunkData(size)
                case .end: state = .end
                case .reject(let refusal):
                    state = .failed(refusal)
                    continue
                }
                position += 1
            }
        }
    }

    private func piece(of left: UInt64, _ bytes: Span<UInt8>, at position: Int) -> ByteRange? {
        let available = bytes.count - position
        if available == 0 { return nil }
        // Compared as UInt64, because the announced length may not fit into an Int.
        let count = UInt64(available) < left ? available : Int(left)
        return ByteRange(position, position + count)
    }
}

/// The framing of a request body (RFC 9112 section 6).
@usableFromInline
package enum BodyFraming: Sendable, Equatable {
    /// Neither Content-Length nor Transfer-Encoding: there is no body.
    case none
    /// Content-Length, in bytes; may be 0.
    case length(UInt64)
    /// Transfer-Encoding: chunked.
    case chunked
}

extension BodyFraming {
    /// Parses a Content-Length value: digits only, without sign, list or white space; at most 18 digits after leading
    /// zeros, so that it can never overflow.
    static func contentLength(_ bytes: Span<UInt8>, _ range: ByteRange) -> UInt64? {
        if range.isEmpty { return nil }
        var value: UInt64 = 0
        for index in range.indices {
            let digit = bytes[index] &- 0x30
            guard digit < 10, value < 100_000_000_000_000_000 else { return nil }
            value = value &* 10 &+ UInt64(digit)
        }
        return value
    }

    /// The error for a Transfer-Encoding value other than `chunked`.
    ///
    /// A list that ends with `chunked` names unsupported codings (501); for everything else the length of the body is
    /// unknown (400).
    static func transferEncodingRefusal(_ bytes: Span<UInt8>, _ range: ByteRange) -> ParseError {
        var elements = ListElements(range)
        var isLastChunked = false
        var isChunkedBefore = false
        var count = 0
        while let element = elements.next(in: bytes) {
            count += 1
            if isLastChunked { isChunkedBefore = true }
            isLastChunked = WordScan.equalsIgnoringCase(bytes, element, "chunked")
        }
        let isFramed = isLastChunked && !isChunkedBefore && count > 1
        return isFramed ? .unknownTransferEncoding : .malformedTransferEncoding
    }
}
