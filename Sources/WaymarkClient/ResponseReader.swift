import WaymarkBytes
import WaymarkHTTP

/// Reads one response (RFC 9112), byte by byte as it comes: for this program's own questions to
/// servers. What it holds is bounded, and what it can't read is an error, never a guess.
package struct ResponseReader: Sendable {
    package enum Failure: Error, Sendable, Equatable {
        /// The bytes are not an HTTP/1 response.
        case malformed(StaticString)
        /// The connection ended before the response did.
        case incomplete
        /// The head or the body exceeds its limit.
        case tooLarge

        package static func == (left: Failure, right: Failure) -> Bool {
            switch (left, right) {
            case (.malformed, .malformed), (.incomplete, .incomplete), (.tooLarge, .tooLarge): true
            default: false
            }
        }
    }

    private enum State {
        case head
        case body(BodyDecoder)
        case bodyToEnd
        case done
    }

    /// Bytes of the status line and the fields, of all heads if the server sends interim responses.
    private static let headLimit = 65_536

    private let bodyLimit: Int
    private let isToHead: Bool
    private var state = State.head
    private var head: [UInt8] = []
    private var headBytes = 0
    private var response = HTTPResponse(status: 0)
    /// Bytes behind the response: the beginning of the next one.
    package private(set) var leftover: [UInt8] = []

    /// - Parameters:
    ///   - bodyLimit: maximum bytes of a body.
    ///   - isToHead: whether the request is a HEAD, so that no body follows.
    package init(bodyLimit: Int, isToHead: Bool = false) {
        self.bodyLimit = bodyLimit
        self.isToHead = isToHead
    }

    /// Consumes input; returns the response once it is complete.
    package mutating func take(_ bytes: [UInt8]) throws(Failure) -> HTTPResponse? {
        var rest = bytes[...]
        while true {
            switch state {
            case .head:
                guard try takeHead(&rest) else { return nil }
            case .body(var decoder):
                try takeBody(&decoder, &rest)
                guard case .done = state else {
                    state = .body(decoder)
                    return nil
                }
            case .bodyToEnd:
                try append(rest)
                return nil
            case .done:
                leftover = Array(rest)
                return response
            }
        }
    }

    /// The peer sends nothing more.
    package mutating func end() throws(Failure) -> HTTPResponse {
        switch state {
        case .bodyToEnd, .done: return response
        case .head, .body: throw .incomplete
        }
    }

    /// The received part of a response with an incomplete body; nil if the head is incomplete too.
    package var partial: HTTPResponse? {
        if case .head = state { nil } else { response }
    }

    /// Whether any byte of it came.
    package var hasBegun: Bool { headBytes > 0 }

    // MARK: The head

    /// True once a head is complete.
    private mutating func takeHead(_ rest: inout ArraySlice<UInt8>) throws(Failure) -> Bool {
        while let byte = rest.popFirst() {
            headBytes += 1
            guard headBytes <= Self.headLimit else { throw .tooLarge }
            head.append(byte)
            guard byte == UInt8(ascii: "\n"), head.hasSuffix("\r\n\r\n") else { continue }
            let lines = head.dropLast(4).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            head = []
            try read(lines)
            return true
        }
        return false
    }

    private mutating func read(_ lines: [ArraySlice<UInt8>]) throws(Failure) {
        var fields: [(name: String, value: String)] = []
        let status = try Self.status(Self.line(lines[0], isLast: lines.count == 1))
        for (position, line) in lines.enumerated().dropFirst() {
            fields.append(try Self.field(Self.line(line, isLast: position == lines.count - 1)))
        }
        guard status != 101 else { throw .malformed("it switches protocols without being asked to") }
        // An interim response; the final one follows.
        guard status >= 200 else { return }
        response.status = status
        response.fields = fields
        // The status is known even if the body is too large.
        state = .bodyToEnd
        state = try framing()
    }

    /// Without the carriage return at its end; the last line has lost it with the empty line.
    private static func line(_ line: ArraySlice<UInt8>, isLast: Bool) throws(Failure) -> ArraySlice<UInt8> {
        var line = line
        if !isLast, line.popLast() != UInt8(ascii: "\r") { throw .malformed("a line of its head ends with a bare LF") }
        guard !line.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) else {
            throw .malformed("its head holds a control character")
        }
        return line
    }

    /// `HTTP/1.1 200 OK`; the reason phrase may be absent.
    private static func status(_ line: ArraySlice<UInt8>) throws(Failure) -> Int {
        let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, parts[0].elementsEqual("HTTP/1.1".utf8) || parts[0].elementsEqual("HTTP/1.0".utf8),
            parts[1].count == 3, parts[1].allSatisfy({ (0x30...0x39).contains($0) })
        else { throw .malformed("it does not begin with a status line of HTTP/1") }
        let status = parts[1].reduce(0) { $0 * 10 + Int($1 - 0x30) }
        guard (100...599).contains(status) else { throw .malformed("its status code is outside 100 to 599") }
        return status
    }

    private static func field(_ line: ArraySlice<UInt8>) throws(Failure) -> (name: String, value: String) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
            line[..<colon].allSatisfy({ ASCIISet.token.contains($0) })
        else { throw .malformed("a line of its head is not a header field") }
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        var value = line[line.index(after: colon)...].drop(while: isSpace)
        while let last = value.last, isSpace(last) { value.removeLast() }
        return (text(line[..<colon]), text(value))
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var text = ""
        for byte in bytes { text.unicodeScalars.append(UnicodeScalar(byte)) }
        return text
    }

    // MARK: The body

    /// RFC 9112 section 6.3.
    private func framing() throws(Failure) -> State {
        if isToHead || response.status == 204 || response.status == 304 { return .done }
        func values(_ name: String) -> [String] {
            response.fields.filter { $0.name.lowercased() == name }.map { $0.value.lowercased() }
        }
        let codings = values("transfer-encoding")
        let lengths = Set(values("content-length"))
        if !codings.isEmpty {
            guard codings == ["chunked"] else { throw .malformed("its transfer coding is not known") }
            guard lengths.isEmpty else { throw .malformed("it has both Transfer-Encoding and Content-Length") }
            return .body(BodyDecoder(.chunked, limit: UInt64(clamping: bodyLimit)))
        }
        guard let text = lengths.first else { return .bodyToEnd }
        guard lengths.count == 1, !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let length = UInt64(text)
        else { throw .malformed("its Content-Length is not one number") }
        guard length <= UInt64(clamping: bodyLimit) else { throw .tooLarge }
        return length == 0 ? .done : .body(BodyDecoder(.length(length)))
    }

    private mutating func takeBody(_ decoder: inout BodyDecoder, _ rest: inout ArraySlice<UInt8>) throws(Failure) {
        let piece = Array(rest)
        var offset = 0
        while true {
            switch decoder.decode(piece.span.extracting(offset..<piece.count)) {
            case .data(let range, let consumed):
                try append(piece[(offset + range.indices.lowerBound)..<(offset + range.indices.upperBound)])
                offset += consumed
                rest = piece[offset...]
            case .needMore: return
            case .end(let consumed):
                rest = piece[(offset + consumed)...]
                state = .done
                return
            case .reject(.contentTooLarge, _): throw .tooLarge
            case .reject: throw .malformed("its chunks can't be read")
            }
        }
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>) throws(Failure) {
        guard response.body.count + bytes.count <= bodyLimit else { throw .tooLarge }
        response.body += bytes
    }
}

extension [UInt8] {
    fileprivate func hasSuffix(_ text: StaticString) -> Bool {
        suffix(text.utf8CodeUnitCount).elementsEqual(String(describing: text).utf8)
    }
}
