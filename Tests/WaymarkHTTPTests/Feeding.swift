import WaymarkHTTP

/// A parser's answer in a form that is easily compared.
enum Verdict: Equatable, CustomStringConvertible {
    case needMore
    case head(Int)
    case status(Int)

    init(_ outcome: RequestParser.Outcome) {
        switch outcome {
        case .needMore: self = .needMore
        case .head(let length): self = .head(length)
        case .reject(let status, _): self = .status(Int(status.code))
        }
    }

    var description: String {
        switch self {
        case .needMore: "needs more"
        case .head(let length): "head of \(length) bytes"
        case .status(let code): "\(code)"
        }
    }
}

/// Gives a request to a parser in pieces that end at `cuts`, as a connection would: the bytes so far, again and again,
/// until there is a verdict.
func feed(
    _ bytes: [UInt8], cutAt cuts: some Sequence<Int> = [], limits: HeadLimits = HeadLimits(),
    into head: RequestHead = RequestHead()
) -> Verdict {
    var parser = RequestParser(limits: limits)
    // Another connection's request has used the same head in between.
    let other = Array("GET /other HTTP/1.1\r\nHost: other\r\nContent-Length: 1\r\nX: y\r\n\r\n".utf8)
    for cut in cuts {
        let received = Array(bytes[..<cut])
        let verdict = Verdict(parser.parse(received.span, into: head))
        if verdict != .needMore { return verdict }
        var otherParser = RequestParser(limits: limits)
        _ = otherParser.parse(other.span, into: head)
    }
    return Verdict(parser.parse(bytes.span, into: head))
}

func feed(_ text: String, into head: RequestHead = RequestHead()) -> Verdict {
    feed(Array(text.utf8), into: head)
}

/// A complete request with a Host field and these further lines.
func request(_ line: String = "GET / HTTP/1.1", _ fields: String...) -> [UInt8] {
    let lines = [line, "Host: go.example.com"] + fields + ["", ""]
    return Array(lines.joined(separator: "\r\n").utf8)
}

/// What an owner of both head and bytes asks: the text of a range.
func text(_ range: ByteRange?, in bytes: [UInt8]) -> String? {
    range.map { String(decoding: bytes[$0.indices], as: UTF8.self) }
}

/// The range of all bytes.
func whole(_ bytes: [UInt8]) -> ByteRange { ByteRange(0, bytes.count) }
