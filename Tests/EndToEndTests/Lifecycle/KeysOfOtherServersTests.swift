#if PostgreSQL
    import WaymarkTestSupport
    import Testing
    import WaymarkJSON

    extension EndToEnd {
        /// Two servers on one database.
        @Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL's server programs are not installed"))
        struct KeysOfOtherServersTests {
            @Test func aKeyWorksOnEveryServerAtOnceAndIsRefusedSoonAfter() throws {
                let fleet = try Fleet()
                let servers = try (0..<fleet.count).map { try Connection(port: #require(fleet.port(of: $0))) }
                for number in 0..<30 {
                    let (maker, other) = (servers[number % servers.count], servers[(number + 1) % servers.count])
                    let made = try maker.exchange(.api("POST", "/keys", #"{"name": "app", "scopes": ["links"]}"#))
                    #expect(made.status == 201)
                    let key = try #require(made.json["key"]?.string)
                    #expect(try other.exchange(.api("GET", "/links", key: key)).status == 200)
                    let id = try #require(made.json["id"]?.string)
                    #expect(try maker.exchange(.api("DELETE", "/keys/\(id)")).status == 204)
                    try eventually(
                        "it is refused", holds: { try other.exchange(.api("GET", "/links", key: key)).status == 401 })
                }
            }

            @Test func importsAreStoppedByEveryServerAndByTheEndOfTheirKey() throws {
                let fleet = try Fleet(configuration: ["webhooks": ["allowedNetworks": ["127.0.0.0/8"]]])
                let servers = try (0..<fleet.count).map { try Connection(port: #require(fleet.port(of: $0))) }
                let made = try servers[0].exchange(.api("POST", "/keys", #"{"name": "app", "scopes": ["links"]}"#))
                let (id, key) = (try #require(made.json["id"]?.string), try #require(made.json["key"]?.string))
                // Nobody listens: it tries again for a minute.
                let body =
                    #"{"source": "shlink", "app": "shop", "credentials": {"apiKey": "k", "apiURL": "http://127.0.0.1:1"}}"#
                func start() throws -> String {
                    let answer = try servers[0].exchange(.api("POST", "/imports", body, key: key))
                    #expect(answer.status == 202, "\(answer.text)")
                    return String(try #require(answer["Location"]?.dropFirst("/api/v1".count)))
                }
                let (first, second) = (try start(), try start())
                #expect(try servers[1].exchange(.api("GET", first, key: key)).json["state"] == "running")
                #expect(try servers[1].exchange(.api("DELETE", first, key: key)).status == 204)
                #expect(try servers[1].exchange(.api("GET", first)).json["state"] == "stopped")
                #expect(try servers[1].exchange(.api("DELETE", "/keys/\(id)")).status == 204)
                try eventually(
                    "the other one ends",
                    holds: {
                        try servers[1].exchange(.api("GET", second)).json["error"]?.string?.contains("revoked") == true
                    })
            }
        }
    }
#endif
