import Testing
import WaymarkJSON

@testable import WaymarkSite

/// The REST request that each call of a tool becomes, and what becomes of the answer.
@Suite struct ToolCallTests {
    private let server = MCPServer(apiDocument: APIDocumentFile.bytes)

    struct Mapping: CustomTestStringConvertible {
        let tool: String
        let arguments: String
        let request: String
        var body: String?
        var fields: [String] = []

        var testDescription: String { "\(tool) \(arguments)" }
    }

    @Test(arguments: [
        Mapping(tool: "find_links", arguments: "{}", request: "GET /api/v1/links"),
        Mapping(
            tool: "find_links", arguments: #"{"search":"spring sale","limit":5,"count":true,"tag":null}"#,
            request: "GET /api/v1/links?count=true&limit=5&search=spring%20sale"),
        Mapping(
            tool: "find_links", arguments: #"{"query":"a&app=other#x"}"#,
            request: "GET /api/v1/links?query=a%26app%3Dother%23x"),
        Mapping(
            tool: "create_link",
            arguments: #"{"urls":{"web":"https://example.com/"},"metadata":{"n":1.50,"big":12345678901234567890}}"#,
            request: "POST /api/v1/links",
            body: #"{"urls":{"web":"https://example.com/"},"metadata":{"n":1.50,"big":12345678901234567890}}"#),
        Mapping(
            tool: "create_link", arguments: #"{"idempotencyKey":"a b","slug":"s"}"#, request: "POST /api/v1/links",
            body: #"{"slug":"s"}"#, fields: ["Idempotency-Key: a b"]),
        Mapping(
            tool: "update_link",
            arguments: #"{"domain":"go.example.com","slug":"spring/sale","title":null,"ifMatch":"\"3\""}"#,
            request: "PATCH /api/v1/links/go.example.com/spring%2Fsale", body: #"{"title":null}"#,
            fields: [#"If-Match: "3""#]),
        Mapping(
            tool: "link_statistics", arguments: #"{"domain":"go.example.com:8080","slug":"a","by":"country"}"#,
            request: "GET /api/v1/links/go.example.com%3A8080/a/clicks?by=country"),
        Mapping(
            tool: "top_links", arguments: "{}", request: "GET /api/v1/clicks?interval=total&top=links"),
        Mapping(
            tool: "top_links", arguments: #"{"app":["a","b"],"top":"links,countries","interval":"day"}"#,
            request: "GET /api/v1/clicks?app=a&app=b&interval=day&top=links%2Ccountries"),
        Mapping(
            tool: "explain_visit", arguments: #"{"url":"https://go.example.com/a"}"#, request: "POST /api/v1/explain",
            body: #"{"url":"https://go.example.com/a"}"#),
        Mapping(
            tool: "lint_association", arguments: #"{"application":"shop"}"#, request: "POST /api/v1/association/lint",
            body: #"{"application":"shop"}"#),
        Mapping(
            tool: "simulate_association", arguments: #"{"url":"https://example.com/a","document":"{}"}"#,
            request: "POST /api/v1/association/simulate", body: #"{"url":"https://example.com/a","document":"{}"}"#),
        Mapping(
            tool: "import_dry_run", arguments: #"{"source":"bitly","credentials":{"apiKey":"k"}}"#,
            request: "POST /api/v1/imports",
            body: #"{"source":"bitly","credentials":{"apiKey":"k"},"dryRun":true}"#),
    ])
    func becomesOneRequest(_ mapping: Mapping) async {
        let caller = RecordingCaller()
        _ = await server.call(mapping.tool, mapping.arguments, caller)
        #expect(caller.requests.map { "\($0.method) \($0.target)" } == [mapping.request])
        #expect(caller.requests.first?.body.map { String(decoding: $0.bytes, as: UTF8.self) } == mapping.body)
        #expect(caller.requests.first?.fields.map { "\($0.name): \($0.value)" } == mapping.fields)
    }

    @Test(arguments: [
        ("find_links", #"{"aap":"shop"}"#, ["aap"]),
        ("find_links", #"{"app":{}}"#, ["app"]),
        ("find_links", #"{"app":[{}]}"#, ["app"]),
        ("find_links", #"{"app":[null]}"#, ["app"]),
        ("find_links", #"{"domain\u0000":"a"}"#, ["domain\u{0}"]),
        ("link_statistics", "{}", ["domain", "slug"]),
        ("link_statistics", #"{"domain":"a","slug":"b","format":"csv"}"#, ["format"]),
        ("update_link", #"{"domain":"..","slug":""}"#, ["domain", "slug"]),
        ("update_link", #"{"domain":1,"slug":null}"#, ["domain", "slug"]),
        ("update_link", #"{"domain":"a","slug":"b","ifMatch":"\"3\"\r\nAuthorization: Bearer x"}"#, ["ifMatch"]),
        ("create_link", #"{"idempotencyKey":"a\nb"}"#, ["idempotencyKey"]),
        ("create_link", #"{"idempotencyKey":7}"#, ["idempotencyKey"]),
        ("import_dry_run", #"{"source":"csv","file":"a","dryRun":false}"#, ["dryRun"]),
        ("import_dry_run", #"{"file":"a"}"#, ["source"]),
        ("explain_visit", "{}", ["url"]),
    ])
    func refusesWhatCannotBeSent(_ tool: String, _ arguments: String, _ fields: [String]) async {
        let caller = RecordingCaller()
        let result = await server.call(tool, arguments, caller)
        #expect(caller.requests.isEmpty)
        #expect(result["isError"] == JSONValue(true))
        #expect(result["structuredContent"]?["status"] == JSONValue(422))
        let named = result["structuredContent"]?["errors"]?.array?.compactMap { $0["field"]?.string }
        #expect(named == fields)
    }

    @Test func refusesMoreArgumentsThanThereCanBe() async {
        let many = (0..<1_000).map { "\"a\($0)\":[[]]" }.joined(separator: ",")
        let result = await server.call("find_links", "{\(many)}", RecordingCaller())
        #expect(result["structuredContent"]?["errors"]?.array?.first?["field"] == "arguments")
    }

    @Test func passesTheAnswerOn() async {
        let result = await server.call("find_links", "{}", RecordingCaller([(200, "{\"links\": [],\n \"n\": 1.50}")]))
        #expect(result["isError"] == JSONValue(false))
        #expect(result["structuredContent"]?["n"]?.number?.text == "1.50")
        #expect(result["content"]?.array?.count == 1)
        #expect(result["content"]?.array?.first?["type"] == "text")
        #expect(result["content"]?.array?.first?["text"]?.string == #"{"links": [],  "n": 1.50}"#)
    }

    @Test func passesARefusalOnAsAnError() async {
        let problem =
            #"{"type":"urn:waymark:problem:invalid-fields","title":"T","status":422,"detail":"D","errors":[{"field":"slug","problem":"is wrong"}]}"#
        let result = await server.call("create_link", "{}", RecordingCaller([(422, problem)]))
        #expect(result["isError"] == JSONValue(true))
        #expect(result["structuredContent"]?["detail"] == "D")
        #expect(result["content"]?.array?.first?["text"] == "T: D\nslug: is wrong")
    }

    @Test(arguments: [(502, "<html>"), (200, ""), (200, "[]"), (204, "")])
    func reportsAnAnswerThatIsNoObject(_ status: Int, _ body: String) async {
        let result = await server.call("find_links", "{}", RecordingCaller([(status, body)]))
        #expect(result["isError"] == JSONValue(true))
        #expect(result["structuredContent"] == nil)
        #expect(result["content"]?.array?.first?["text"]?.string?.contains("\(status)") == true)
    }

    @Test func reportsAServerThatCannotBeReached() async {
        let result = await server.call("find_links", "{}", RecordingCaller([]))
        #expect(result["isError"] == JSONValue(true))
        #expect(result["content"]?.array?.first?["text"] == "The server can't be reached.")
    }
}
