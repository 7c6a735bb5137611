import Testing
import WaymarkJSON
import WaymarkServer

@testable import WaymarkSite

/// `/_/mcp`: who may call it, what it takes, and that its tools are the API.
@Suite struct MCPRouteTests {
    private static let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#

    /// The result of a tool.
    private static func call(
        _ fixture: SiteFixture, _ tool: String, _ arguments: String, key: String = SiteFixture.adminKey
    ) async throws -> JSONValue {
        let parameters = #"{"name":"\#(tool)","arguments":\#(arguments)}"#
        let message = #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":\#(parameters)}"#
        let answer = try await fixture.call("POST", "/_/mcp", message, key: key)
        #expect(answer.status == 200, "\(answer.text)")
        #expect(answer[header: "Content-Type"] == "application/json")
        return answer.json["result"] ?? .null
    }

    @Test(arguments: TransportKind.allCases)
    func answersRequestsAndTakesNotifications(_ transport: TransportKind) async throws {
        try await SiteFixture.run(transport) { fixture in
            let answer = try await fixture.call("POST", "/_/mcp", Self.ping)
            #expect(answer.status == 200)
            #expect(answer.text == #"{"jsonrpc":"2.0","id":1,"result":{}}"#)
            #expect(answer[header: "Cache-Control"] == "no-store")
            let notification = try await fixture.call(
                "POST", "/_/mcp", #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
            #expect(notification.status == 202)
            #expect(notification.body.isEmpty)
            let batch = try await fixture.call("POST", "/_/mcp", "[\(Self.ping)]")
            #expect(batch.status == 400)
            #expect(batch.json["error"]?["code"]?.integer == -32600)
        }
    }

    @Test(arguments: ["GET", "DELETE", "HEAD"])
    func answersNoOtherMethod(_ method: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let answer = try await fixture.call(method, "/_/mcp")
            #expect(answer.status == 405)
            #expect(answer[header: "Allow"] == "POST")
        }
    }

