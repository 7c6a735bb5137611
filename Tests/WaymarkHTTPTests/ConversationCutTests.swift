import ConformanceCases
import Testing
import WaymarkHTTP

/// Whole conversations through parser and decoder: heads, bodies, trailers and what stands behind them.
@Suite struct ConversationCutTests {
    /// What a connection makes of the bytes: what is in each request, and how it ended.
    private struct Story: Equatable {
        var requests: [String] = []
        var end = ""
    }

    /// Reads requests one after the other, from pieces that end at `cuts`.
    private static func read(_ bytes: [UInt8], cutAt cuts: some Sequence<Int>) -> Story {
        var story = Story()
        var parser = RequestParser()
        var decoder: BodyDecoder?
        let head = RequestHead()
        // The parser wants the whole head again, the decoder only what it has not consumed.
        var position = 0
        for end in Array(cuts) + [bytes.count] {
            piece: while true {
                let piece = Array(bytes[position..<end])
                guard decoder != nil else {
                    switch parser.parse(piece.span, into: head) {
                    case .needMore: break piece
                    case .reject(let status, _):
                        story.end = "\(status.code)"
                        return story
                    case .head(let length):
                        story.requests.append("\(head.method) \(text(head.target, in: piece) ?? "") ")
                        decoder = BodyDecoder(head.framing, limit: 70_000)
                        position += length
                    }
                    continue
                }
                switch decoder?.decode(piece.span) {
                case .data(let range, let consumed):
                    story.requests[story.requests.count - 1] += String(decoding: piece[range.indices], as: UTF8.self)
                    position += consumed
                case .needMore(let consumed):
                    position += consumed
                    break piece
                case .end(let consumed):
                    position += consumed
                    decoder = nil
                case .reject(let status, _):
                    story.end = "\(status.code)"
                    return story
                case nil: break piece
                }
            }
        }
        story.end = decoder != nil ? "in a body" : position < bytes.count ? "in a head" : "between requests"
        return story
    }

    /// Too long to be cut at every position.
    private static let short = ConformanceCase.all.filter { $0.bytes.count < 1_500 }

    @Test(arguments: short)
    func comeToTheSameHoweverTheyAreCut(_ conversation: ConformanceCase) {
        Self.expectTheSame(conversation.bytes, "\(conversation)")
    }

    @Test func comeToTheSameHoweverPairsAreCut() {
        // A body that has just ended, and whatever may stand behind it.
        let first = Array(
            "POST /body HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n".utf8)
        let chosen = Self.short.enumerated().filter { $0.offset % 4 == 0 }.map(\.element)
        for conversation in chosen { Self.expectTheSame(first + conversation.bytes, "\(conversation)") }
    }

    private static func expectTheSame(_ bytes: [UInt8], _ name: String) {
        let whole = read(bytes, cutAt: [])
        for cut in 0..<bytes.count where read(bytes, cutAt: [cut]) != whole {
            Issue.record("\(name), cut at \(cut): \(read(bytes, cutAt: [cut])) instead of \(whole)")
        }
        #expect(read(bytes, cutAt: 0..<bytes.count) == whole, "\(name), byte by byte")
    }

    @Test func readsAllOfAConversation() {
        let bytes = Array(
            ("GET /a HTTP/1.1\r\nHost: a\r\n\r\nPOST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi"
                + "PUT /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nyo\r\n0\r\n\r\nGET /d").utf8)
        let story = Story(requests: ["get /a ", "post /b hi", "put /c yo"], end: "in a head")
        #expect(Self.read(bytes, cutAt: []) == story)
    }
}
