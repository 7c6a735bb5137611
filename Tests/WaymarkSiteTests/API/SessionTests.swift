import Testing
import WaymarkBytes
import WaymarkJSON
import WaymarkServer
import WaymarkService
import WaymarkSockets

@testable import WaymarkSite

/// Dashboard sessions as a browser and an attacker see them.
@Suite struct SessionTests {
    private static let marks = [("X-Waymark-Dashboard", "1"), ("Sec-Fetch-Site", "same-origin")]

    /// Signs in, and returns the cookie as the browser sends it.
    private func signIn(_ fixture: SiteFixture, key: String = SiteFixture.adminKey, host: String = "api.test")
        async throws -> (String, String)
    {
        let answer = try await fixture.call("POST", "/_/session", #"{"key": "\#(key)"}"#, key: nil, host: host)
        try #require(answer.status == 204, "\(answer.text)")
        let field = try #require(answer[header: "Set-Cookie"])
        return ("Cookie", String(field.prefix { $0 != ";" }))
    }

    @Test(arguments: TransportKind.allCases)
    func lastsFromSignInToSignOut(kind: TransportKind) async throws {
        try await SiteFixture.run(kind) { fixture in
            #expect(try await fixture.call("GET", "/_/session", key: nil).status == 401)
            let cookie = try await signIn(fixture)
            let session = try await fixture.call("GET", "/_/session", key: nil, headers: [cookie])
            #expect(session.status == 200)
            #expect(session.json["name"] == "environment")
            #expect(session.json["app"] == .null)
            #expect(session.json["scopes"]?.array == ["admin"])
            #expect(session.json["expiresAt"] == "2026-11-21T22:00:00Z")
            #expect(try await fixture.call("GET", "/api/v1/links", key: nil, headers: [cookie]).status == 200)
            let end = try await fixture.call("DELETE", "/_/session", key: nil, headers: [cookie] + Self.marks)
            #expect(end.status == 204)
            #expect(end[header: "Set-Cookie"]?.hasPrefix("waymark=; Path=/; Max-Age=0;") == true)
            #expect(try await fixture.call("GET", "/_/session", key: nil, headers: [cookie]).status == 401)
            #expect(try await fixture.call("GET", "/api/v1/links", key: nil, headers: [cookie]).status == 401)
        }
    }

    @Test func endsAfterTwelveHours() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let cookie = try await signIn(fixture)
            fixture.clock.advance(seconds: 12 * 3_600 - 1)
            #expect(try await fixture.call("GET", "/_/session", key: nil, headers: [cookie]).status == 200)
            fixture.clock.advance(seconds: 1)
            #expect(try await fixture.call("GET", "/_/session", key: nil, headers: [cookie]).status == 401)
        }
    }

    @Test func endsWithItsKeyAndHasItsScopes() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let made = try await fixture.call(
                "POST", "/api/v1/keys", #"{"name": "Ana", "scopes": ["read"], "app": "shop"}"#)
            let key = try #require(made.json["key"]?.string)
            let cookie = try await signIn(fixture, key: key)
            let session = try await fixture.call("GET", "/_/session", key: nil, headers: [cookie])
            #expect(session.json["name"] == "Ana" && session.json["app"] == "shop")
            let creation = try await fixture.call(
                "POST", "/api/v1/links", SiteFixture.plain, key: nil, headers: [cookie] + Self.marks)
            #expect(creation.json["type"] == "urn:waymark:problem:scope-missing")
            let id = try #require(made.json["id"]?.string)
            #expect(try await fixture.call("DELETE", "/api/v1/keys/\(id)").status == 204)
            #expect(try await fixture.call("GET", "/_/session", key: nil, headers: [cookie]).status == 401)
        }
    }

    @Test func `a session is not a key and not listed as one`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let cookie = try await signIn(fixture)
            let secret = try #require(cookie.1.split(separator: "=").last.map(String.init))
            #expect(try await fixture.call("GET", "/api/v1/links", key: secret).status == 401)
            let again = try await fixture.call("POST", "/_/session", #"{"key": "\#(secret)"}"#, key: nil)
            #expect(again.status == 401)
            #expect(try await fixture.call("GET", "/api/v1/keys").json["keys"]?.array?.isEmpty == true)
            // A key is no secret of a session.
            let answer = try await fixture.call(
                "GET", "/_/session", key: nil, headers: [("Cookie", "waymark=\(SiteFixture.adminKey)")])
            #expect(answer.status == 401)
        }
    }

    @Test(arguments: [
        [], [("X-Waymark-Dashboard", "1")], [("Sec-Fetch-Site", "same-origin")],
        [("X-Waymark-Dashboard", "1"), ("Sec-Fetch-Site", "same-site"), ("Origin", "http://api.test")],
        [("X-Waymark-Dashboard", "1"), ("Sec-Fetch-Site", "none")],
        [("X-Waymark-Dashboard", "1"), ("Origin", "http://evil.example")],
        [("X-Waymark-Dashboard", "1"), ("Origin", "https://api.test")],
        [("X-Waymark-Dashboard", "1"), ("Origin", "http://api.test:8080")],
        [("X-Waymark-Dashboard", "1"), ("Origin", "null")],
        [("X-Waymark-Dashboard", "0"), ("Sec-Fetch-Site", "same-origin")],
    ])
    func changesNothingForOtherPages(marks: [(String, String)]) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let cookie = try await signIn(fixture)
            let creation = try await fixture.call(
                "POST", "/api/v1/links", SiteFixture.plain, key: nil, headers: [cookie] + marks)
            #expect(creation.status == 403)
            #expect(creation.json["type"] == "urn:waymark:problem:origin-forbidden")
            #expect(try await fixture.call("DELETE", "/_/session", key: nil, headers: [cookie] + marks).status == 403)
            #expect(try await fixture.call("GET", "/_/session", key: nil, headers: [cookie]).status == 200)
        }
    }

    @Test func changesThingsForTheDashboard() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let cookie = try await signIn(fixture)
            for (host, marks) in [
                ("api.test", Self.marks), ("api.test", [("X-Waymark-Dashboard", "1"), ("Origin", "http://api.test")]),
                ("api.test:8080", [("X-Waymark-Dashboard", "1"), ("Origin", "http://api.test:8080")]),
            ] {
                let creation = try await fixture.call(
                    "POST", "/api/v1/links", SiteFixture.plain, key: nil, host: host, headers: [cookie] + marks)
                #expect(creation.status == 201, "\(creation.text)")
            }
        }
    }

    @Test func needsTLSOffTheMachine() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let request = TestRequest(
                "POST", "/_/session", headers: [("Content-Type", "application/json")],
                body: Array(#"{"key": "\#(SiteFixture.adminKey)"}"#.utf8))
            for (isSecure, isForwarded, address, status) in [
                (false, false, "203.0.113.5", 403), (true, false, "203.0.113.5", 204), (false, true, "127.0.0.1", 403),
                (false, false, "127.0.0.1", 204), (true, true, "203.0.113.5", 204),
            ] {
                let peer = try #require(Peer(addressText: address, isSecure: isSecure, isForwarded: isForwarded))
                let answer = try await InProcessClient(fixture.site, peer: peer).send(request)
                #expect(answer.status == status)
                let cookie = answer[header: "Set-Cookie"]
                #expect(
                    cookie?.hasPrefix("__Host-waymark=wm_")
                        == (status == 204 && isSecure ? true : status == 204 ? false : nil))
                #expect(cookie?.contains("; Secure") == (status == 204 ? isSecure : nil))
                #expect(cookie?.contains("HttpOnly; SameSite=Strict") == (status == 204 ? true : nil))
                if status == 403 { #expect(answer.json["type"] == "urn:waymark:problem:tls-required") }
            }
        }
    }

    /// The client of a request over plain HTTP.
    struct PlainClient: Sendable, CustomTestStringConvertible {
        var address: String
        var host: String
        var status: Int
        var isForwarded = false
        var isBelieved = false

        var testDescription: String { "\(address) at \(host)\(isForwarded ? ", forwarded" : "")" }

        static let all = [
            PlainClient(address: "127.0.0.1", host: "localhost:8080", status: 204),
            PlainClient(address: "::1", host: "[::1]", status: 204),
            PlainClient(address: "127.0.0.1", host: "LOCALHOST", status: 204),
            // The port of a container.
            PlainClient(address: "172.17.0.1", host: "localhost:9180", status: 204),
            PlainClient(address: "192.168.65.1", host: "127.0.0.1:9180", status: 204),
            PlainClient(address: "10.0.2.2", host: "127.0.0.1", status: 204),
            PlainClient(address: "fd00::1", host: "localhost", status: 204),
            // From another machine of the network.
            PlainClient(address: "172.17.0.1", host: "go.example.com", status: 403),
            PlainClient(address: "192.168.1.9", host: "192.168.1.2:9180", status: 403),
            // A name that leads here (DNS rebinding), or looks like it.
            PlainClient(address: "127.0.0.1", host: "evil.example", status: 403),
            PlainClient(address: "127.0.0.1", host: "localhost.evil.example", status: 403),
            PlainClient(address: "127.0.0.1", host: "127.0.0.1.nip.io", status: 403),
            PlainClient(address: "203.0.113.5", host: "localhost", status: 403),
            // Networks of the configuration.
            PlainClient(address: "198.51.100.7", host: "go.example.com", status: 204),
            PlainClient(address: "198.51.101.7", host: "go.example.com", status: 403),
            // Behind proxies, one of which may say whom it forwards.
            PlainClient(address: "127.0.0.1", host: "localhost", status: 403, isForwarded: true),
            PlainClient(address: "127.0.0.1", host: "localhost", status: 204, isForwarded: true, isBelieved: true),
            PlainClient(address: "203.0.113.5", host: "localhost", status: 403, isForwarded: true, isBelieved: true),
            PlainClient(address: "198.51.100.7", host: "go.test", status: 204, isForwarded: true, isBelieved: true),
        ]
    }

    @Test(arguments: PlainClient.all)
    func signsInWithoutTLSWhereNobodyReadsAlong(client: PlainClient) async throws {
        var options = SiteFixture.options()
        options.plainNetworks = PeerNetworks([try #require(NetworkPrefix("198.51.100.0/24"))])
        try await SiteFixture.run(.inProcess, options: options) { fixture in
            let peer = try #require(
                Peer(
                    addressText: client.address, isForwarded: client.isForwarded,
                    hasTrustedFields: client.isBelieved))
            func send(_ method: String, _ headers: [(String, String)], _ body: String?) async throws -> TestAnswer {
                try await InProcessClient(fixture.site, peer: peer).send(
                    TestRequest(
                        method, "/_/session", host: client.host, headers: headers, body: body.map { Array($0.utf8) }))
            }
            let answer = try await send(
                "POST", [("Content-Type", "application/json")], #"{"key": "\#(SiteFixture.adminKey)"}"#)
            #expect(answer.status == client.status, "\(answer.text)")
            // A cookie that was set elsewhere is worth nothing where there could be no sign-in.
            let cookie = try await signIn(fixture, host: "localhost")
            #expect(try await send("GET", [cookie], nil).status == (client.status == 204 ? 200 : 401))
        }
    }

    /// The socket beside the database.
    @Test(
        arguments: [
            ("GET", "/api/v1/keys", [], 200), ("GET", "/api/v1/apps", [], 200), ("GET", "/api/v1/links", [], 200),
            ("GET", "/api/v1/keys", [("Authorization", "Bearer wm_nothing")], 401), ("GET", "/", [], 404),
            ("GET", "/hello", [], 404), ("GET", "/metrics", [], 404), ("GET", "/_/", [], 404),
            ("GET", "/readyz", [], 404),
            ("GET", "/.well-known/apple-app-site-association", [], 404), ("PUT", "/hello", [], 404),
        ] as [(String, String, [(String, String)], Int)])
    func givesOwnersTheAPIAndNothingElse(
        method: String, path: String, headers: [(String, String)], status: Int
    ) async throws {
        var options = SiteFixture.options()
        options.hasAdminListener = true
        options.plainNetworks = PeerNetworks()
        try await SiteFixture.run(.inProcess, options: options) { fixture in
            _ = try await fixture.create(#"{"slug": "hello", "urls": {"web": "https://shop.example.com/"}}"#)
            func send(_ peer: Peer) async throws -> TestAnswer {
                try await InProcessClient(fixture.site, peer: peer).send(
                    TestRequest(method, path, host: "localhost", headers: headers))
            }
            let nowhere = IPAddress(high: 0, low: 0)
            let answer = try await send(Peer(address: nowhere, role: .owner, isUnixSocket: true))
            #expect(answer.status == status, "\(answer.text)")
            guard status == 200 else { return }
            for other in [
                Peer(address: nowhere, role: .admin, isUnixSocket: true), try #require(Peer(addressText: "127.0.0.1")),
                Peer(address: nowhere, role: .owner, isUnixSocket: true, isForwarded: true),
            ] {
                #expect([401, 404].contains(try await send(other).status), "\(other)")
            }
        }
    }

    @Test func namesItsOriginInLinksForOwners() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            fixture.site.use(operatorOrigin: "http://127.0.0.1:9180")
            let peer = Peer(address: IPAddress(high: 0, low: 0), role: .owner, isUnixSocket: true)
            let answer = try await InProcessClient(fixture.site, peer: peer).send(
                TestRequest(
                    "POST", "/_/session", host: "localhost", headers: [("Content-Type", "application/json")],
                    body: Array(#"{"key": "\#(SiteFixture.adminKey)", "link": true}"#.utf8)))
            #expect(answer.json["link"]?.string?.hasPrefix("http://127.0.0.1:9180/_/#sign-in=wm_") == true)
        }
    }

    @Test(arguments: [
        (#"{"key": "wm_0123456789abcdefghijklmnopqrstuvwxyzABCDEG"}"#, 401), (#"{"key": ""}"#, 401), ("{}", 422),
        (#"{"key": 1}"#, 422), ("", 400), (#"{"key": "x", "other": 1}"#, 422),
        (#"{"key": "x", "token": "y"}"#, 422), (#"{"token": "y", "link": true}"#, 422), (#"{"link": true}"#, 422),
        (#"{"token": "wm_0123456789abcdefghijklmnopqrstuvwxyzABCDEG"}"#, 401), (#"{"key": "x", "look": true}"#, 422),
        (#"{"look": true}"#, 422), (#"{"token": "wm_x", "look": true, "link": true}"#, 422),
        (#"{"token": "wm_0123456789abcdefghijklmnopqrstuvwxyzABCDEG", "look": true}"#, 401),
        (#"{"key": "x", "link": true}"#, 401),
    ])
    func refusesOtherBodies(body: String, status: Int) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let answer = try await fixture.call("POST", "/_/session", body, key: nil)
            #expect(answer.status == status, "\(answer.text)")
            #expect(answer[header: "Set-Cookie"] == nil)
        }
    }

    private func link(_ fixture: SiteFixture, key: String = SiteFixture.adminKey) async throws -> String {
        let answer = try await fixture.call(
            "POST", "/_/session", #"{"key": "\#(key)", "link": true}"#, key: nil)
        try #require(answer.status == 201, "\(answer.text)")
        let link = try #require(answer.json["link"]?.string)
        try #require(link.hasPrefix("/_/#sign-in=wm_"))
        return String(link.dropFirst("/_/#sign-in=".count))
    }

    @Test func signsInOnceWithALink() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let made = try await fixture.call(
                "POST", "/api/v1/keys", #"{"name": "Ana", "scopes": ["read"], "app": "shop"}"#)
            let token = try await link(fixture, key: try #require(made.json["key"]?.string))
            // Neither a key nor the secret of a session.
            #expect(try await fixture.call("GET", "/api/v1/links", key: token).status == 401)
            let cookie = [("Cookie", "waymark=\(token)")]
            #expect(try await fixture.call("GET", "/_/session", key: nil, headers: cookie).status == 401)
            // Looking at it uses nothing up.
            for _ in 0..<2 {
                let seen = try await fixture.call(
                    "POST", "/_/session", #"{"token": "\#(token)", "look": true}"#, key: nil)
                #expect(seen.status == 200 && seen[header: "Set-Cookie"] == nil)
                #expect(seen.json["name"] == "Ana" && seen.json["app"] == "shop")
            }
            let body = #"{"token": "\#(token)"}"#
            let answer = try await fixture.call("POST", "/_/session", body, key: nil)
            #expect(answer.status == 204)
            let session = ("Cookie", String(try #require(answer[header: "Set-Cookie"]).prefix { $0 != ";" }))
            let name = try await fixture.call("GET", "/_/session", key: nil, headers: [session]).json["name"]
            #expect(name == "Ana")
            #expect(try await fixture.call("POST", "/_/session", body, key: nil).status == 401)
            #expect(try await fixture.call("GET", "/api/v1/keys").json["keys"]?.array?.count == 1)
        }
    }

    @Test func linksEndAfterTenMinutesAndWithTheirKey() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            for (seconds, status) in [(599, 204), (600, 401)] {
                let token = try await link(fixture)
                fixture.clock.advance(seconds: Int64(seconds))
                let answer = try await fixture.call("POST", "/_/session", #"{"token": "\#(token)"}"#, key: nil)
                #expect(answer.status == status)
            }
            let made = try await fixture.call("POST", "/api/v1/keys", #"{"name": "Ana", "scopes": ["read"]}"#)
            let token = try await link(fixture, key: try #require(made.json["key"]?.string))
            let id = try #require(made.json["id"]?.string)
            #expect(try await fixture.call("DELETE", "/api/v1/keys/\(id)").status == 204)
            let answer = try await fixture.call("POST", "/_/session", #"{"token": "\#(token)"}"#, key: nil)
            #expect(answer.status == 401)
        }
    }

    @Test func endsTheOldestOfTooMany() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let first = try await signIn(fixture)
            for _ in 0..<100 {
                fixture.clock.advance(seconds: 1)
                _ = try await signIn(fixture)
            }
            #expect(try await fixture.call("GET", "/_/session", key: nil, headers: [first]).status == 401)
            #expect(try await fixture.service.keys.list(for: .nobody).isEmpty)
        }
    }

    @Test func keepsKeysOfAppsOut() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let key = try await fixture.key(["resolve"], app: "shop")
            for body in [#"{"key": "\#(key)"}"#, #"{"key": "\#(key)", "link": true}"#] {
                let answer = try await fixture.call("POST", "/_/session", body, key: nil)
                #expect(answer.status == 403 && answer.problem == "scope-missing", "\(answer.text)")
            }
            _ = try await signIn(fixture, key: try await fixture.key(["create"], app: "shop"))
        }
    }

    @Test func limitsSignInsOfAKey() async throws {
        try await SiteFixture.run(.inProcess, options: SiteFixture.limitedOptions()) { fixture in
            for _ in 0..<30 { _ = try await signIn(fixture) }
            let body = #"{"key": "\#(SiteFixture.adminKey)"}"#
            let refused = try await fixture.call("POST", "/_/session", body, key: nil)
            #expect(refused.status == 429)
            #expect(refused[header: "Retry-After"] != nil)
            _ = try await signIn(fixture, key: try await fixture.key(["read"]))
        }
    }

    @Test func existsOnTheAdminListenerOnly() async throws {
        var options = SiteFixture.options()
        options.hasAdminListener = true
        try await SiteFixture.run(.inProcess, options: options) { fixture in
            for method in ["GET", "POST", "DELETE"] {
                let answer = try await fixture.call(
                    method, "/_/session", method == "POST" ? #"{"key": "\#(SiteFixture.adminKey)"}"# : nil, key: nil)
                #expect(answer.status == 404)
            }
        }
    }

    /// The first address that a newcomer opens; a visitor's browser is on no such host.
    @Test(arguments: [
        ("127.0.0.1:8080", "127.0.0.1", false, true), ("localhost", "127.0.0.1", false, true),
        ("[::1]:8080", "::1", false, true), ("localhost:9180", "172.17.0.1", false, true),
        ("go.example.com", "127.0.0.1", false, false), ("127.0.0.1", "198.51.100.7", false, false),
        ("127.0.0.1", "127.0.0.1", true, false), ("localhost.example.com", "127.0.0.1", false, false),
    ])
    func offersTheDashboardOnThisMachine(
        host: String, address: String, isForwarded: Bool, offers: Bool
    ) async throws {
        for application in [#"{"id": "default", "name": "Links"}"#, #"{"id": "a", "domains": ["a.example.com"]}"#] {
            for hasAdminListener in [false, true] {
                var options = SiteFixture.options()
                options.hasAdminListener = hasAdminListener
                try await SiteFixture.run(.inProcess, applications: [application], options: options) { fixture in
                    for (role, isHidden) in [(ListenerRole.public, hasAdminListener), (.admin, false)] {
                        let peer = try #require(
                            Peer(addressText: address, role: role, isForwarded: isForwarded))
                        let client = InProcessClient(fixture.site, peer: peer)
                        let page = try await client.send(TestRequest("GET", "/", host: host))
                        #expect(page.status == 404)
                        #expect(page.text.contains(#"<a href="/_/">"#) == (offers && !isHidden), "\(host) \(address)")
                        let problem = try await client.send(
                            TestRequest("GET", "/", host: host, headers: [("Accept", "application/json")]))
                        #expect(problem.problem == "resource-unknown")
                    }
                }
            }
        }
    }
}