    @Test(arguments: [nil, "wm_unknown0123456789abcdefghijklmnopqrstuvw", "short"])
    func needsAKey(_ key: String?) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let answer = try await fixture.call("POST", "/_/mcp", Self.ping, key: key)
            #expect(answer.status == 401)
            #expect(answer[header: "WWW-Authenticate"]?.hasPrefix("Bearer ") == true)
            #expect(answer.problem == "key-unknown")
        }
    }

    /// Its own origin, on a host of the shop, on this machine or on the admin listener.
    @Test(arguments: [
        (nil, "api.test", 200), ("http://api.test", "api.test", 403), ("http://go.example.com", "go.example.com", 200),
        ("http://GO.example.com", "go.example.com", 200), ("https://go.example.com", "go.example.com", 403),
        ("http://go.example.com:81", "go.example.com", 403), ("http://go.example.com", "api.test", 403),
        ("http://localhost:8080", "localhost:8080", 200), ("http://127.0.0.1", "127.0.0.1", 200),
        ("http://[::1]:1", "[::1]:1", 200), ("http://evil.test", "localhost", 403), ("null", "localhost", 403),
        ("", "localhost", 403),
    ])
    func refusesForeignPages(_ origin: String?, _ host: String, _ status: Int) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let headers = origin.map { [("Origin", $0)] } ?? []
            let answer = try await fixture.call("POST", "/_/mcp", Self.ping, host: host, headers: headers)
            #expect(answer.status == status)
            if status == 403 { #expect(answer.problem == "origin-forbidden") }
        }
    }

    @Test func servesTheAdminListenerOnlyIfThereIsOne() async throws {
        var options = SiteFixture.options()
        options.hasAdminListener = true
        try await SiteFixture.run(.inProcess, options: options) { fixture in
            for target in ["/_/mcp", "/_/llms.txt", "/_/docs/concepts.md"] {
                for method in ["GET", "POST"] {
                    let answer = try await fixture.call(method, target, method == "POST" ? Self.ping : nil)
                    #expect(answer.status == 404, "\(method) \(target)")
                }
            }
        }
        try await SiteFixture.run(.inProcess, options: options, role: .admin) { fixture in
            let headers = [("Origin", "http://admin.test")]
            let answer = try await fixture.call("POST", "/_/mcp", Self.ping, host: "admin.test", headers: headers)
            #expect(answer.status == 200)
        }
    }

    @Test(arguments: [
        ("Accept", "application/json, text/event-stream", 200), ("Accept", "*/*", 200),
        ("Accept", "application/*", 200),
        ("Accept", "text/event-stream", 200), ("Accept", "text/html", 406), ("Accept", "application/json;q=0", 406),
        ("MCP-Protocol-Version", "2025-11-25", 200), ("MCP-Protocol-Version", "2025-06-18", 200),
        ("MCP-Protocol-Version", "2025-03-26", 400), ("MCP-Protocol-Version", "2026-07-28", 400),
        ("MCP-Protocol-Version", "1", 400), ("Content-Type", "text/plain", 415),
        ("Content-Encoding", "gzip", 415), ("Mcp-Session-Id", "anything", 200),
    ])
    func checksTheFields(_ name: String, _ value: String, _ status: Int) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            var headers = [(name, value)]
            if name != "Content-Type" { headers.append(("Content-Type", "application/json")) }
            let answer = try await fixture.call("POST", "/_/mcp", Self.ping, headers: headers)
            #expect(answer.status == status)
        }
    }

    @Test func refusesABodyThatIsTooLarge() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let answer = try await fixture.call("POST", "/_/mcp", Self.ping + String(repeating: " ", count: 1 << 20))
            #expect(answer.status == 413)
        }
    }

    /// An array of so many elements as an argument, and the field that the refusal names.
    @Test(arguments: [
        ("create_link", "tags", "\"\"", "tags"), ("create_link", "rules", "{}", "rules"),
        ("find_links", "app", "[]", "app"),
        ("find_links", "x", "{}", "x"),
    ])
    func refusesLargeArguments(_ tool: String, _ name: String, _ element: String, _ field: String) async throws {
        let list = repeatElement(element, count: 30_000).joined(separator: ",")
        try await SiteFixture.run(.inProcess) { fixture in
            let result = try await Self.call(fixture, tool, "{\"\(name)\":[\(list)]}")
            #expect(result["isError"] == JSONValue(true))
            let errors = result["structuredContent"]?["errors"]?.array ?? []
            #expect(errors.contains { $0["field"]?.string == field }, "\(errors.prefix(3).map { $0.text() })")
            #expect(errors.count <= 200)
        }
    }

    @Test func createsFindsChangesAndExplainsALink() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let created = try await Self.call(
                fixture, "create_link", #"{"slug":"spring/sale","urls":{"web":"https://www.example.com/sale"}}"#)
            #expect(created["isError"] == JSONValue(false), "\(created.text())")
            #expect(created["structuredContent"]?["slug"] == "spring/sale")
            let text = try #require(created["content"]?.array?.first?["text"]?.string)
            #expect(try JSONValue(parsing: text) == created["structuredContent"])
            let domain = try #require(created["structuredContent"]?["domain"]?.string)

            let found = try await Self.call(fixture, "find_links", #"{"search":"sale"}"#)
            #expect(found["structuredContent"]?["links"]?.array?.count == 1)
            let address = #""domain":"\#(domain)","slug":"spring/sale""#
            let stale = try await Self.call(fixture, "update_link", #"{\#(address),"ifMatch":"\"7\"","title":"T"}"#)
            #expect(stale["structuredContent"]?["status"] == JSONValue(412))
            let changed = try await Self.call(fixture, "update_link", #"{\#(address),"ifMatch":"\"1\"","title":"T"}"#)
            #expect(changed["structuredContent"]?["title"] == "T")
            let clicks = try await Self.call(fixture, "link_statistics", "{\(address)}")
            #expect(clicks["structuredContent"]?["total"]?["people"] == JSONValue(0))
            let top = try await Self.call(fixture, "top_links", "{}")
            #expect(top["isError"] == JSONValue(false), "\(top.text())")
            let explained = try await Self.call(
                fixture, "explain_visit", #"{"url":"https://\#(domain)/spring/sale"}"#)
            #expect(explained["structuredContent"]?["outcome"] == "redirect")
        }
    }

    @Test func checksAndSimulatesAssociationFiles() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let lint = try await Self.call(fixture, "lint_association", #"{"application":"shop"}"#)
            #expect(lint["structuredContent"]?["findings"]?.array != nil, "\(lint.text())")
            let simulated = try await Self.call(
                fixture, "simulate_association", #"{"application":"shop","url":"https://go.example.com/a"}"#)
            #expect(simulated["structuredContent"]?["opens"]?.bool != nil, "\(simulated.text())")
        }
    }

    @Test func triesAnImport() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let csv = "slug,target\\na,https://www.example.com/a\\n,nothing\\n"
            let map = #"{"slug":"slug","target":"urls.web"}"#
            let result = try await Self.call(
                fixture, "import_dry_run", #"{"source":"csv","map":\#(map),"file":"\#(csv)"}"#)
            #expect(result["structuredContent"]?["state"] == "finished", "\(result.text())")
            #expect(result["structuredContent"]?["dryRun"] == JSONValue(true))
            #expect(result["structuredContent"]?["counts"]?["created"] == JSONValue(1))
            let report = result["content"]?.array?.last?["text"]?.string
            #expect(report?.hasPrefix("row,outcome,slug,smartlink,reason") == true)
            let links = try await fixture.call("GET", "/api/v1/links")
            #expect(links.json["links"]?.array?.isEmpty == true)
        }
    }

    /// The scope of the key decides for each tool, as in the API.
    @Test(arguments: [
        ("read", "create_link", #"{"urls":{"web":"https://www.example.com/"}}"#, true),
        ("read", "find_links", "{}", false), ("create", "find_links", "{}", true),
        ("create", "create_link", #"{"urls":{"web":"https://shop.example.com/"}}"#, false),
        ("resolve", "find_links", "{}", true), ("read", "lint_association", #"{"application":"shop"}"#, true),
        ("links", "lint_association", #"{"application":"shop"}"#, false),
    ])
    func `a tool has the rights of the key`(_ scope: String, _ tool: String, _ arguments: String, _ isRefused: Bool)
        async throws
    {
        try await SiteFixture.run(.inProcess) { fixture in
            let result = try await Self.call(fixture, tool, arguments, key: try await fixture.key([scope]))
            #expect(result["isError"] == JSONValue(isRefused), "\(result.text())")
            guard isRefused else { return }
            #expect(result["structuredContent"]?["type"] == "urn:waymark:problem:scope-missing")
            #expect(result["content"]?.array?.first?["text"]?.string?.contains("scope") == true)
        }
    }

    @Test func limitsCallersAsTheAPIDoes() async throws {
        var options = SiteFixture.limitedOptions()
        options.callerLimits[.statistics] = RateLimit(perMinute: 1, burst: 1)
        options.callerLimits[.failedAuthentication] = RateLimit(perMinute: 1, burst: 1)
        try await SiteFixture.run(.inProcess, options: options) { fixture in
            let first = try await Self.call(fixture, "top_links", "{}")
            #expect(first["isError"] == JSONValue(false))
            #expect(try await fixture.call("GET", "/api/v1/clicks").status == 429)
            let second = try await Self.call(fixture, "top_links", "{}")
            #expect(second["structuredContent"]?["status"] == JSONValue(429))
            #expect(try await fixture.call("POST", "/_/mcp", Self.ping, key: nil).status == 401)
            #expect(try await fixture.call("POST", "/_/mcp", Self.ping, key: nil).status == 429)
            #expect(try await fixture.call("POST", "/_/mcp", Self.ping).status == 200)
        }
    }
}
