import Testing
import WaymarkHTTP

@Suite struct ResponseHeadTests {
    static let date = DateLine(unixSeconds: 784_111_777)

    private func encode(
        _ status: Status, _ fields: HeaderFields = HeaderFields(), length: UInt64? = nil,
        _ persistence: ResponseHead.Persistence = .implied
    ) -> String {
        let buffer = ByteBuffer()
        ResponseHead(status: status, fields: fields, contentLength: length)
            .append(to: buffer, date: Self.date, persistence: persistence)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    @Test func writesTheWholeHead() {
        let fields = HeaderFields((.location, "https://shop.example.com/"), (.cacheControl, "private, no-store"))
        let expected = """
            HTTP/1.1 302 Found\r
            Location: https://shop.example.com/\r
            Cache-Control: private, no-store\r
            Date: Sun, 06 Nov 1994 08:49:37 GMT\r
            Content-Length: 0\r
            \r

            """
        #expect(encode(.found, fields, length: 0) == expected)
    }

    @Test(arguments: [
        (ResponseHead.Persistence.implied, nil), (.close, "Connection: close\r\n"),
        (.keepAlive, "Connection: keep-alive\r\n"),
    ])
    func saysWhatBecomesOfTheConnection(_ persistence: ResponseHead.Persistence, _ line: String?) {
        let text = encode(.ok, length: 5, persistence)
        #expect(text.contains("Connection:") == (line != nil))
        #expect(text.hasSuffix("Content-Length: 5\r\n" + (line ?? "") + "\r\n"))
    }

    @Test(arguments: [
        (Status.ok, Optional<UInt64>(12), true), (.notFound, 0, true), (.noContent, 12, false),
        (Status(100), 12, false),
        (.notModified, 12, true), (.ok, nil, false), (.notModified, nil, false),
    ])
    func givesALengthOnlyWhereThereMayBeOne(_ status: Status, _ length: UInt64?, _ isGiven: Bool) {
        #expect(encode(status, length: length).contains("Content-Length: \(length ?? 0)\r\n") == isGiven)
    }

    @Test func givesNoDateInAnInterimResponse() {
        #expect(encode(Status(100)) == "HTTP/1.1 100 Continue\r\n\r\n")
        let buffer = ByteBuffer()
        ResponseHead.appendContinue(to: buffer)
        #expect(String(decoding: buffer.bytes, as: UTF8.self) == "HTTP/1.1 100 Continue\r\n\r\n")
    }

    @Test func writesAStatusThatHasNoName() {
        #expect(encode(Status(299)).hasPrefix("HTTP/1.1 299 \r\nDate: "))
        #expect(Status(299).reason == "")
        #expect(Status.uriTooLong.reason == "URI Too Long")
        #expect(Status.ok.reason == "OK")
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", "implied"),
        ("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "close"), ("GET / HTTP/1.0\r\n\r\n", "close"),
        ("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "keepAlive"),
    ])
    func followsTheRequestInWhatItSays(_ text: String, _ persistence: String) {
        let head = RequestHead()
        _ = feed(text, into: head)
        #expect("\(ResponseHead.Persistence(for: head))" == persistence)
    }
}

@Suite struct HeaderBlockTests {
    @Test(arguments: ["a\r\nSet-Cookie: b", "a\nb", "a\rb", "a\0b", "\r\n", "a\u{1}b", "a\u{7F}b", "a\u{1B}[2J"])
    func refusesValuesThatWouldBreakOutOfTheirLine(_ value: String) {
        var block = HeaderFields((.vary, "Accept"))
        let before = block
        let bytes = Array(value.utf8)
        let isTextAppended = block.append(.location, value)
        let areBytesAppended = block.append(.location, bytes.span)
        #expect(!isTextAppended && !areBytesAppended)
        #expect(block == before)
    }

    @Test func keepsCompleteLines() {
        var block = HeaderFields()
        #expect(block.isEmpty)
        let bytes = Array("caf\u{E9}\t1".utf8)
        let isTextAppended = block.append(.contentLanguage, "en")
        let areBytesAppended = block.append(.xRobotsTag, bytes.span)
        #expect(isTextAppended && areBytesAppended)
        block.append(.retryAfter, 30)
        var other = HeaderFields((.allow, "GET, HEAD"))
        other.append(block)
        let text = String(decoding: other.bytes, as: UTF8.self)
        #expect(
            text == "Allow: GET, HEAD\r\nContent-Language: en\r\nX-Robots-Tag: caf\u{E9}\t1\r\nRetry-After: 30\r\n")
    }

    @Test(arguments: ["Content-Length", "transfer-encoding", "CONNECTION", "Date", "Keep-Alive", "Trailer", "Upgrade"])
    func reservesTheFieldsOfTheServer(_ text: String) throws {
        let name = try #require(HeaderName(text))
        #expect(name.isReserved)
    }

    @Test func stopsAHandlerThatSetsAFieldOfTheServer() async {
        await #expect(processExitsWith: .failure) {
            var block = HeaderFields()
            _ = block.append(.connection, "close")
        }
    }

    @Test(arguments: ["", "a b", "a:", "a\r\n", "caf\u{E9}", "(a)", "a\0"])
    func takesOnlyTokensAsNames(_ text: String) {
        #expect(HeaderName(text) == nil)
    }

    @Test func comparesNamesWithoutCase() {
        #expect(HeaderName("etag") == .eTag)
        #expect(Set([HeaderName.eTag, .vary]).contains(HeaderName("ETAG") ?? .allow))
        #expect(HeaderName("etag") != .vary)
        #expect(!HeaderName.location.isReserved)
    }
}
