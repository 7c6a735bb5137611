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
        }
    }
#endif
