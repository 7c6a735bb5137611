import Testing
import WaymarkJSON

@testable import WaymarkSite

/// The tools as clients see them, against the API document.
@Suite struct ToolListTests {
    private static let names = [
        "find_links", "create_link", "update_link", "plan_change", "rehearse_change", "change_links", "verify_links",
        "verify_link", "link_statistics", "top_links", "explain_visit", "explain_difference", "lint_association",
        "simulate_association", "import_dry_run",
    ]

    private func tools() async -> [JSONValue] {
        let message = #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#
        let server = MCPServer(apiDocument: APIDocumentFile.bytes)
        guard case .message(let bytes) = await server.answer(to: Array(message.utf8), through: RecordingCaller()),
            let answer = try? JSONValue(parsing: bytes, depthLimit: 128)
        else { return [] }
        return answer["result"]?["tools"]?.array ?? []
    }

    @Test func listsTheTools() async {
        #expect(await tools().compactMap { $0["name"]?.string } == Self.names)
    }

    @Test func describesEachTool() async {
        for tool in await tools() {
            #expect(tool["title"]?.string?.isEmpty == false)
            #expect(tool["description"]?.string?.isEmpty == false)
            #expect(tool["inputSchema"]?["type"] == "object")
            #expect(tool["inputSchema"]?["additionalProperties"] == JSONValue(false))
            #expect(tool["outputSchema"]?["type"] == "object")
            let writes = ["create_link", "update_link", "change_links"].contains(tool["name"]?.string)
            #expect(tool["annotations"]?["readOnlyHint"] == JSONValue(!writes))
            #expect(tool["annotations"]?["destructiveHint"] == JSONValue(writes && tool["name"] != "create_link"))
        }
    }

    /// The names that the document gives the call's parameters and members, apart from those that are no arguments.
    @Test func takesTheArgumentsOfItsCall() async {
        let unused: [String: Set<String>] = [
            "link_statistics": ["format"], "top_links": ["format"], "import_dry_run": ["dryRun", "Expect"],
        ]
        let header = ["If-Match": "ifMatch", "Idempotency-Key": "idempotencyKey"]
        for (definition, tool) in zip(ToolDefinition.all, await tools()) {
            let item = APIDocumentFile.json["paths"]?[definition.path]
            let operation = item?[definition.method.lowercased()]
            var expected: Set<String> = []
            for parameter in (item?["parameters"]?.array ?? []) + (operation?["parameters"]?.array ?? []) {
                let name = Self.target(parameter)["name"]?.string ?? ""
                expected.insert(header[name] ?? name)
            }
            for content in operation?["requestBody"]?["content"]?.object?.members ?? [] {
                let schema = Self.target(content.value["schema"] ?? .null)
                expected.formUnion((schema["properties"]?.object?.members ?? []).map(\.name))
            }
            expected.subtract(unused[definition.name] ?? [])
            let arguments = (tool["inputSchema"]?["properties"]?.object?.members ?? []).map(\.name)
            #expect(Set(arguments) == expected, "\(definition.name)")
            #expect(arguments.count == expected.count, "\(definition.name)")
        }
    }

    @Test func `the tools have the schemas of the document`() async {
        let tools = await tools()
        let search = tools.first?["inputSchema"]?["properties"]?["search"]
        #expect(search?["maxLength"] == JSONValue(2048))
        #expect(search?["description"]?.string?.isEmpty == false)
        let update = tools.first { $0["name"] == "update_link" }?["inputSchema"]
        #expect(update?["required"] == JSONValue(["domain", "slug"]))
        #expect(update?["properties"]?["tags"]?["maxItems"] == JSONValue(16))
        let top = tools.first { $0["name"] == "top_links" }?["inputSchema"]?["properties"]
        #expect(top?["interval"]?["default"] == "total")
        let run = tools.first { $0["name"] == "import_dry_run" }?["inputSchema"]
        #expect(run?["required"] == JSONValue(["source"]))
        #expect(run?["properties"]?["file"]?["type"] == "string")
    }

    @Test func refersToNothing() async {
        func references(_ value: JSONValue) -> Int {
            (value.object?.members ?? []).reduce(0) { $0 + ($1.name == "$ref" ? 1 : 0) + references($1.value) }
                + (value.array ?? []).reduce(0) { $0 + references($1) }
        }
        #expect(await references(JSONValue(tools())) == 0)
    }

    /// Clients hold the result of a refused call to the schema too.
    @Test func allowsAProblemAsResult() async {
        for tool in await tools() {
            let alternatives = tool["outputSchema"]?["anyOf"]?.array ?? []
            #expect(alternatives.count == 2)
            #expect(alternatives.last?["required"] == JSONValue(["type", "title", "status", "detail"]))
        }
    }

    private static func target(_ value: JSONValue) -> JSONValue {
        guard let reference = value["$ref"]?.string else { return value }
        return reference.split(separator: "/").dropFirst().reduce(APIDocumentFile.json as JSONValue?) {
            $0?[String($1)]
        }
            ?? .null
    }
}
