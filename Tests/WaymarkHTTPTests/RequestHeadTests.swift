import Testing
import WaymarkHTTP

@Suite struct RequestHeadTests {
    /// The names on the wire, in the order of `RequestField.allCases`.
    static let names = [
        "Accept", "Accept-Encoding", "Accept-Language", "Access-Control-Request-Headers",
        "Access-Control-Request-Method", "Authorization", "Cache-Control", "Connection", "Content-Encoding",
        "Content-Length", "Content-Type", "Cookie", "Date", "DNT", "Early-Data", "Expect", "Forwarded", "Host",
        "Idempotency-Key", "If-Match", "If-Modified-Since", "If-None-Match", "If-Range", "If-Unmodified-Since",
        "Keep-Alive", "Origin", "Pragma", "Priority", "Purpose", "Range", "Referer", "Sec-CH-UA", "Sec-CH-UA-Mobile",
        "Sec-CH-UA-Model", "Sec-CH-UA-Platform", "Sec-Fetch-Dest", "Sec-Fetch-Mode", "Sec-Fetch-Site",
        "Sec-Fetch-User", "Sec-GPC", "Sec-Purpose", "TE", "traceparent", "Trailer", "Transfer-Encoding", "Upgrade",
        "Upgrade-Insecure-Requests", "User-Agent", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto",
        "X-Moz", "X-Purpose", "X-Real-IP", "X-Requested-With",
    ]

    /// A value that is valid for the field.
    static func value(for field: RequestField) -> String {
        switch field {
        case .contentLength: "7"
        case .transferEncoding: "chunked"
        case .expect: "100-continue"
        default: "v"
        }
    }

    @Test func `every known field has a name`() {
        #expect(Self.names.count == RequestField.allCases.count)
    }

    @Test(arguments: zip(RequestField.allCases, names))
    func findsTheFieldInAnyCaseAndPlace(_ field: RequestField, _ name: String) {
        let value = Self.value(for: field)
        let host = field == .host ? [] : ["Host: v"]
        for name in [name, name.lowercased(), name.uppercased()] {
            for lines in [
                ["\(name):\(value)"] + host, host + ["\(name):\(value)"], host + ["\(name): \(value)", "Zz: 1"],
            ] {
                let bytes = Array((["GET / HTTP/1.1"] + lines + ["", ""]).joined(separator: "\r\n").utf8)
                let head = RequestHead()
                #expect(feed(bytes, into: head) == .head(bytes.count), "\(lines)")
                #expect(text(head.value(field), in: bytes) == value, "\(lines)")
                #expect(!head.isRepeated(field))
                let others = RequestField.allCases.filter { $0 != field && $0 != .host }
                #expect(others.allSatisfy { head.value($0) == nil })
            }
        }
    }

    @Test(arguments: names)
    func takesNoNameForAFieldThatDiffersInOneCharacter(_ name: String) {
        for offset in 0..<name.utf8.count {
            var changed = Array(name.utf8)
            // Another token character, whose bits differ in the place that folding to lower case touches.
            changed[offset] = changed[offset] == UInt8(ascii: "-") ? UInt8(ascii: "+") : UInt8(ascii: "!")
            let line = String(decoding: changed, as: UTF8.self)
            let head = RequestHead()
            let bytes = request("GET / HTTP/1.1", "\(line): v")
            #expect(feed(bytes, into: head) == .head(bytes.count))
            #expect(head.field(at: 1).known == nil, "\(line)")
        }
    }

    @Test func givesTheFirstValueOfARepeatedField() {
        let bytes = request("GET / HTTP/1.1", "X-Forwarded-For: a", "X: y", "x-forwarded-for: b")
        let head = RequestHead()
        _ = feed(bytes, into: head)
        #expect(text(head.value(.xForwardedFor), in: bytes) == "a")
        #expect(head.isRepeated(.xForwardedFor))
        #expect(text(head.field(at: 3).value, in: bytes) == "b")
        #expect(head.field(at: 3).known == .xForwardedFor)
    }

