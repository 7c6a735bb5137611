import Testing
import WaymarkHTTP

/// What a decoder makes of a body.
private enum Decoded: Equatable {
    case body(String, rest: Int)
    case incomplete(String)
    case status(Int)
}

/// Gives a body to a decoder in pieces that end at `cuts`; each piece begins where the last was consumed to.
private func decode(
    _ bytes: [UInt8], _ framing: BodyFraming, limit: UInt64 = .max, cutAt cuts: some Sequence<Int> = []
) -> Decoded {
    var decoder = BodyDecoder(framing, limit: limit)
    var body: [UInt8] = []
    var position = 0
    for end in Array(cuts) + [bytes.count] {
        piece: while true {
            let piece = Array(bytes[position..<end])
            switch decoder.decode(piece.span) {
            case .data(let range, let consumed):
                body += piece[range.indices]
                position += consumed
            case .needMore(let consumed):
                position += consumed
                #expect(position == end, "everything is consumed before more is asked for")
                break piece
            case .end(let consumed):
                #expect(decoder.isComplete)
                return .body(String(decoding: body, as: UTF8.self), rest: bytes.count - position - consumed)
            case .reject(let status, _):
                return .status(Int(status.code))
            }
        }
    }
    return .incomplete(String(decoding: body, as: UTF8.self))
}

/// The same from every way of cutting, or nil where they differ.
private func decodeEveryWay(_ text: String, _ framing: BodyFraming = .chunked, limit: UInt64 = .max) -> Decoded? {
    let bytes = Array(text.utf8)
    let expected = decode(bytes, framing, limit: limit)
    for cut in 0..<bytes.count where decode(bytes, framing, limit: limit, cutAt: [cut]) != expected { return nil }
    return decode(bytes, framing, limit: limit, cutAt: 0..<bytes.count) == expected ? expected : nil
}

@Suite struct BodyDecoderTests {
    @Test func takesAsManyBytesAsContentLengthSays() {
        #expect(decodeEveryWay("hello, world", .length(5)) == .body("hello", rest: 7))
        #expect(decodeEveryWay("hell", .length(5)) == .incomplete("hell"))
        #expect(decodeEveryWay("next", .length(0)) == .body("", rest: 4))
        #expect(decodeEveryWay("next", .none) == .body("", rest: 4))
    }

    @Test func refusesATooLargeContentLengthBeforeAnyOfItComes() {
        #expect(decode([], .length(6), limit: 5) == .status(413))
        #expect(decode([], .length(999_999_999_999_999_999), limit: 5) == .status(413))
        #expect(decodeEveryWay("hello", .length(5), limit: 5) == .body("hello", rest: 0))
    }

    @Test(arguments: [
        ("5\r\nhello\r\n0\r\n\r\n", "hello", 0),
        ("5\r\nhello\r\n7\r\n, world\r\n0\r\n\r\n", "hello, world", 0),
        ("0\r\n\r\n", "", 0), ("000\r\n\r\nGET", "", 3), ("0000000000000005\r\nhello\r\n0\r\n\r\n", "hello", 0),
        ("A\r\n0123456789\r\na\r\n0123456789\r\n0\r\n\r\n", "01234567890123456789", 0),
        ("3\r\n\r\n0\r\n0\r\n\r\nrest", "\r\n0", 4),
        ("5;a\r\nhello\r\n0;b=c\r\n\r\n", "hello", 0), ("5;a=\"b;\\\"\r\u{9}\"\r\nhello\r\n0\r\n\r\n", nil, 0),
        ("5;a=\"b;\\\"\u{9}\";c;d=e\r\nhello\r\n0\r\n\r\n", "hello", 0),
        ("5 ; a = b ; c\r\nhello\r\n0\r\n\r\n", "hello", 0), ("5;caf=\"é\"\r\nhello\r\n0\r\n\r\n", "hello", 0),
        ("0\r\nExpires: never\r\nX:\r\n\r\nrest", "", 4), ("0\r\nContent-Length: 5\r\n\r\nhello", "", 5),
    ])
    func takesChunksApart(_ text: String, _ body: String?, _ rest: Int) {
        #expect(decodeEveryWay(text) == (body.map { .body($0, rest: rest) } ?? .status(400)))
    }

