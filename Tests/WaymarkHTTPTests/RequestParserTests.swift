import Testing
import WaymarkHTTP

@Suite struct RequestParserTests {
    let small = HeadLimits(requestLine: 64, field: 40, section: 100, fieldCount: 4, emptyLines: 2)

    @Test func readsTheRequestLine() {
        let bytes = request("PATCH /api/v1/links/go.example.com/Ab3?x=1&y=2 HTTP/1.1")
        let head = RequestHead()
        #expect(feed(bytes, into: head) == .head(bytes.count))
        #expect(head.method == .patch)
        #expect(text(head.target, in: bytes) == "/api/v1/links/go.example.com/Ab3?x=1&y=2")
        #expect(text(head.path, in: bytes) == "/api/v1/links/go.example.com/Ab3")
        #expect(text(head.query, in: bytes) == "x=1&y=2")
        #expect(text(head.host, in: bytes) == "go.example.com")
        #expect(head.port == nil)
        #expect(head.minorVersion == 1)
        #expect(!head.isPathEncoded)
    }

    @Test func tellsAnEmptyQueryFromNone() {
        let head = RequestHead()
        _ = feed(request("GET /a HTTP/1.1"), into: head)
        #expect(head.query == nil)
        _ = feed(request("GET /a? HTTP/1.1"), into: head)
        #expect(head.query?.isEmpty == true)
    }

    @Test func knowsAPathThatHoldsPercentEncoding() {
        let head = RequestHead()
        _ = feed(request("GET /a%20b HTTP/1.1"), into: head)
        #expect(head.isPathEncoded)
        _ = feed(request("GET /a?b=%20 HTTP/1.1"), into: head)
        #expect(!head.isPathEncoded)
    }

