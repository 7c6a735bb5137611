import Foundation
import Testing
import WaymarkJSON

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension EndToEnd {
    /// `/metrics` and the logs of a real server.
    @Suite struct MetricsTests {
        /// What `# TYPE` lines say: the type of each metric.
        private func types(_ text: String) -> [String: String] {
            var types: [String: String] = [:]
            for line in text.split(separator: "\n") where line.hasPrefix("# TYPE ") {
                let words = line.split(separator: " ").map(String.init)
                #expect(words.count == 4 && types[words[2]] == nil, "\(line)")
                types[words[2]] = words.last
            }
            return types
        }

        @Test func theDocumentListsWhatIsShownAndNothingElse() throws {
            let server = try Installation().start()
            #expect(try server.exchange(.create(Shop.gift())).status == 201)
            let shown = types(try server.exchange(.get("/metrics")).text)

            let document = try String(
                contentsOf: Executable.package.appendingPathComponent("docs/operations/metrics.md"), encoding: .utf8)
            var documented: [String: String] = [:]
            // TLS, ACME, PostgreSQL and ClickHouse are not on here, and neither Apple nor Google has fetched a file.
            let off = [
                "| `waymark_tls", "| `waymark_acme", "| `waymark_store_connection", "| `waymark_clickhouse",
                "| `waymark_association_fetches", "| `waymark_association_last_fetch",
            ]
            for line in document.split(separator: "\n")
            where line.hasPrefix("| `") && !off.contains(where: line.hasPrefix) {
                let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
                let name = cells[0].trimmingCharacters(in: ["`"])
                #expect(documented[name] == nil, "\(name) is there twice")
                documented[name] = cells[1]
            }
            #expect(documented == shown)
        }

        @Test(arguments: EventLoops.all)
        func requestsAreCountedByRouteAndStatus(eventLoop: String) throws {
            let server = try Installation().start(["--event-loop", eventLoop])
            let client = try server.connect()
            #expect(try client.exchange(.create(Shop.gift())).status == 201)
            for _ in 0..<5 { #expect(try client.exchange(.get("/gift", userAgent: Browser.desktop)).status == 302) }
            #expect(try client.exchange(.get("/nobody")).status == 404)
            #expect(try client.exchange(.api("GET", "/links/go.example.com/gift", key: nil)).status == 401)
            let text = try client.exchange(.get("/metrics")).text
            for line in [
                #"waymark_http_requests_total{route="/{slug}",method="GET",status="302"} 5"#,
                #"waymark_http_requests_total{route="/{slug}",method="GET",status="404"} 1"#,
                #"waymark_http_requests_total{route="/api/v1/links",method="POST",status="201"} 1"#,
                #"waymark_http_requests_total{route="/api/v1/links/{domain}/{slug}",method="GET",status="401"} 1"#,
                #"waymark_http_responses_total{class="3xx"} 5"#, "waymark_clicks_total 5",
                "waymark_clicks_dropped_total 0", #"waymark_http_lane_requests_total{lane="ready"} 3"#,
                #"waymark_store_failures_total{operation="create"} 0"#,
            ] {
                #expect(text.contains("\n\(line)\n"), "\(line)")
            }
        }

        @Test func prometheusOwnToolTakesIt() throws {
            let tool = URL(fileURLWithPath: "/usr/bin/promtool")
            // Only where it is installed; the format is held to by tests of its own, too.
            guard FileManager.default.isExecutableFile(atPath: tool.path) else { return }
            let server = try Installation().start()
            #expect(try server.exchange(.create(Shop.gift())).status == 201)
            let check = Process()
            check.executableURL = tool
            check.arguments = ["check", "metrics"]
            let (input, output) = (Pipe(), Pipe())
            check.standardInput = input
            check.standardOutput = output
            check.standardError = output
            try check.run()
            try input.fileHandleForWriting.write(contentsOf: Data(server.exchange(.get("/metrics")).body))
            try input.fileHandleForWriting.close()
            let said = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            check.waitUntilExit()
            #expect(check.terminationStatus == 0, "\(said)")
            #expect(said == "")
        }

        /// The access log's lines so far, each of which must be JSON.
        private func lines(_ file: URL) throws -> [JSONValue] {
            try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map {
                try JSONValue(parsing: String($0))
            }
        }

        @Test(arguments: EventLoops.all)
        func theAccessLogGoesToItsFileAndIsOpenedAnewOnSIGHUP(eventLoop: String) throws {
            let installation = try Installation(configuration: ["accessLog": true, "accessLogFile": "access.log"])
            let server = try installation.start(["--event-loop", eventLoop])
            let client = try server.connect()
            #expect(try client.exchange(.create(Shop.gift())).status == 201)
            #expect(try client.exchange(.get("/gift?token=secret", userAgent: "a\"b")).status == 302)
            let file = installation.folder.appendingPathComponent("access.log")
            func visits(_ file: URL) throws -> [JSONValue] { try lines(file).filter { $0["route"] == "/{slug}" } }
            try eventually("the visit is logged", holds: { try visits(file).count == 1 })
            let visit = try #require(try visits(file).first)
            #expect(visit["path"] == "/gift")
            #expect(visit["userAgent"] == "a\"b")
            #expect(visit["status"] == 302)
            #expect(try !String(contentsOf: file, encoding: .utf8).contains("secret"))

            let rotated = installation.folder.appendingPathComponent("access.log.1")
            try FileManager.default.moveItem(at: file, to: rotated)
            server.program.send(signal: SIGHUP)
            try eventually("the file is there again", holds: { FileManager.default.fileExists(atPath: file.path) })
            try eventually(
                "read again", holds: { server.program.errorText.contains("configuration read again") })
            #expect(try client.exchange(.get("/gift", userAgent: Browser.desktop)).status == 302)
            #expect(try server.stop() == .exit(0))
            #expect(try visits(file).count == 1)
            #expect(try visits(rotated).count == 1)
            #expect(!server.program.outputText.contains("\"path\""))
        }

        @Test func byDefaultVisitsAndProbesAreNotLogged() throws {
            let server = try Installation().start()
            let client = try server.connect()
            #expect(try client.exchange(.create(Shop.gift())).status == 201)
            #expect(try client.exchange(.get("/gift", userAgent: Browser.desktop)).status == 302)
            #expect(try client.exchange(.get("/nobody")).status == 404)
            #expect(try client.exchange(.get("/apple-app-site-association")).status == 200)
            #expect(try server.stop() == .exit(0))
            let routes = try server.program.outputText.split(separator: "\n").filter { $0.hasPrefix("{") }
                .map { try JSONValue(parsing: String($0))["route"]?.string ?? "" }
            #expect(Set(routes) == ["/api/v1/links", "/apple-app-site-association"])
        }

        @Test func `a server without an access log writes nothing`() throws {
            let server = try Installation(configuration: ["accessLog": "off"]).start()
            #expect(try server.exchange(.create(Shop.gift())).status == 201)
            #expect(try server.stop() == .exit(0))
            #expect(!server.program.outputText.contains("{"))
        }

        #if os(Linux)
            @Test func aFullDiskCostsLinesAndNothingElse() throws {
                let installation = try Installation(
                    configuration: ["accessLog": true, "accessLogFile": "/dev/full", "threads": 1])
                let server = try installation.start()
                let client = try server.connect()
                #expect(try client.exchange(.create(Shop.gift())).status == 201)
                // More than the memory for waiting lines.
                let path = "/gift" + String(repeating: "x", count: 2_000)
                let batch = Array(repeatElement(Request.get(path).bytes, count: 100).joined())
                for _ in 0..<30 {
                    try client.send(batch)
                    for _ in 0..<100 { #expect(try client.receive().status == 404) }
                }
                let text = try client.exchange(.get("/metrics")).text
                let dropped = text.firstMatch(of: /\nwaymark_access_log_dropped_lines_total (\d+)\n/)
                #expect(Int(dropped?.1 ?? "") ?? 0 > 0)
                #expect(try server.stop() == .exit(0))
            }
        #endif
    }
}