    @Test(arguments: [
        "\r\n", "x\r\n", "0x5\r\nhello", "+5\r\nhello", "-5\r\nhello", "5_0\r\n", " 5\r\nhello", "\t5\r\n",
        "5 \r\nhello",
        "5\t\r\n", "5 5\r\n", "5\nhello\r\n", "5\rhello", "5\r\rhello", "5\r\nhello\n0\r\n\r\n", "5\r\nhello0\r\n\r\n",
        "5\r\nhello\r0\r\n\r\n", "5\r\nhello\r\r\n", "5\r\nhello!\r\n0\r\n\r\n", "5\r\nhell\r\n0\r\n\r\n",
        "00000000000000005\r\nhello", "10000000000000000\r\n", "FFFFFFFFFFFFFFFFF\r\n", "5;\r\nhello", "5;;a\r\n",
        "5;=b\r\n", "5;a=\r\n", "5;a b\r\n", "5;a=b c\r\n", "5;a=\"b\r\n", "5;a=\"b\"c\r\n", "5;a=\"\u{1}\"\r\n",
        "5;a\nhello",
        "5;a\n\r\n", "5;a=b\n", "5;a ;\r\n", "5;a \r\n", "5;a=b \r\n", "5;a= \r\n", "5;a=\"b\" \r\n", "5;a\u{0}\r\n",
        "5,a\r\n", "0\r\n\n", "0\n\r\n", "0\r\n\r\r", "0\r\nX\r\n\r\n", "0\r\n: y\r\n", "0\r\nX : y\r\n",
        "0\r\n X: y\r\n",
        "0\r\nX: y\r\n z\r\n", "0\r\nX: y\n\r\n", "0\r\nX: \u{0}\r\n", "0\r\nX: y\r\r\n", "0\r\nX(: y\r\n",
        "5\r\nhello\r\n\r\n0\r\n\r\n", "GET / HTTP/1.1\r\n",
    ])
    func refusesMalformedChunks(_ text: String) {
        #expect(decodeEveryWay(text) == .status(400))
    }

    @Test func refusesAChunkBeyondTheLimitBeforeItsDataComes() {
        #expect(decodeEveryWay("5\r\nhello\r\n0\r\n\r\n", limit: 5) == .body("hello", rest: 0))
        #expect(decodeEveryWay("6\r\n", limit: 5) == .status(413))
        #expect(decodeEveryWay("5\r\nhello\r\n1\r\n", limit: 5) == .status(413))
        #expect(decodeEveryWay("FFFFFFFFFFFFFFFF\r\n", limit: 5) == .status(413))
    }

    @Test func doesNotOverflowOnTheLargestChunks() {
        #expect(decodeEveryWay("FFFFFFFFFFFFFFFF\r\nabc") == .incomplete("abc"))
        #expect(decodeEveryWay("1\r\na\r\nFFFFFFFFFFFFFFFF\r\nabc") == .status(413))
    }

    @Test func limitsTheExtensionsOfOneLine() {
        let fitting = "5;" + String(repeating: "a", count: 255) + "\r\nhello\r\n0\r\n\r\n"
        #expect(decode(Array(fitting.utf8), .chunked) == .body("hello", rest: 0))
        let tooLong = "5;" + String(repeating: "a", count: 256) + "\r\nhello\r\n0\r\n\r\n"
        #expect(decode(Array(tooLong.utf8), .chunked) == .status(400))
        let endless = "5" + String(repeating: " ", count: 1_000)
        #expect(decode(Array(endless.utf8), .chunked) == .status(400))
    }

    @Test func limitsTheExtensionsOfAWholeBody() {
        let chunk = "1;" + String(repeating: "a", count: 255) + "\r\nx\r\n"
        let fitting = String(repeating: chunk, count: 64) + "0\r\n\r\n"
        #expect(decode(Array(fitting.utf8), .chunked) == .body(String(repeating: "x", count: 64), rest: 0))
        let tooLong = String(repeating: chunk, count: 64) + "0;a\r\n\r\n"
        #expect(decode(Array(tooLong.utf8), .chunked) == .status(400))
    }

    @Test func limitsTheTrailers() {
        let lines = String(repeating: "X: y\r\n", count: 64)
        #expect(decode(Array("0\r\n\(lines)\r\n".utf8), .chunked) == .body("", rest: 0))
        #expect(decode(Array("0\r\n\(lines)X: y\r\n\r\n".utf8), .chunked) == .status(400))
        let fitting = "X: " + String(repeating: "y", count: 8_192 - 5) + "\r\n"
        #expect(decode(Array("0\r\n\(fitting)\r\n".utf8), .chunked) == .body("", rest: 0))
        let tooLong = "X: " + String(repeating: "y", count: 8_193 - 5) + "\r\n"
        #expect(decode(Array("0\r\n\(tooLong)\r\n".utf8), .chunked) == .status(400))
    }

    @Test func staysRefusedOnceItIs() {
        var decoder = BodyDecoder(.chunked)
        let bad = Array("zz".utf8)
        let good = Array("0\r\n\r\n".utf8)
        #expect(decoder.decode(bad.span) == .reject(.badRequest, detail: ""))
        #expect(decoder.decode(good.span) == .reject(.badRequest, detail: ""))
        #expect(!decoder.isComplete)
    }

    @Test func takesNothingBehindTheEnd() {
        var decoder = BodyDecoder(.length(2))
        let bytes = Array("abc".utf8)
        #expect(decoder.decode(bytes.span) == .data(ByteRange(0, 2), consumed: 2))
        #expect(decoder.decode(bytes.span) == .end(consumed: 0))
        #expect(decoder.decode(bytes.span) == .end(consumed: 0))
    }
}
