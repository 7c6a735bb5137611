import Testing

@testable import WaymarkClient

/// Answers of servers, as this program's own questions get them.
@Suite struct ResponseReaderTests {
    /// Given whole, and byte by byte.
    private func read(_ text: String, piece: Int, limit: Int = 100) throws(ResponseReader.Failure)
        -> HTTPResponse
    {
        let bytes = Array(text.utf8)
        var reader = ResponseReader(bodyLimit: limit)
        var position = 0
        while position < bytes.count {
            let end = min(position + piece, bytes.count)
            if let response = try reader.take(Array(bytes[position..<end])) { return response }
            position = end
        }
        return try reader.end()
    }

    @Test(
        arguments: [
            ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab", 200, "ab"),
            ("HTTP/1.1 200\r\nContent-Length: 2\r\ncontent-length: 2\r\n\r\nabcd", 200, "ab"),
            ("HTTP/1.0 404 Not Found\r\n\r\nto the end", 404, "to the end"),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1;x=y\r\nc\r\n0\r\nX: y\r\n\r\n", 200,
                "abc"
            ),
            ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\nX: y\r\n\r\n", 204, ""),
            ("HTTP/1.1 304 Not Modified\r\nContent-Length: 50\r\n\r\n", 304, ""),
            ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 200, ""),
        ], [1, 7, 1_000])
    func readsAnswers(example: (text: String, status: Int, body: String), piece: Int) throws {
        let response = try read(example.text, piece: piece)
        #expect(response.status == example.status)
        #expect(String(decoding: response.body, as: UTF8.self) == example.body)
    }

    @Test(
        arguments: [
            "", "HTTP/1.1 200 OK\r\nX", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n", "HTTP/1.1 100 Continue\r\n\r\n",
        ], [1, 1_000])
    func noticesWhereAnAnswerIsCutShort(text: String, piece: Int) {
        #expect(throws: ResponseReader.Failure.incomplete) { try read(text, piece: piece) }
    }

    @Test(
        arguments: [
            "SSH-2.0-OpenSSH\r\n\r\n", "HTTP/2 200 OK\r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n", "HTTP/1.1 999 No\r\n\r\n",
            "HTTP/1.1 200 OK\r\nno field\r\n\r\n", "HTTP/1.1 200 OK\r\n: x\r\n\r\n",
            "HTTP/1.1 200 OK\r\nA: b\r\n folded\r\n\r\n", "HTTP/1.1 200 OK\nA: b\r\n\r\n",
            "HTTP/1.1 200 OK\r\nA: \u{0}\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 1, 2\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 101 Switching Protocols\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        ], [1, 1_000])
    func refusesWhatIsNoAnswer(text: String, piece: Int) {
        #expect(throws: ResponseReader.Failure.malformed("")) { try read(text, piece: piece) }
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n",
        "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 101),
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n65\r\n",
        "HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 70_000),
        String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 4_000),
    ])
    func holdsNoMoreThanItIsTold(text: String) {
        #expect(throws: ResponseReader.Failure.tooLarge) { try read(text, piece: 1_000) }
    }

    @Test func takesFieldsInLatin1() throws {
        var reader = ResponseReader(bodyLimit: 10)
        let head =
            Array("HTTP/1.1 200 Sch".utf8) + [0xF6] + Array("n\r\nX-Note: Gr".utf8) + [0xFC] + Array("n \r\n\r\n".utf8)
        #expect(try reader.take(head) == nil)
        #expect(try reader.end()["x-note"] == "Grün")
    }
}
