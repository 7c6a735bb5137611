import Testing
import WaymarkHTTP

@Suite struct PreparedResponseTests {
    private static let fields = HeaderFields((.location, "https://shop.example.com/"), (.vary, "User-Agent"))

    @Test(
        arguments: [ResponseHead.Persistence.implied, .keepAlive, .close], [Status.found, .notModified, Status(299)])
    func isWhatWouldBeEncoded(_ persistence: ResponseHead.Persistence, _ status: Status) {
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

    @Test(arguments: [ResponseHead.Persistence.implied, .close]) func `a shared head changes nothing that is sent`(
        persistence: ResponseHead.Persistence
    ) {
        let heads = SharedHeads()
        var sizes: [Int] = []
        for (number, status) in [Status.found, .found, .movedPermanently].enumerated() {
            var fields = HeaderFields((.vary, "User-Agent"))
            _ = fields.append(.location, "https://a.example/\(number)?id=AAAABBBB")
            let label = Array("a label".utf8)
            let prepared = PreparedResponse.make(
                status, fields: fields, variable: Array("AAAABBBB".utf8), label: label, heads: heads)
            let alone = PreparedResponse.make(status, fields: fields)
            prepared.replaceVariable(with: UInt64(0x4242_4242_4141_4141))
            let (sent, expected) = (ByteBuffer(), ByteBuffer())
            let date = DateLine(unixSeconds: 784_111_777)
            prepared.append(to: sent, date: date, persistence: persistence)
            alone.append(to: expected, date: date, persistence: persistence)
            #expect(sent.bytes == expected.bytes)
            #expect(prepared.fields == fields.bytes)
            #expect(unsafe prepared.label.elementsEqual(label))
            sizes.append(alone.byteCount - prepared.byteCount)
        }
        #expect(sizes.allSatisfy { $0 > 50 })
    }

    /// Texts in fields and body, of a response with a head of its own and of one with a shared head.
    @Test(arguments: [
        (0, ["", "", ""]), (0, ["a=1", "", "&amp;a=1"]), (9, ["", "x", String(repeating: "y", count: 1_000)]),
        (1_000, ["", "", "z"]),
    ])
    func `a composition equals the same response encoded at once`(bodyCount: Int, texts: [String]) throws {
        func fields(_ texts: [String]) -> HeaderFields {
            var fields = HeaderFields((.vary, "User-Agent"))
            _ = fields.append(.location, "https://a.example/\(texts[0])x\(texts[1])")
            return fields
        }
        let body = Array(repeating: UInt8(ascii: "b"), count: bodyCount)
        let text = texts[bodyCount > 0 ? ...2 : ...1].joined()
        for heads in [nil, SharedHeads()] {
            let (room, sent, expected) = (PreparedResponse.makeRoom(4_096), ByteBuffer(), ByteBuffer())
            let response = PreparedResponse.make(.ok, fields: fields(["", ""]), body: body, route: 3, heads: heads)
            let first = response.fieldsOffset + response.fields.count - 3
            var insertions = [
                PreparedResponse.Insertion(offset: first, part: 0..<texts[0].utf8.count),
                PreparedResponse.Insertion(
                    offset: first + 1, part: texts[0].utf8.count..<(texts[0] + texts[1]).utf8.count),
            ]
            if bodyCount > 0 {
                let part = (texts[0] + texts[1]).utf8.count..<text.utf8.count
                insertions.append(
                    PreparedResponse.Insertion(offset: response.headCount + bodyCount / 2, part: part))
            }
            let isComposed = room.compose(response, inserting: text.utf8.span, at: insertions.span)
            #expect(isComposed)
            let date = DateLine(unixSeconds: 784_111_777)
            room.append(to: sent, date: date, persistence: .close)
            room.appendBody(to: sent)
            let whole =
                body[..<(bodyCount / 2)] + (bodyCount > 0 ? Array(texts[2].utf8) : []) + body[(bodyCount / 2)...]
            ResponseHead(status: .ok, fields: fields(texts), contentLength: UInt64(whole.count))
                .append(to: expected, date: date, persistence: .close)
            #expect(sent.bytes == expected.bytes + whole)
            #expect(room.route == 3)
            let small = PreparedResponse.makeRoom(response.headCount + bodyCount)
            let isSmallComposed = small.compose(response, inserting: text.utf8.span, at: insertions.span)
            #expect(!isSmallComposed, "there is no room")
        }
    }
}
