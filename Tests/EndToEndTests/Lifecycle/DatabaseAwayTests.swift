#if PostgreSQL
    import Foundation
    import WaymarkTestSupport
    import Testing
    import WaymarkJSON

    extension EndToEnd {
        /// A server whose database goes away, and comes back.
        @Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL's server programs are not installed"))
        struct DatabaseAwayTests {
            private static let slug =
                #"{"slug": "SLUG", "urls": {"web": "https://shop.example.com/a"}, MORE"tags": []}"#

            private func link(_ slug: String, _ more: String = "") -> Request {
                .create(
                    Self.slug.replacingOccurrences(of: "SLUG", with: slug).replacingOccurrences(of: "MORE", with: more))
            }

            private func visit(_ slug: String) -> Request { .get("/\(slug)", userAgent: Browser.desktop) }

            private func installation(
                on database: PostgresServer, _ more: JSONObject = JSONObject()
            ) throws -> Installation {
                var configuration = more
                configuration["database"] = JSONValue(try database.database())
                return try Installation(configuration: configuration)
            }

            private func expectAway(_ answer: Answer, _ comment: String) {
                #expect(answer.status == 503, "\(comment): \(answer)")
                #expect(answer["Retry-After"].flatMap { Int($0) } ?? 0 > 0, "\(comment): \(answer)")
            }

            @Test func aDatabaseThatAServerUsesIsNotMoved() throws {
                let database = try PostgresServer()
                let url = try database.database()
                var configuration = JSONObject()
                configuration["database"] = JSONValue(url)
                let installation = try Installation(configuration: configuration)
                let target = "sqlite:\(installation.folder.appendingPathComponent("moved.sqlite").path)"
                func migrate() throws -> CommandRun {
                    try installation.run([
                        "migrate", "--from", url, "--to", target, "--config", installation.configurationFile.path,
                    ])
                }
                let server = try installation.start()
                #expect(try server.connect().exchange(link("kept")).status == 201)
                let refused = try migrate()
                #expect(refused.end == .exit(1) && refused.errors.contains("stop them first"), "\(refused)")
                try server.stop()
                let moved = try migrate()
                #expect(moved.end == .exit(0) && moved.output.contains("1 links"), "\(moved)")
            }

            @Test func `cached links go on and other requests are put off`() throws {
                let database = try PostgresServer()
                let server = try installation(on: database).start()
                let client = try server.connect()
                for slug in ["hot", "cold"] { #expect(try client.exchange(link(slug)).status == 201) }
                #expect(try client.exchange(link("few", #""maxClicks": 1000, "#)).status == 201)
                for slug in ["hot", "few"] { #expect(try client.exchange(visit(slug)).status == 302) }

                try database.stop()
                // Until it has noticed, clicks that it has reserved may go on.
                try eventually("it notices", holds: { try client.exchange(visit("few")).status == 503 })
                for _ in 0..<3 {
                    let redirect = try client.exchange(visit("hot"))
                    #expect(redirect.status == 302)
                    #expect(redirect["Location"] == "https://shop.example.com/a")
                }
                #expect(try client.exchange(.get("/.well-known/apple-app-site-association")).status == 200)
                #expect(try client.exchange(.get("/healthz")).status == 200)
                expectAway(try client.exchange(.get("/readyz")), "readyz")
                expectAway(try client.exchange(visit("cold")), "not cached")
                expectAway(try client.exchange(visit("nobody")), "no such link, as far as anybody knows")
                expectAway(try client.exchange(visit("few")), "a limit on clicks")
                let calls: [Request] = [
                    .resolve(#"{"smartlink": "https://go.example.com/hot"}"#), link("new"),
                    .api("GET", "/links/go.example.com/hot"), .api("GET", "/links"), .api("GET", "/apps"),
                    .api("PATCH", "/links/go.example.com/hot", #"{"disabled": true}"#),
                    .api("DELETE", "/links/go.example.com/hot"), .api("GET", "/keys"),
                ]
                for call in calls {
                    let answer = try client.exchange(call)
                    expectAway(answer, "\(call.method) \(call.target)")
                    #expect(answer.problem == "store-unavailable")
                }

                try database.start()
                try eventually("ready", holds: { try client.exchange(.get("/readyz")).status == 200 })
                for slug in ["hot", "cold", "few"] { #expect(try client.exchange(visit(slug)).status == 302) }
                #expect(try client.exchange(visit("nobody")).status == 404)
                #expect(try client.exchange(link("new")).status == 201)
                #expect(try client.exchange(.resolve(#"{"smartlink": "https://go.example.com/hot"}"#)).status == 200)
            }

            @Test func cachedLinksGoOnNoLongerThanIsConfigured() throws {
                let database = try PostgresServer()
                let server = try installation(on: database, ["staleSeconds": 0]).start()
                let client = try server.connect()
                #expect(try client.exchange(link("hot")).status == 201)
                #expect(try client.exchange(visit("hot")).status == 302)
                try database.stop()
                try eventually("nothing goes on", holds: { try client.exchange(visit("hot")).status == 503 })
                try database.start()
                try eventually("it is back", holds: { try client.exchange(visit("hot")).status == 302 })
            }

            private func spool(in installation: Installation) throws -> [String] {
                try FileManager.default.contentsOfDirectory(atPath: installation.folder.path)
                    .filter { $0.hasPrefix("waymark.clicks-") }
            }

            private func people(_ client: Connection) throws -> Int? {
                let answer = try client.exchange(.api("GET", "/links/go.example.com/hot/clicks"))
                return answer.json["total"]?["people"]?.integer
            }

            /// Two servers with one working directory, both of which a crash ends while the database is away.
            @Test func `records of servers that crashed without it are there once`() throws {
                let database = try PostgresServer()
                let installation = try installation(on: database, ["clicks": ["flushSeconds": 1]])
                var servers = [try installation.start(), try installation.start()]
                #expect(try servers[0].connect().exchange(link("hot")).status == 201)
                for server in servers { #expect(try server.connect().exchange(visit("hot")).status == 302) }
                try database.stop()
                for server in servers {
                    let client = try server.connect()
                    for _ in 0..<50 { #expect(try client.exchange(visit("hot")).status == 302) }
                }
                try eventually(
                    "all records are in files",
                    holds: {
                        try servers.allSatisfy {
                            try $0.exchange(.get("/metrics")).text.contains("waymark_click_records_waiting 0\n")
                        } && spool(in: installation).count == 2
                    })
                for server in servers { try server.crash() }
                try database.start()
                servers = [try installation.start(), try installation.start()]
                let client = try servers[1].connect()
                try eventually("they are stored", holds: { try people(client) == 102 })
                try eventually("their files are deleted", holds: { try spool(in: installation).isEmpty })
                for server in servers { #expect(try server.stop() == .exit(0)) }
            }

            @Test func `a stop without it keeps records for the next start`() throws {
                let database = try PostgresServer()
                let installation = try installation(on: database, ["clicks": ["flushSeconds": 60]])
                let server = try installation.start()
                let client = try server.connect()
                #expect(try client.exchange(link("hot")).status == 201)
                #expect(try client.exchange(visit("hot")).status == 302)
                try eventually("the click is written", holds: { try people(client) == 1 })
                try database.stop()
                for _ in 0..<3 { #expect(try client.exchange(visit("hot")).status == 302) }
                try server.stop()
                #expect(server.program.errorText.contains("; the next start writes them"))
                try database.start()
                let next = try installation.start().connect()
                try eventually("they are stored", holds: { try people(next) == 4 })
            }

            @Test(arguments: [3, 0])
            func saysHowManyRecordsAreLostWhenItStopsWithoutIt(clicks: Int) throws {
                let database = try PostgresServer()
                let server = try installation(on: database, ["clicks": ["flushSeconds": 60, "spoolBytes": 0]]).start()
                let client = try server.connect()
                #expect(try client.exchange(link("hot")).status == 201)
                #expect(try client.exchange(visit("hot")).status == 302)
                // Written with the rest of the first minute, which a report asks for.
                try eventually(
                    "the click is written",
                    holds: {
                        let report = try client.exchange(.api("GET", "/links/go.example.com/hot/clicks?by=platform"))
                        return report.text.contains(#""clicks":1"#) || report.text.contains(#""people":1"#)
                    })
                try database.stop()
                for _ in 0..<clicks { #expect(try client.exchange(visit("hot")).status == 302) }
                try server.stop()
                let lost = server.program.errorLines.filter { $0.contains("records of clicks") }
                #expect(lost.count == (clicks == 0 ? 0 : 1), "\(lost)")
                if clicks > 0 { #expect(lost[0].contains("3 records of clicks are lost"), "\(lost)") }
            }

            @Test func aDatabaseThatStandsStillKeepsNobodyWaiting() throws {
                let database = try PostgresServer()
                let server = try installation(on: database).start()
                let client = try server.connect()
                #expect(try client.exchange(link("hot")).status == 201)
                #expect(try client.exchange(visit("hot")).status == 302)
                // All of its processes: each connection has one.
                let processes = try database.processes()
                for process in processes { kill(process, SIGSTOP) }
                defer { for process in processes { kill(process, SIGCONT) } }
                expectAway(try client.exchange(.api("GET", "/links/go.example.com/hot")), "a call")
                #expect(try client.exchange(visit("hot")).status == 302)
            }

            @Test func aServerThatStartsWithoutItComesUpNotReadyAndRecovers() throws {
                let database = try PostgresServer()
                let installation = try installation(on: database)
                try database.stop()
                let program = try installation.serve([], environment: [:])
                let port = try eventually("it listens") { () throws -> UInt16? in
                    guard program.isRunning else { throw DidNotHappen(description: program.errorText) }
                    return RunningServer.port(in: program.errorText)
                }
                let client = try Connection(port: port)
                #expect(try client.exchange(.get("/healthz")).status == 200)
                expectAway(try client.exchange(.get("/readyz")), "readyz")
                expectAway(try client.exchange(visit("hot")), "a visit")
                expectAway(try client.exchange(.get("/.well-known/apple-app-site-association")), "association")
                expectAway(try client.exchange(.api("GET", "/links")), "a call whose key nobody can look up")
                #expect(installation.firstAdminKey == nil)
                try database.start()
                try eventually("ready", holds: { try client.exchange(.get("/readyz")).status == 200 })
                #expect(try client.exchange(visit("hot")).status == 404)
                #expect(try client.exchange(.get("/.well-known/apple-app-site-association")).status == 200)
                // The first admin key waits for the store too.
                let key = try eventually("the key") { installation.firstAdminKey }
                #expect(try client.exchange(.api("GET", "/links", key: key)).status == 200)
                program.send(signal: SIGTERM)
                #expect(try program.wait() == .exit(0))
            }

            @Test func aDatabaseThatWillNeverTakeItEndsTheStart() throws {
                let database = try PostgresServer()
                let url = try database.database().replacingOccurrences(of: "/test1?", with: "/nowhere?")
                let installation = try Installation(configuration: ["database": JSONValue(url)])
                let program = try installation.serve()
                #expect(try program.wait() == .exit(1))
                #expect(program.errorLines.count == 1)
                #expect(program.errorText.contains("no such database"), "\(program.errorText)")
            }
        }
    }
#endif