    @Test func findsAnyOtherFieldByItsName() throws {
        let bytes = request("GET / HTTP/1.1", "X-Trace: one", "x-TRACE: two")
        let head = RequestHead()
        _ = feed(bytes, into: head)
        let name = try #require(HeaderName("x-trace"))
        #expect(text(head.value(named: name, in: bytes.span), in: bytes) == "one")
        let other = try #require(HeaderName("x-trac"))
        #expect(head.value(named: other, in: bytes.span) == nil)
    }

    @Test func trimsValues() {
        let bytes = request("GET / HTTP/1.1", "A: \t b c \t", "B:", "C: \t ")
        let head = RequestHead()
        _ = feed(bytes, into: head)
        #expect((1...3).map { text(head.field(at: $0).value, in: bytes) } == ["b c", "", ""])
    }

    // MARK: Connection

    @Test(arguments: [
        ("HTTP/1.1", [], true), ("HTTP/1.0", [], false), ("HTTP/1.9", [], true),
        ("HTTP/1.1", ["close"], false), ("HTTP/1.1", ["CLOSE"], false), ("HTTP/1.1", ["keep-alive"], true),
        ("HTTP/1.0", ["keep-alive"], true), ("HTTP/1.0", ["Keep-Alive"], true), ("HTTP/1.0", ["x, keep-alive"], true),
        ("HTTP/1.0", ["keep-alive, close"], false), ("HTTP/1.1", ["x, close ,y"], false),
        ("HTTP/1.1", ["keep-alive", "close"], false), ("HTTP/1.1", [",,", "close"], false),
        ("HTTP/1.1", ["closed"], true), ("HTTP/1.1", ["x-close"], true), ("HTTP/1.1", [""], true),
        ("HTTP/1.0", ["close", "keep-alive"], false), ("HTTP/1.1", ["\"close\""], true),
    ])
    func decidesWhetherTheConnectionLivesOn(_ version: String, _ values: [String], _ isKept: Bool) {
        let lines = ["GET / \(version)", "Host: a"] + values.map { "Connection: \($0)" } + ["", ""]
        let head = RequestHead()
        _ = feed(lines.joined(separator: "\r\n"), into: head)
        #expect(head.keepAlive == isKept)
    }

    // MARK: Framing

    @Test(arguments: [
        ([], BodyFraming.none), (["Content-Length: 0"], .length(0)), (["Content-Length: 42"], .length(42)),
        (["Content-Length:  0042 "], .length(42)),
        (["Content-Length: 999999999999999999"], .length(999_999_999_999_999_999)),
        (["Transfer-Encoding: chunked"], .chunked), (["transfer-encoding:\tChUnKeD "], .chunked),
    ])
    func decidesTheFraming(_ lines: [String], _ framing: BodyFraming) {
        let text = (["GET / HTTP/1.1", "Host: a"] + lines + ["", ""]).joined(separator: "\r\n")
        let head = RequestHead()
        #expect(feed(text, into: head) == .head(text.utf8.count))
        #expect(head.framing == framing)
    }

    @Test(arguments: [
        ("HTTP/1.1", ["Content-Length: 5", "Expect: 100-continue"], true),
        ("HTTP/1.1", ["Transfer-Encoding: chunked", "Expect: 100-CONTINUE"], true),
        ("HTTP/1.1", ["Content-Length: 5", "Expect: 100-continue", "Expect: 100-continue"], true),
        ("HTTP/1.1", ["Content-Length: 0", "Expect: 100-continue"], false),
        ("HTTP/1.1", ["Expect: 100-continue"], false), ("HTTP/1.1", ["Content-Length: 5"], false),
        ("HTTP/1.0", ["Content-Length: 5", "Expect: 100-continue"], false),
        ("HTTP/1.0", ["Content-Length: 5", "Expect: a-miracle"], false),
    ])
    func expectsAContinueOnlyForABody(_ version: String, _ lines: [String], _ isExpected: Bool) {
        let text = (["POST / \(version)", "Host: a"] + lines + ["", ""]).joined(separator: "\r\n")
        let head = RequestHead()
        #expect(feed(text, into: head) == .head(text.utf8.count))
        #expect(head.expectsContinue == isExpected)
    }

    // MARK: Host

