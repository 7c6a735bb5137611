import Testing
import WaymarkJSON

@testable import WaymarkSite

/// What clients get for messages, good and bad.
@Suite struct MessageTests {
    private let server = MCPServer(apiDocument: APIDocumentFile.bytes)

    private func answer(_ message: String) async -> (json: JSONValue, isMalformed: Bool) {
        switch await server.answer(to: Array(message.utf8), through: RecordingCaller()) {
        case .none: (.null, false)
        case .message(let bytes): ((try? JSONValue(parsing: bytes)) ?? .null, false)
        case .malformed(let bytes): ((try? JSONValue(parsing: bytes)) ?? .null, true)
        }
    }

    /// A message that is no request, the code of the error and the id that it has.
    struct Malformed: CustomTestStringConvertible {
        let message: String
        let code: Int
        var id: JSONValue = .null

        var testDescription: String { String(message.prefix(80)) }
    }

    @Test(arguments: [
        Malformed(message: "", code: -32700),
        Malformed(message: "{", code: -32700),
        Malformed(message: #"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#, code: -32700),
        Malformed(message: "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\u{1}\"}", code: -32700),
        Malformed(
            message: #"{"jsonrpc":"2.0","id":1,"method":"ping","params":"#
                + String(repeating: "[", count: 100_000), code: -32700),
        Malformed(message: #"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, code: -32600),
        Malformed(message: "[]", code: -32600),
        Malformed(message: "null", code: -32600),
        Malformed(message: #""ping""#, code: -32600),
        Malformed(message: "{}", code: -32600),
        Malformed(message: #"{"id":1,"method":"ping"}"#, code: -32600, id: JSONValue(1)),
        Malformed(message: #"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, code: -32600, id: JSONValue(1)),
        Malformed(message: #"{"jsonrpc":2.0,"id":"a","method":"ping"}"#, code: -32600, id: "a"),
        Malformed(message: #"{"jsonrpc":"2.0","id":1}"#, code: -32600, id: JSONValue(1)),
        Malformed(message: #"{"jsonrpc":"2.0","id":1,"method":7}"#, code: -32600, id: JSONValue(1)),
        Malformed(message: #"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, code: -32600),
        Malformed(message: #"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, code: -32600),
        Malformed(message: #"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, code: -32600),
    ])
    func refusesWhatIsNoMessage(_ wrong: Malformed) async {
        let answer = await answer(wrong.message)
        #expect(answer.isMalformed)
        #expect(answer.json["jsonrpc"] == "2.0")
        #expect(answer.json["error"]?["code"]?.integer == wrong.code)
        #expect(answer.json["error"]?["message"]?.string?.isEmpty == false)
        #expect(answer.json["id"] == wrong.id)
    }

    @Test(arguments: [
        (#""method":"nothing""#, -32601),
        (#""method":"tools/list","params":[]"#, -32602),
        (#""method":"tools/list","params":null"#, -32602),
        (#""method":"tools/list","params":{"cursor":"a"}"#, -32602),
        (#""method":"initialize""#, -32602),
        (#""method":"initialize","params":{"protocolVersion":7}"#, -32602),
        (#""method":"tools/call""#, -32602),
        (#""method":"tools/call","params":{"name":["find_links"]}"#, -32602),
        (#""method":"tools/call","params":{"name":"drop_links"}"#, -32602),
        (#""method":"tools/call","params":{"name":"find_links","arguments":[]}"#, -32602),
        (#""method":"tools/call","params":{"name":"find_links","arguments":"a"}"#, -32602),
    ])
    func refusesCallsWithAnError(_ members: String, _ code: Int) async {
        let answer = await answer(#"{"jsonrpc":"2.0","id":"x","# + members + "}")
        #expect(!answer.isMalformed)
        #expect(answer.json["error"]?["code"]?.integer == code)
        #expect(answer.json["id"] == "x")
    }

    @Test(arguments: [
        #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
        #"{"jsonrpc":"2.0","method":"nothing"}"#,
        #"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        #"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"a"}}"#,
    ])
    func answersNoNotificationAndNoResponse(_ message: String) async {
        #expect(await server.answer(to: Array(message.utf8), through: RecordingCaller()) == .none)
    }

    @Test(arguments: [
        ("2025-11-25", "2025-11-25"), ("2025-06-18", "2025-06-18"), ("2025-03-26", "2025-11-25"),
        ("2024-11-05", "2025-11-25"), ("2026-07-28", "2025-11-25"), ("", "2025-11-25"),
    ])
    func agreesOnARevision(_ asked: String, _ agreed: String) async {
        let result = await answer(
            #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"\#(asked)","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#
        ).json["result"]
        #expect(result?["protocolVersion"]?.string == agreed)
        #expect(result?["capabilities"]?["tools"] == JSONValue(JSONObject()))
        #expect(result?["serverInfo"]?["name"] == "waymark")
        #expect(result?["serverInfo"]?["version"]?.string?.isEmpty == false)
        #expect(result?["instructions"]?.string?.isEmpty == false)
    }

    @Test(arguments: ["1", "\"a\\nb\"", "-7", "12345678901234567"])
    func repeatsTheIDAsItWasSpelled(_ id: String) async {
        let answer = await server.answer(
            to: Array(#"{"jsonrpc":"2.0","id":\#(id),"method":"ping"}"#.utf8), through: RecordingCaller())
        #expect(answer == .message(Array(#"{"jsonrpc":"2.0","id":\#(id),"result":{}}"#.utf8)))
    }

    @Test func answersOnOneLine() async {
        for method in ["tools/list", "initialize", "ping"] {
            let answer = await server.answer(
                to: Array(#"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":{"protocolVersion":"a"}}"#.utf8),
                through: RecordingCaller())
            guard case .message(let bytes) = answer else {
                Issue.record("no answer")
                return
            }
            #expect(!bytes.contains(UInt8(ascii: "\n")))
        }
    }
}
