import WaymarkBytes

/// Reads the field lines of a request (RFC 9112 section 5) and decides what they mean for its framing (section 6), its
/// host (section 3.2) and its connection (section 9).
struct HeaderParser {
    private let limits: HeadLimits
    private(set) var count: Int
    /// Start of the line that was parsed last.
    private(set) var lineStart = 0
    private var present: UInt64 = 0
    private var repeated: UInt64 = 0

    init(limits: HeadLimits, count: Int = 0) {
        self.limits = limits
        self.count = count
    }

    /// Parses lines from `start` on into the table, up to the empty line at the end of the section.
    ///
    /// - Parameter isSingle: whether to parse one line only. Default: false.
    /// - Returns: the end of the section, or of the single line; `.needMore` leaves `lineStart` at the incomplete
    ///   line.
    mutating func scan(
        _ bytes: Span<UInt8>, from start: Int, into head: RequestHead, isSingle: Bool = false
    ) -> LineOutcome {
        let end = bytes.count
        var lineStart = start
        // Local copies, so that they stay in registers.
        var count = count
        var present = present
        var repeated = repeated
        defer {
            self.lineStart = lineStart
            self.count = count
            self.present = present
            self.repeated = repeated
        }
        while lineStart < end {
            // Searches for the colon first: the characters of a known name need no further check.
            var colon = WordScan.nearColon(bytes, from: lineStart)
            if colon < 0 {
                // No name of up to 32 characters, or too near the end of the bytes for word loads.
                switch scanName(bytes, at: lineStart) {
                case .line(let next):
                    if bytes[lineStart] == 0x0D { return .line(next: next) }
                    colon = next
                case let other: return other
                }
            }
            let known = RequestField(bytes, start: lineStart, count: colon &- lineStart)
            if known == nil {
                switch scanName(bytes, at: lineStart) {
                case .line(let next):
                    if bytes[lineStart] == 0x0D { return .line(next: next) }
                    colon = next
                case let other: return other
                }
            }

            var valueStart = colon &+ 1
            while valueStart < end, bytes[valueStart].isBlank { valueStart &+= 1 }
            var position = WordScan.firstControl(bytes, from: valueStart)
            while position < end, bytes[position] == 0x09 {
                position = WordScan.firstControl(bytes, from: position &+ 1)
            }
            guard position < end else { return .needMore }
            if bytes[position] != 0x0D {
                return .reject(bytes[position] == 0x0A ? .bareLineFeed : .malformedFieldValue)
            }
            guard position &+ 1 < end else { return .needMore }
            if bytes[position &+ 1] != 0x0A { return .reject(.bareCarriageReturn) }
            if position &- lineStart > limits.field { return .reject(.fieldTooLong) }
            if count >= limits.fieldCount { return .reject(.tooManyFields) }

            let next = position &+ 2
            while position > valueStart, bytes[position &- 1].isBlank { position &-= 1 }
            let value = ByteRange(valueStart, position)
            // unsafe because both tables are accessed through pointers: `count` is below the limit, which the parser
            // has checked against the first one's size, and a raw value is always below the number of cases, the
            // second one's size.
            unsafe head.fields[count] = .init(name: ByteRange(lineStart, colon), value: value, known: known)
            if let known {
                if present & known.bit == 0 {
                    present |= known.bit
                    unsafe head.known[Int(known.rawValue)] = value
                } else {
                    repeated |= known.bit
                }
            }
            count &+= 1
            lineStart = next
            if isSingle { return .line(next: next) }
        }
        return .needMore
    }

    /// Validates the characters of an unknown name; `next` is then the offset of its colon. For the empty line at the
    /// end of the section `next` is the offset after it.
    private func scanName(_ bytes: Span<UInt8>, at start: Int) -> LineOutcome {
        var position = start
        while position < bytes.count, ASCIISet.token.contains(bytes[position]) { position &+= 1 }
        if position == bytes.count { return .needMore }
        let byte = bytes[position]
        if byte == UInt8(ascii: ":") { return position == start ? .reject(.emptyFieldName) : .line(next: position) }
        if byte == 0x0A { return .reject(.bareLineFeed) }
        if byte == 0x0D {
            if position &+ 1 == bytes.count { return .needMore }
            if bytes[position &+ 1] != 0x0A { return .reject(.bareCarriageReturn) }
            return position == start ? .line(next: start &+ 2) : .reject(.malformedFieldName)
        }
        return .reject(position == start && byte.isBlank ? .foldedField : .malformedFieldName)
    }