    @Test(arguments: [
        ("go.example.com", "go.example.com", nil), ("GO.example.com:8080", "GO.example.com", 8_080),
        ("localhost:0", "localhost", 0), ("localhost:65535", "localhost", 65_535), ("a:", "a", nil),
        ("a:0080", "a", 80), ("127.0.0.1", "127.0.0.1", nil), ("[::1]", "[::1]", nil), ("[::]:80", "[::]", 80),
        ("[2001:DB8::8:800:200c:417a]", "[2001:DB8::8:800:200c:417a]", nil),
        ("[1:2:3:4:5:6:7:8]:1", "[1:2:3:4:5:6:7:8]", 1), ("[::ffff:192.0.2.1]", "[::ffff:192.0.2.1]", nil),
        ("[1::]", "[1::]", nil), ("xn--caf-dma.example", "xn--caf-dma.example", nil), ("a_b", "a_b", nil),
        ("caf%C3%A9", "caf%C3%A9", nil),
    ])
    func readsHostAndPort(_ value: String, _ host: String, _ port: Int?) {
        let bytes = Array("GET / HTTP/1.1\r\nHost: \(value)\r\n\r\n".utf8)
        let head = RequestHead()
        #expect(feed(bytes, into: head) == .head(bytes.count))
        #expect(text(head.host, in: bytes) == host)
        #expect(head.port == port)
    }

    @Test(arguments: [
        "[1:2:3:4:5:6:7]", "[1:2:3:4:5:6:7::8]", "[:1]", "[1:]", "[:]", "[:::]", "[::1.2.3]", "[::1.2.3.256]",
        "[::01.2.3.4]", "[1:2:3:4:5:6:7:1.2.3.4]", "[::g]", "[::1", "::1]", "[::1]:", "[::1]:x", "a%zz", "a%", "a%4",
    ])
    func refusesOtherHosts(_ value: String) {
        let verdict = feed("GET / HTTP/1.1\r\nHost: \(value)\r\n\r\n")
        // An empty port is fine: RFC 3986 section 3.2.3.
        #expect(value == "[::1]:" ? verdict != .status(400) : verdict == .status(400))
    }

    // MARK: Characters

    static let tokenCharacters = Array(
        "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)

    @Test func allowsJustTheTokenCharactersInNames() {
        for byte in UInt8.min...UInt8.max where byte != UInt8(ascii: ":") {
            // Long names and short ones take different ways through the parser.
            for prefix in ["X", "X-Very-Long-Name-Indeed-That-No-Table-Knows"] {
                let bytes =
                    Array("GET / HTTP/1.1\r\nHost: a\r\n\(prefix)".utf8) + [byte] + Array("b: c\r\n\r\n".utf8)
                let isAllowed = Self.tokenCharacters.contains(byte)
                #expect(feed(bytes) == (isAllowed ? .head(bytes.count) : .status(400)), "byte \(byte)")
            }
        }
    }

    @Test func allowsNoControlCharacterInValues() {
        for byte in UInt8.min...UInt8.max {
            for index in [0, 3, 8, 17, 31] {
                var value = Array(repeating: UInt8(ascii: "v"), count: 32)
                value[index] = byte
                let bytes = Array("GET / HTTP/1.1\r\nHost: a\r\nX: ".utf8) + value + Array("\r\n\r\n".utf8)
                let isAllowed = byte == 0x09 || (byte >= 0x20 && byte != 0x7F)
                #expect(feed(bytes) == (isAllowed ? .head(bytes.count) : .status(400)), "byte \(byte) at \(index)")
            }
        }
    }

    @Test func allowsVisibleCharactersOnlyInTargets() {
        for byte in UInt8.min...UInt8.max where byte != UInt8(ascii: "%") {
            for index in [1, 7, 16, 30] {
                var target = Array("/".utf8) + Array(repeating: UInt8(ascii: "t"), count: 31)
                target[index] = byte
                let bytes = Array("GET ".utf8) + target + Array(" HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
                let isAllowed = byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "#")
                #expect(feed(bytes) == (isAllowed ? .head(bytes.count) : .status(400)), "byte \(byte) at \(index)")
            }
        }
    }
}
