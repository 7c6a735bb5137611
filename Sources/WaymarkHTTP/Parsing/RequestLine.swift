import WaymarkBytes

/// Reads a request line (RFC 9112 section 3): first its syntax up to the CRLF, then what it means.
///
/// Two steps, so that the result does not depend on how the line was split: syntax errors (400) take precedence over
/// unsupported features (501, 505).
struct RequestLine {
    private let start: Int
    private var method = ByteRange.empty
    private var target = ByteRange.empty
    /// Offset of the first `?`, or -1.
    private var question = -1
    private var isPathEncoded = false
    private var major: UInt8 = 0
    private var minor: UInt8 = 0

    init(start: Int) {
        self.start = start
    }

    // MARK: Syntax

    @inline(__always)
    mutating func scan(_ bytes: Span<UInt8>, limit: Int) -> LineOutcome {
        let count = bytes.count
        var position = start
        while position < count, ASCIISet.token.contains(bytes[position]) { position &+= 1 }
        if position == count { return .needMore }
        if position == start || bytes[position] != 0x20 {
            return .reject(lineBreak(bytes[position]) ?? .malformedMethod)
        }
        method = ByteRange(start, position)
        position &+= 1

        let targetStart = position
        scan: while true {
            position = WordScan.firstTargetMark(bytes, from: position)
            if position == count { return .needMore }
            switch bytes[position] {
            case 0x20: break scan
            case UInt8(ascii: "?"): if question < 0 { question = position }
            case UInt8(ascii: "%"): if question < 0 { isPathEncoded = true }
            case UInt8(ascii: "#"): return .reject(.fragmentInTarget)
            case let byte: return .reject(lineBreak(byte) ?? .malformedTarget)
            }
            position &+= 1
        }
        if position == targetStart { return .reject(.malformedRequestLine) }
        target = ByteRange(targetStart, position)
        position &+= 1

        // "HTTP/" DIGIT "." DIGIT CRLF
        if position &+ 10 <= count {
            guard WordScan.equals(bytes, at: position, "HTTP/"), bytes[position &+ 6] == UInt8(ascii: ".") else {
                return .reject(.malformedVersion)
            }
            major = bytes[position &+ 5] &- 0x30
            minor = bytes[position &+ 7] &- 0x30
            if major > 9 || minor > 9 { return .reject(.malformedVersion) }
            if bytes[position &+ 8] != 0x0D {
                return .reject(bytes[position &+ 8] == 0x0A ? .bareLineFeed : .malformedVersion)
            }
            if bytes[position &+ 9] != 0x0A { return .reject(.bareCarriageReturn) }
            if position &+ 8 &- start > limit { return .reject(.requestLineTooLong) }
            return .line(next: position &+ 10)
        }
        // Split within the version, or too short: a line feed decides which.
        while position < count {
            if bytes[position] == 0x0A { return .reject(.malformedVersion) }
            if bytes[position] == 0x0D, position &+ 1 < count, bytes[position &+ 1] != 0x0A {
                return .reject(.bareCarriageReturn)
            }
            position &+= 1
        }
        return .needMore
    }

    private func lineBreak(_ byte: UInt8) -> ParseError? {
        switch byte {
        case 0x0A: .bareLineFeed
        case 0x0D: .malformedRequestLine
        default: nil
        }
    }

    // MARK: Semantics

    @inline(__always)
    func interpret(_ bytes: Span<UInt8>, into line: inout RequestHead.Line) -> ParseError? {
        if major != 1 { return major == 0 ? .malformedVersion : .unsupportedVersion }
        switch MethodToken(bytes, method) {
        case .known(let method): line.method = method
        case .forbidden: return .forbiddenMethod
        case .unknown: return .unknownMethod
        }
        line.version = minor == 0 ? 0 : 1
        line.target = target
        let pathEnd = question < 0 ? Int(target.end) : question
        if question >= 0 { line.query = ByteRange(question &+ 1, Int(target.end)) }

        if bytes[Int(target.start)] == UInt8(ascii: "/") {
            line.path = ByteRange(Int(target.start), pathEnd)
        } else if let refusal = interpretOtherForm(bytes, pathEnd: pathEnd, into: &line) {
            return refusal
        }
        line.isPathEncoded = isPathEncoded
        return isPathEncoded ? checkPercentEncoding(bytes, line.path) : nil
    }

    /// A target other than a path: `*` or a whole URL.
    private func interpretOtherForm(
        _ bytes: Span<UInt8>, pathEnd: Int, into line: inout RequestHead.Line
    ) -> ParseError? {
        let targetStart = Int(target.start)
        if target.count == 1, bytes[targetStart] == UInt8(ascii: "*") {
            line.isAsterisk = true
            return line.method == .options ? nil : .asteriskTarget
        }
        var position: Int
        if target.count >= 7, WordScan.hasPrefix(bytes, at: targetStart, "http://") {
            position = targetStart + 7
        } else if target.count >= 8, WordScan.hasPrefix(bytes, at: targetStart, "https://") {
            position = targetStart + 8
        } else {
            return .unknownScheme
        }
        let authorityStart = position
        while position < pathEnd, bytes[position] != UInt8(ascii: "/") {
            if bytes[position] == UInt8(ascii: "@") { return .userInformation }
            position += 1
        }
        guard let authority = Authority(bytes, ByteRange(authorityStart, position)) else { return .malformedAuthority }
        line.isAbsolute = true
        line.host = authority.host
        line.port = authority.port
        line.path = ByteRange(position, pathEnd)
        return nil
    }

    private func checkPercentEncoding(_ bytes: Span<UInt8>, _ path: ByteRange) -> ParseError? {
        var position = Int(path.start)
        let end = Int(path.end)
        while position < end {
            if bytes[position] != UInt8(ascii: "%") {
                position += 1
                continue
            }
            guard position + 2 < end, let high = bytes[position + 1].hexadecimalValue,
                let low = bytes[position + 2].hexadecimalValue
            else { return .malformedPercentEncoding }
            if high == 0 && low == 0 { return .nulInPath }
            position += 3
        }
        return nil
    }
}
