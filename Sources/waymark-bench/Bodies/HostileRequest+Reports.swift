extension HostileRequest {
    /// What apps and consoles send: resolves, claims, events, keys.
    static let reports: [HostileRequest] = resolves + claims + events + keys

    private static func post(
        _ name: String, _ path: String, _ count: Int, _ statuses: [Int] = [422, 422],
        _ members: @escaping @Sendable (Int) -> String
    ) -> HostileRequest {
        HostileRequest(name, path, count, statuses) { "{\(members($0))}" }
    }

    private static let resolves: [HostileRequest] = {
        func resolve(
            _ name: String, _ count: Int, _ statuses: [Int], _ members: @escaping @Sendable (Int) -> String
        ) -> HostileRequest {
            var request = post("resolve-" + name, "/api/v1/resolve", count, statuses, members)
            request.preparations = [call("POST", "/api/v1/links", ruledLink)]
            return request
        }
        return [
            resolve("unknown", 25_000, [422, 422]) { members($0, "[]") },
            resolve("path", 450_000, [422, 422]) { "\"smartlink\":\"https://go.example.com/\(repeated("a", $0))\"" },
            resolve("query", 280, [200, 200]) { count in
                "\"smartlink\":\"https://go.example.com/a?" + queryItems(count) + "\""
            },
            resolve("click-id", 450_000, [404, 404]) { "\"clickID\":\"\(repeated("a", $0))\"" },
            resolve("version", 200_000, [422, 422]) {
                "\"smartlink\":\"https://go.example.com/a\",\"appVersion\":\"\(repeated("1.", $0))1\""
            },
        ]
    }()

    private static let claims: [HostileRequest] = {
        func claim(
            _ name: String, _ count: Int, _ statuses: [Int] = [200, 200], _ members: @escaping @Sendable (Int) -> String
        ) -> HostileRequest {
            post("claim-" + name, "/api/v1/deferred/claim", count, statuses) {
                #""app":"shop","platform":"android",\#(members($0))"#
            }
        }
        return [
            claim("unknown", 35_000, [422, 422]) { members($0, "[]") },
            claim("id", 450_000, [422, 422]) { "\"installID\":\"\(repeated("a", $0))\"" },
            claim("referrer", 45_000) { "\"installID\":\"a\",\"referrer\":\"\(repeated("_hk_cid=b&", $0))\"" },
            claim("clipboard", 450_000) {
                "\"installID\":\"a\",\"clipboard\":\"https://go.example.com/\(repeated("a", $0))\""
            },
        ]
    }()

    private static let events: [HostileRequest] = {
        @Sendable func event(_ id: String, _ more: String = "") -> String {
            #"{"id":"\#(id)","type":"open","platform":"ios","at":"2026-11-21T10:00:00Z"\#(more)}"#
        }
        func report(
            _ name: String, _ count: Int, _ statuses: [Int] = [422, 422], _ events: @escaping @Sendable (Int) -> String
        ) -> HostileRequest {
            post("events-" + name, "/api/v1/events", count, statuses) { "\"events\":[\(events($0))]" }
        }
        return [
            report("count", 50, [202, 202]) { elements($0) { event("e\($0)") } },
            report("wide", 50_000) { elements($0) { _ in "{}" } },
            report("ids", 4_500) { count in elements(100) { event(repeated("a", 300 + count) + "\($0)") } },
            report("smartlinks", 4_500, [202, 202]) { count in
                elements(100) { event("e\($0)", #","smartlink":"ftp://\#(repeated("a", count))""#) }
            },
            report("unknown", 350) { count in elements(100) { event("e\($0)", "," + members(count, "0")) } },
        ]
    }()

    private static let keys: [HostileRequest] = [
        post("key-scopes", "/api/v1/keys", 70_000) { "\"name\":\"k\",\"scopes\":\(list($0, "\"read\""))" },
        post("key-name", "/api/v1/keys", 450_000) { "\"scopes\":[\"read\"],\"name\":\"\(repeated("a", $0))\"" },
        post("key-text", "/api/v1/keys", 450_000) {
            "\"name\":\"k\",\"scopes\":[\"read\"],\"key\":\"\(repeated("a", $0))\""
        },
        post("key-unknown", "/api/v1/keys", 35_000) { members($0, "0") },
    ]
}
