import Testing
import WaymarkHTTP

@Suite struct PreparedResponseTests {
    private static let fields = HeaderFields((.location, "https://shop.example.com/"), (.vary, "User-Agent"))

    @Test(
        arguments: [ResponseHead.Persistence.implied, .keepAlive, .close], [Status.found, .notModified, Status(299)])
    func isWhatWouldBeEncodedAnew(_ persistence: ResponseHead.Persistence, _ status: Status) {
        let length: UInt64? = status.code == 304 ? nil : 0
        let prepared = PreparedResponse.make(status, fields: Self.fields)
        let expected = ByteBuffer()
        let buffer = ByteBuffer(capacity: 64)
        for second in [0, 784_111_777, 1_795_262_400] as [Int64] {
            let date = DateLine(unixSeconds: second)
            prepared.append(to: buffer, date: date, persistence: persistence)
            ResponseHead(status: status, fields: Self.fields, contentLength: length)
                .append(to: expected, date: date, persistence: persistence)
        }
        #expect(String(decoding: buffer.bytes, as: UTF8.self) == String(decoding: expected.bytes, as: UTF8.self))
    }

    @Test func holdsItsBodyBesideItsHead() {
        let body = Array("{\"status\":\"ok\"}".utf8)
        let prepared = PreparedResponse.make(.ok, fields: Self.fields, body: body, route: 7)
        let (expected, buffer) = (ByteBuffer(), ByteBuffer(capacity: 64))
        let date = DateLine(unixSeconds: 784_111_777)
        prepared.append(to: buffer, date: date, persistence: .close)
        ResponseHead(status: .ok, fields: Self.fields, contentLength: UInt64(body.count))
            .append(to: expected, date: date, persistence: .close)
        #expect(buffer.bytes == expected.bytes)
        prepared.appendBody(to: buffer)
        #expect(buffer.bytes == expected.bytes + body)
        #expect(prepared.fields == Self.fields.bytes)
        #expect(prepared.body == body)
        #expect(prepared.bodyCount == body.count)
        #expect(prepared.route == 7)
    }

    @Test func tellsWhatItSays() {
        let prepared = PreparedResponse.make(.found, fields: Self.fields)
        #expect(prepared.fields == Self.fields.bytes)
        #expect(prepared.says(.found, Self.fields))
        #expect(!prepared.says(.movedPermanently, Self.fields))
        #expect(!prepared.says(.found, HeaderFields()))
    }

    @Test func replacesEachOccurrenceOfAText() {
        func parts(_ text: String) -> (fields: HeaderFields, body: [UInt8]) {
            var fields = HeaderFields((.vary, "User-Agent"))
            _ = fields.append(.location, "https://a.example/?id=\(text)&again=\(text)")
            return (fields, Array("\(text) AAAAAAA \(text)\(text)AAAABBB".utf8))
        }
        let before = parts("AAAABBBB")
        let prepared = PreparedResponse.make(
            .found, fields: before.fields, body: before.body, variable: Array("AAAABBBB".utf8))
        #expect(prepared.isVariable)
        let date = DateLine(unixSeconds: 784_111_777)
        for text in ["CCCCDDDD", "AAAAAAAA", "AAAABBBB"] {
            prepared.replaceVariable(with: Array(text.utf8).withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) })
            let after = parts(text)
            #expect(prepared.says(.found, after.fields, body: after.body))
            let (expected, buffer) = (ByteBuffer(), ByteBuffer())
            prepared.append(to: buffer, date: date, persistence: .implied)
            prepared.appendBody(to: buffer)
            ResponseHead(status: .found, fields: after.fields, contentLength: UInt64(after.body.count))
                .append(to: expected, date: date, persistence: .implied)
            #expect(buffer.bytes == expected.bytes + after.body)
        }
    }

    @Test(arguments: ["", "nowhere", "User-Agent and more", "https://shop.example.com/ "])
    func changesNothingWhereTheTextIsNot(text: String) {
        let prepared = PreparedResponse.make(.found, fields: Self.fields, variable: Array(text.utf8))
        #expect(!prepared.isVariable)
        #expect(prepared.says(.found, Self.fields))
    }
}
