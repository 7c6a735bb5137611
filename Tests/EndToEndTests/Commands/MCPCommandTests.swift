import Foundation
import Testing
import WaymarkJSON

extension EndToEnd {
    /// `waymark mcp`: against a running server, and on the database.
    @Suite struct MCPCommandTests {
        private static func call(_ id: Int, _ tool: String, _ arguments: String) -> String {
            let parameters = #"{"name":"\#(tool)","arguments":\#(arguments)}"#
            return #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":\#(parameters)}"#
        }

        /// One conversation: an answer for each request, in order, and nothing else on standard output.
        private static let messages = [
            #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#,
            #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            "",
            #"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#,
            call(3, "create_link", #"{"slug":"gift","urls":{"web":"https://www.example.com/gift"}}"#),
            call(4, "create_link", #"{"slug":"gift","urls":{"web":"https://www.example.com/other"}}"#),
            call(5, "find_links", "{}"),
            call(
                6, "import_dry_run",
                #"{"source":"csv","map":{"s":"slug","t":"urls.web"},"file":"s,t\na,https://www.example.com/\n"}"#),
            "no JSON",
            #"{"jsonrpc":"2.0","id":8,"method":"ping","params":{"a":""# + String(repeating: "a", count: 2 << 20)
                + #""}}"#,
            #"{"jsonrpc":"2.0","id":9,"method":"ping"}"#,
        ]

        @Test(arguments: CommandLocation.allCases)
        func speaksOverStandardInputAndOutput(location: CommandLocation) throws {
            let installation = try Installation()
            let input = Self.messages.joined(separator: "\n")
            var arguments = ["mcp"]
            var environment: [String: String] = [:]
            var server: RunningServer?
            if location == .server {
                let running = try installation.start()
                arguments += ["--url", "http://127.0.0.1:\(running.port)"]
                environment["WAYMARK_KEY"] = Installation.adminKey
                server = running
            } else {
                _ = try installation.start().stop()
                arguments += ["--config", installation.configurationFile.path]
            }
            let run = try installation.run(arguments, environment: environment, input: input)
            withExtendedLifetime(server) {}
            #expect(run.end == .exit(0), "\(run.errors)")
            let lines = run.output.split(separator: "\n")
            let answers = try lines.map { try JSONValue(parsing: String($0), depthLimit: 128) }
            try #require(answers.count == 9, "\(run.errors)")
            #expect(answers.map { $0["id"]?.integer } == [1, 2, 3, 4, 5, 6, nil, nil, 9])
            #expect(answers[0]["result"]?["protocolVersion"] == "2025-11-25")
            #expect(answers[1]["result"]?["tools"]?.array?.count == 15)
            #expect(answers[2]["result"]?["structuredContent"]?["slug"] == "gift")
            #expect(answers[3]["result"]?["isError"] == JSONValue(true))
            #expect(answers[3]["result"]?["structuredContent"]?["status"] == JSONValue(409))
            #expect(answers[4]["result"]?["structuredContent"]?["links"]?.array?.count == 1)
            #expect(answers[5]["result"]?["structuredContent"]?["counts"]?["created"] == JSONValue(1))
            #expect(answers[5]["result"]?["content"]?.array?.last?["text"]?.string?.hasPrefix("row,outcome") == true)
            #expect(answers[6]["error"]?["code"] == JSONValue(-32700))
            #expect(answers[7]["error"]?["code"] == JSONValue(-32600))
        }

        @Test func needsAKeyForAServer() throws {
            let run = try Installation().run(["mcp", "--url", "http://127.0.0.1:1"], input: Self.messages[0])
            #expect(run.end == .exit(2))
            #expect(run.output.isEmpty)
        }

        @Test func reportsAServerThatIsAway() throws {
            let run = try Installation().run(
                ["mcp", "--url", "http://127.0.0.1:1"], environment: ["WAYMARK_KEY": Installation.adminKey],
                input: Self.call(1, "find_links", "{}"))
            #expect(run.end == .exit(0))
            let answer = try JSONValue(parsing: run.output.split(separator: "\n").first.map(String.init) ?? "")
            #expect(answer["result"]?["isError"] == JSONValue(true))
            #expect(answer["result"]?["content"]?.array?.first?["text"]?.string?.contains("can't be reached") == true)
        }
    }
}
