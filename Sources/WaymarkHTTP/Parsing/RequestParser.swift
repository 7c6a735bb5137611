/// Parses HTTP/1.1 request heads (RFC 9112) from input in pieces of any size.
///
/// Strict where leniency has led to request smuggling: lines end with CRLF only, fields are never folded, and the
/// framing must be unambiguous. One value per connection; it stores three offsets and no bytes.
///
///     switch parser.parse(received, into: head) {
///     case .needMore: // keep the bytes, call again with them and what comes next
///     case .head(let length): // `head` describes the first `length` bytes
///     case .reject(let status, let detail): // answer and close
///     }
///
/// A head that arrives in one piece is read once. A split head is read line by line as each line completes, and once
/// more when it is whole: every byte is read at most three times, however it is split.
package struct RequestParser: Sendable {
    package enum Outcome: Equatable {
        /// The head is incomplete, and valid so far.
        case needMore
        /// The head is complete and is the first `length` bytes; the body or the next request follows.
        case head(length: Int)
        /// The request cannot be answered and the connection must be closed. `detail` is for the client's developer
        /// and contains no input of the client.
        case reject(Status, detail: StaticString)

        package static func == (left: Outcome, right: Outcome) -> Bool {
            switch (left, right) {
            case (.needMore, .needMore): true
            case (.head(let left), .head(let right)): left == right
            case (.reject(let left, _), .reject(let right, _)): left == right
            default: false
            }
        }
    }

    private let limits: HeadLimits
    /// Start of the first incomplete line.
    private var lineStart: Int32 = 0
    /// End of that line's part already searched for its end.
    private var searched: Int32 = 0
    /// Start of the header section; 0 while the request line is incomplete.
    private var sectionStart: Int32 = 0
    private var fieldCount: Int32 = 0

    package init(limits: HeadLimits = HeadLimits()) {
        self.limits = limits
    }

    /// Parses one request head at the start of `bytes`.
    ///
    /// - Parameters:
    ///   - bytes: everything received since the last head or body ended: after `.needMore` the same bytes again,
    ///     followed by more.
    ///   - head: filled if the outcome is `.head`, otherwise undefined. Its table must be as large as the parser's
    ///     limit of fields.
    package mutating func parse(_ bytes: Span<UInt8>, into head: RequestHead) -> Outcome {
        precondition(head.capacity >= limits.fieldCount, "the head has a smaller table than the parser's limits allow")
        if searched == 0 { return parseWhole(bytes, into: head) }
        while true {
            switch findLineEnd(bytes) {
            case .needMore:
                if let refusal = overflow(bytes.count) {
                    return reject(refusal, inLineAt: Int(lineStart), bytes, head)
                }
                return .needMore
            case .reject(let refusal):
                return reject(refusal, inLineAt: Int(lineStart), bytes, head)
            case .line(let next):
                if sectionStart != 0 && next == Int(lineStart) + 2 { return parseWhole(bytes, into: head) }
                let start = Int(lineStart)
                if let refusal = checkLine(bytes, into: head) { return reject(refusal, inLineAt: start, bytes, head) }
            }
        }
    }

    /// Discards a partial head.
    private mutating func reset() {
        lineStart = 0
        searched = 0
        sectionStart = 0
        fieldCount = 0
    }

    /// Whether these bytes begin with a request of this method, even a rejected one: the response to a HEAD has no
    /// body, whatever its status (RFC 9110 section 9.3.2).
    package static func begins(_ bytes: Span<UInt8>, with method: Method) -> Bool {
        var position = 0
        while position < bytes.count, bytes[position] == 0x0D || bytes[position] == 0x0A { position += 1 }
        for byte in method.name.utf8 {
            guard position < bytes.count, bytes[position] == byte else { return false }
            position += 1
        }
        return position < bytes.count && bytes[position] == 0x20
    }

    // MARK: Complete heads

    private mutating func parseWhole(_ bytes: Span<UInt8>, into head: RequestHead) -> Outcome {
        reset()
        var position = 0
        var emptyLines = 0
        while position < bytes.count, bytes[position] == 0x0D || bytes[position] == 0x0A {
            if bytes[position] == 0x0A { return reject(.bareLineFeed) }
            guard position + 1 < bytes.count else { return pause(at: position, bytes, head) }
            if bytes[position + 1] != 0x0A { return reject(.bareCarriageReturn) }
            emptyLines += 1
            if emptyLines > limits.emptyLines { return reject(.tooManyEmptyLines) }
            position += 2
        }
        if position == bytes.count { return pause(at: position, bytes, head) }

        var line = RequestHead.Line()
        var requestLine = RequestLine(start: position)
        switch requestLine.scan(bytes, limit: limits.requestLine) {
        case .needMore: return pause(at: position, bytes, head)
        case .reject(let refusal): return reject(refusal, inLineAt: position, bytes, head)
        case .line(let next): position = next
        }
        if let refusal = requestLine.interpret(bytes, into: &line) { return reject(refusal) }

        sectionStart = Int32(truncatingIfNeeded: position)
        var section = HeaderParser(limits: limits)
        switch section.scan(bytes, from: position, into: head) {
        case .needMore:
            fieldCount = Int32(truncatingIfNeeded: section.count)
            return pause(at: section.lineStart, bytes, head)
        case .reject(let refusal): return reject(refusal, inLineAt: section.lineStart, bytes, head)
        case .line(let next): position = next
        }
        if position &- Int(sectionStart) &- 2 > limits.section { return reject(.sectionTooLong) }
        if let refusal = section.finish(bytes, head: head, line: &line) { return reject(refusal) }
        // unsafe because the line is accessed through a pointer to initialized memory of this type.
        unsafe head.line.pointee = line
        reset()
        return .head(length: position)
    }

    /// Stores the start of the incomplete line, in which the input ended.
    private mutating func pause(at start: Int, _ bytes: Span<UInt8>, _ head: RequestHead) -> Outcome {
        lineStart = Int32(truncatingIfNeeded: start)
        // A final CR is examined again together with the byte after it.
        var end = bytes.count
        if end > start, bytes[end - 1] == 0x0D { end -= 1 }
        searched = Int32(truncatingIfNeeded: end)
        if let refusal = overflow(bytes.count) { return reject(refusal, inLineAt: start, bytes, head) }
        return .needMore
    }

    private mutating func reject(_ refusal: ParseError) -> Outcome {
        reset()
        return .reject(refusal.status, detail: refusal.detail)
    }

    /// Rejects the line at `start`, for its length or its content: whichever error comes first byte by byte, because
    /// the result must not depend on how the line was split. Bytes beyond a limit are not examined.
    @inline(never)
    private mutating func reject(
        _ refusal: ParseError, inLineAt start: Int, _ bytes: Span<UInt8>, _ head: RequestHead
    ) -> Outcome {
        let isField = sectionStart != 0
        let lineLimit = start + (isField ? limits.field : limits.requestLine)
        let limit = isField ? min(lineLimit, Int(sectionStart) + limits.section) : lineLimit
        var end = start
        while end <= limit, end < bytes.count, bytes[end] != 0x0D, bytes[end] != 0x0A { end += 1 }
        if end <= limit { return reject(refusal) }
        let seen = bytes.extracting(first: min(limit + 1, bytes.count))
        let outcome: LineOutcome
        if isField {
            var section = HeaderParser(limits: limits, count: Int(fieldCount))
            outcome = section.scan(seen, from: start, into: head, isSingle: true)
        } else {
            var requestLine = RequestLine(start: start)
            outcome = requestLine.scan(seen, limit: limits.requestLine)
        }
        if case .reject(let earlier) = outcome { return reject(earlier) }
        return reject(!isField ? .requestLineTooLong : limit < lineLimit ? .sectionTooLong : .fieldTooLong)
    }

    // MARK: Split heads

    /// Continues the search for the end of the current line.
    private mutating func findLineEnd(_ bytes: Span<UInt8>) -> LineOutcome {
        var position = Int(searched)
        while position < bytes.count {
            let byte = bytes[position]
            if byte == 0x0A { return .reject(.bareLineFeed) }
            if byte == 0x0D {
                guard position + 1 < bytes.count else { break }
                if bytes[position + 1] != 0x0A { return .reject(.bareCarriageReturn) }
                searched = Int32(truncatingIfNeeded: position + 2)
                return .line(next: position + 2)
            }
            position += 1
        }
        searched = Int32(truncatingIfNeeded: position)
        return .needMore
    }

    /// Checks the line that has just become complete, so that an invalid request is rejected early.
    private mutating func checkLine(_ bytes: Span<UInt8>, into head: RequestHead) -> ParseError? {
        let start = Int(lineStart)
        lineStart = searched
        if sectionStart != 0 {
            var section = HeaderParser(limits: limits, count: Int(fieldCount))
            // Errors across lines (a repeated Host, for example) are found when the whole head is parsed.
            let outcome = section.scan(bytes, from: start, into: head, isSingle: true)
            fieldCount = Int32(truncatingIfNeeded: section.count)
            if case .reject(let refusal) = outcome { return refusal }
            return nil
        }
        if Int(searched) == start + 2 {
            // An empty line before the request line: only the first bytes of the input can be one.
            return Int(searched) > limits.emptyLines * 2 ? .tooManyEmptyLines : nil
        }
        var requestLine = RequestLine(start: start)
        if case .reject(let refusal) = requestLine.scan(bytes, limit: limits.requestLine) { return refusal }
        var line = RequestHead.Line()
        if let refusal = requestLine.interpret(bytes, into: &line) { return refusal }
        sectionStart = searched
        return nil
    }

    /// The limit that the incomplete line exceeds, if any.
    private func overflow(_ count: Int) -> ParseError? {
        // The byte after the maximum length may be the CR of a line of exactly that length.
        let length = count - Int(lineStart) - 1
        if sectionStart == 0 { return length > limits.requestLine ? .requestLineTooLong : nil }
        if length > limits.field { return .fieldTooLong }
        // A section of exactly the maximum size, with its empty line, would be complete by now.
        return count - Int(sectionStart) >= limits.section + 2 ? .sectionTooLong : nil
    }
}

/// The result of scanning one line.
enum LineOutcome {
    /// The line is valid and the next one starts at `next`.
    case line(next: Int)
    /// The bytes end within the line.
    case needMore
    case reject(ParseError)
}