    @Test(arguments: zip(Method.allCases, ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]))
    func knowsTheMethod(_ method: Method, _ name: String) {
        let head = RequestHead()
        _ = feed(request("\(name) / HTTP/1.1"), into: head)
        #expect(head.method == method)
        #expect(method.name == name)
    }

    @Test func takesTheHostFromAnAbsoluteTarget() {
        let bytes = Array("GET http://Go.Example.com:81/a?b HTTP/1.1\r\nHost: other.example.com:82\r\n\r\n".utf8)
        let head = RequestHead()
        #expect(feed(bytes, into: head) == .head(bytes.count))
        #expect(head.isAbsoluteForm)
        #expect(text(head.host, in: bytes) == "Go.Example.com")
        #expect(head.port == 81)
        #expect(text(head.path, in: bytes) == "/a")
        #expect(text(head.query, in: bytes) == "b")
    }

    @Test func leavesThePathEmptyWhereAnAbsoluteTargetHasNone() {
        let bytes = Array("GET http://go.example.com?b HTTP/1.1\r\nHost: go.example.com\r\n\r\n".utf8)
        let head = RequestHead()
        #expect(feed(bytes, into: head) == .head(bytes.count))
        #expect(head.path.isEmpty)
        #expect(text(head.query, in: bytes) == "b")
    }

    @Test func takesTheAsteriskForOptionsOnly() {
        let head = RequestHead()
        let bytes = request("OPTIONS * HTTP/1.1")
        #expect(feed(bytes, into: head) == .head(bytes.count))
        #expect(head.isAsteriskForm)
        #expect(feed(request("GET * HTTP/1.1")) == .status(400))
    }

    @Test func readsPipelinedRequestsOneAtATime() {
        let first = request("GET /first HTTP/1.1")
        let second = request("GET /second HTTP/1.1")
        let both = first + second
        let head = RequestHead()
        var parser = RequestParser()
        #expect(Verdict(parser.parse(both.span, into: head)) == .head(first.count))
        #expect(text(head.path, in: both) == "/first")
        let rest = Array(both[first.count...])
        #expect(Verdict(parser.parse(rest.span, into: head)) == .head(second.count))
        #expect(text(head.path, in: rest) == "/second")
    }

    @Test func forgetsTheRequestBefore() {
        let head = RequestHead()
        _ = feed(
            request("POST /a?b HTTP/1.1", "Content-Length: 5", "Expect: 100-continue", "Connection: close"), into: head)
        #expect(head.expectsContinue)
        _ = feed(request("GET /c HTTP/1.1"), into: head)
        #expect(head.framing == .none)
        #expect(head.query == nil)
        #expect(!head.expectsContinue)
        #expect(head.keepAlive)
        #expect(head.value(.contentLength) == nil)
        #expect(head.fieldCount == 1)
    }

    // MARK: Limits

    /// A request line of just `length` bytes.
    static func requestLine(_ length: Int) -> String {
        "GET /" + String(repeating: "a", count: length - 14) + " HTTP/1.1"
    }

    @Test(arguments: [[], [10], [40, 70]])
    func limitsTheRequestLine(_ cuts: [Int]) {
        let fitting = request(Self.requestLine(64))
        #expect(feed(fitting, cutAt: cuts, limits: small) == .head(fitting.count))
        #expect(feed(request(Self.requestLine(65)), cutAt: cuts, limits: small) == .status(414))
    }

    @Test func limitsARequestLineThatNeverEnds() {
        let endless = Array("GET /".utf8) + Array(repeating: UInt8(ascii: "a"), count: 61)
        #expect(feed(endless, limits: small) == .status(414))
        #expect(feed(endless, cutAt: 0..<endless.count, limits: small) == .status(414))
    }

    /// Heads with two faults each, found by fuzzing: which one is answered may not depend on how the bytes arrive.
    static let twiceFaulty: [[UInt8]] = [
        Array("GE".utf8) + Array(repeating: 0xFF, count: 170) + Array("T\r\n\r\n".utf8),
        Array("GET /".utf8) + Array(repeating: UInt8(ascii: "a"), count: 70) + Array("\u{0} HTTP/1.1\r\n\r\n".utf8),
        Array("GET /a HT/2/1\u{1A}\r\u{0B}\n\r\n".utf8),
        Array("GET / HTTP/1.1\rHost: a\r\n\r\n".utf8),
    ]

    @Test(arguments: twiceFaulty)
    func answersAHeadWithTwoFaultsAlikeHoweverItIsCut(_ bytes: [UInt8]) {
        let atOnce = feed(bytes, limits: small)
        #expect(atOnce != .needMore)
        #expect(feed(bytes, cutAt: 1..<bytes.count, limits: small) == atOnce)
        for cut in 1..<bytes.count {
            #expect(feed(bytes, cutAt: [cut], limits: small) == atOnce, "cut at \(cut)")
        }
    }

    @Test(arguments: [[], [10], [40, 70]])
    func limitsOneField(_ cuts: [Int]) {
        let fitting = request("GET / HTTP/1.1", "X: " + String(repeating: "a", count: 37))
        #expect(feed(fitting, cutAt: cuts, limits: small) == .head(fitting.count))
        let tooLong = request("GET / HTTP/1.1", "X: " + String(repeating: "a", count: 38))
        #expect(feed(tooLong, cutAt: cuts, limits: small) == .status(431))
    }

    @Test func limitsAFieldThatNeverEnds() {
        let start = Array("GET / HTTP/1.1\r\n".utf8)
        for filler in ["a", " ", ":"] {
            let endless = start + Array("X: ".utf8) + Array(repeating: Array(filler.utf8)[0], count: 40)
            #expect(feed(endless, limits: small) == .status(431))
            #expect(feed(endless, cutAt: 0..<endless.count, limits: small) == .status(431))
        }
    }

    @Test(arguments: [[], [10], [40, 70]])
    func limitsTheSection(_ cuts: [Int]) {
        // With the Host line of 22 bytes: 22 + 39 + 39 is just the limit.
        let line = "X: " + String(repeating: "a", count: 34)
        let fitting = request("GET / HTTP/1.1", line, line)
        #expect(feed(fitting, cutAt: cuts, limits: small) == .head(fitting.count))
        let tooLong = request("GET / HTTP/1.1", line, line + "a")
        #expect(feed(tooLong, cutAt: cuts, limits: small) == .status(431))
        #expect(feed(tooLong, cutAt: 0..<tooLong.count, limits: small) == .status(431))
    }

    @Test(arguments: [[], [10], [40, 50]])
    func limitsTheNumberOfFields(_ cuts: [Int]) {
        let fitting = request("GET / HTTP/1.1", "A: 1", "B: 2", "C: 3")
        #expect(feed(fitting, cutAt: cuts, limits: small) == .head(fitting.count))
        let tooMany = request("GET / HTTP/1.1", "A: 1", "B: 2", "C: 3", "D: 4")
        #expect(feed(tooMany, cutAt: cuts, limits: small) == .status(431))
        #expect(feed(tooMany, cutAt: 0..<tooMany.count, limits: small) == .status(431))
    }

    @Test func limitsTheEmptyLines() {
        let bytes = Array("\r\n\r\n".utf8) + request()
        #expect(feed(bytes, limits: small) == .head(bytes.count))
        let tooMany = Array("\r\n\r\n\r\n".utf8)
        #expect(feed(tooMany, limits: small) == .status(400))
        #expect(feed(tooMany, cutAt: 0..<tooMany.count, limits: small) == .status(400))
    }

    @Test func acceptsTheRecommendedRequestLineByDefault() {
        let bytes = request(Self.requestLine(16_384))
        #expect(feed(bytes) == .head(bytes.count))
        #expect(feed(request(Self.requestLine(16_385))) == .status(414))
    }

    @Test func acceptsAHundredFieldsByDefault() {
        let fields = (1..<100).map { "X-\($0): \($0)" }
        let bytes = Array((["GET / HTTP/1.1", "Host: a"] + fields + ["", ""]).joined(separator: "\r\n").utf8)
        let head = RequestHead()
        #expect(feed(bytes, into: head) == .head(bytes.count))
        #expect(head.fieldCount == 100)
        let more = Array((["GET / HTTP/1.1", "Host: a"] + fields + ["X: y", "", ""]).joined(separator: "\r\n").utf8)
        #expect(feed(more) == .status(431))
    }

    @Test func alwaysDecidesWithinABufferOfTheHeadsLimit() {
        let fillers: [[UInt8]] = [
            Array("GET /".utf8), Array("GET / HTTP/1.1\r\n".utf8), Array("GET / HTTP/1.1\r\nX: ".utf8),
            Array("\r\n\r\nGET / HTTP/1.1\r\nX: y\r\n".utf8),
        ]
        for start in fillers {
            for pattern in ["a", "a: b\r\n", "\r\n"] {
                var bytes = start
                while bytes.count < small.head { bytes += Array(pattern.utf8) }
                #expect(feed(Array(bytes[..<small.head]), limits: small) != .needMore)
                #expect(feed(Array(bytes[..<small.head]), cutAt: 0..<small.head, limits: small) != .needMore)
            }
        }
    }

    @Test func everyRefusalExplainsItselfWithoutEchoing() {
        for fixture in Fixture.all(in: "reject") {
            var parser = RequestParser()
            guard case .reject(_, let detail) = parser.parse(fixture.bytes.span, into: RequestHead()) else {
                Issue.record("\(fixture.name) is not rejected")
                continue
            }
            #expect("\(detail)".hasSuffix("."), "\(fixture.name)")
        }
    }
}