    // MARK: Semantics

    /// Evaluates the fields as a whole, after the empty line.
    @inline(__always)
    func finish(_ bytes: Span<UInt8>, head: RequestHead, line: inout RequestHead.Line) -> ParseError? {
        line.fieldCount = Int32(truncatingIfNeeded: count)
        line.present = present
        line.repeated = repeated
        if let refusal = decideHost(bytes, head, &line) { return refusal }
        if present & (RequestField.contentLength.bit | RequestField.transferEncoding.bit) != 0 {
            if let refusal = decideFraming(bytes, head, &line) { return refusal }
        }
        line.keepsAlive = line.version == 1
        if has(.connection) { decideConnection(bytes, head, &line) }
        if has(.expect) { return decideExpectation(bytes, head, &line) }
        return nil
    }

    @inline(__always)
    private func has(_ field: RequestField) -> Bool { present & field.bit != 0 }

    @inline(__always)
    private func isRepeated(_ field: RequestField) -> Bool { repeated & field.bit != 0 }

    @inline(__always)
    private func value(_ field: RequestField, _ head: RequestHead) -> ByteRange {
        // unsafe because the table is accessed through a pointer; it has an entry for every case.
        unsafe head.known[Int(field.rawValue)]
    }

    @inline(__always)
    private func decideHost(_ bytes: Span<UInt8>, _ head: RequestHead, _ line: inout RequestHead.Line) -> ParseError? {
        if !has(.host) { return line.version == 1 ? .missingHost : nil }
        if isRepeated(.host) { return .repeatedHost }
        guard let authority = Authority(bytes, value(.host, head)) else { return .malformedHost }
        // RFC 9112 section 3.2.2: an absolute target's authority replaces the field, which must still be valid.
        if !line.isAbsolute {
            line.host = authority.host
            line.port = authority.port
        }
        return nil
    }

    private func decideFraming(_ bytes: Span<UInt8>, _ head: RequestHead, _ line: inout RequestHead.Line) -> ParseError?
    {
        if has(.transferEncoding) {
            if has(.contentLength) { return .lengthAndTransferEncoding }
            if line.version == 0 { return .transferEncodingInOldVersion }
            if isRepeated(.transferEncoding) { return .repeatedTransferEncoding }
            let value = value(.transferEncoding, head)
            guard WordScan.equalsIgnoringCase(bytes, value, "chunked") else {
                return BodyFraming.transferEncodingRefusal(bytes, value)
            }
            line.framing = .chunked
            return nil
        }
        if isRepeated(.contentLength) { return .repeatedContentLength }
        guard let length = BodyFraming.contentLength(bytes, value(.contentLength, head)) else {
            return .malformedContentLength
        }
        line.framing = .length(length)
        return nil
    }

    private func decideConnection(_ bytes: Span<UInt8>, _ head: RequestHead, _ line: inout RequestHead.Line) {
        if !isRepeated(.connection) {
            let value = value(.connection, head)
            if WordScan.equalsIgnoringCase(bytes, value, "keep-alive") {
                line.keepsAlive = true
                return
            }
        }
        var asksToClose = false
        var asksToKeep = false
        for position in 0..<count {
            // unsafe because the table is accessed through a pointer; the first `count` entries are initialized.
            let field = unsafe head.fields[position]
            guard field.known == .connection else { continue }
            var elements = ListElements(field.value)
            while let element = elements.next(in: bytes) {
                if WordScan.equalsIgnoringCase(bytes, element, "close") { asksToClose = true }
                if WordScan.equalsIgnoringCase(bytes, element, "keep-alive") { asksToKeep = true }
            }
        }
        line.keepsAlive = !asksToClose && (line.version == 1 || asksToKeep)
    }

    private func decideExpectation(
        _ bytes: Span<UInt8>, _ head: RequestHead, _ line: inout RequestHead.Line
    ) -> ParseError? {
        // RFC 9110 section 10.1.1: Expect is ignored in HTTP/1.0 requests.
        if line.version == 0 { return nil }
        for position in 0..<count {
            // unsafe because the table is accessed through a pointer; the first `count` entries are initialized.
            let field = unsafe head.fields[position]
            if field.known == .expect, !WordScan.equalsIgnoringCase(bytes, field.value, "100-continue") {
                return .unknownExpectation
            }
        }
        switch line.framing {
        case .none, .length(0): line.expectsContinue = false
        case .length, .chunked: line.expectsContinue = true
        }
        return nil
    }
}
