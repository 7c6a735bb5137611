import Testing
import WaymarkBytes
import WaymarkHTTP
import WaymarkJSON
import WaymarkService
import WaymarkTLS

@testable import WaymarkSite

/// OAuth for `/_/mcp`, as a program and the browser of a person use it.
@Suite struct OAuthTests {
    static let redirect = "http://127.0.0.1:4321/callback"
    static let host = "localhost:8080"
    static let verifier = String(repeating: "v", count: 64)
    static let resource = "http://localhost:8080/_/mcp"
    private static let list = #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#

    private static func get(
        _ fixture: SiteFixture, _ target: String, _ headers: [(String, String)] = []
    ) async throws -> TestAnswer {
        try await fixture.call("GET", target, key: nil, host: host, headers: headers)
    }

    private static func post(
        _ fixture: SiteFixture, _ path: String, _ fields: [(String, String)], _ headers: [(String, String)] = []
    ) async throws -> TestAnswer {
        let body = fields.map { "\($0.0)=\(PercentEncoding.encode($0.1))" }.joined(separator: "&")
        return try await fixture.call(
            "POST", path, body, key: nil, host: host,
            headers: headers + [("Content-Type", "application/x-www-form-urlencoded")])
    }

    static func register(_ fixture: SiteFixture, redirect: String = redirect) async throws -> String {
        let body = #"{"redirect_uris": ["\#(redirect)"], "client_name": "<Bot>"}"#
        let answer = try await fixture.call("POST", "/_/oauth/register", body, key: nil, host: host)
        try #require(answer.status == 201, "\(answer.text)")
        return try #require(answer.json["client_id"]?.string)
    }

    static func query(_ client: String, _ changes: [String: String?] = [:]) -> String {
        var fields: [String: String?] = [
            "response_type": "code", "client_id": client, "redirect_uri": redirect, "state": "a b",
            "code_challenge": Base64.urlText(SHA256.digest(of: Array(verifier.utf8))), "code_challenge_method": "S256",
            "scope": "read links admin offline_access", "resource": resource,
        ]
        fields.merge(changes) { $1 }
        return fields.compactMap { name, value in value.map { "\(name)=\(PercentEncoding.encode($0))" } }
            .joined(separator: "&")
    }

    /// The cookie of a session of a key.
    static func session(_ fixture: SiteFixture, _ key: String = SiteFixture.adminKey) async throws -> (
        String, String
    ) {
        let answer = try await fixture.call("POST", "/_/session", #"{"key": "\#(key)"}"#, key: nil, host: host)
        return ("Cookie", String(try #require(answer[header: "Set-Cookie"]).prefix { $0 != ";" }))
    }

    /// The cookie of an invited person's session, and the person's ID.
    static func person(
        _ fixture: SiteFixture, _ role: String
    ) async throws -> (cookie: (String, String), id: String) {
        let identity = #"[{"issuer": "proxy", "subject": "ana"}]"#
        let body = #"{"name": "Ana", "memberships": [{"app": null, "role": "\#(role)"}], "identities": \#(identity)}"#
        let made = try await fixture.call("POST", "/api/v1/people", body)
        let id = try #require(made.json["id"]?.string, "\(made.text)")
        let outcome = try await fixture.service.keys.signIn(id)
        guard case .started(let secret, _) = outcome else {
            Issue.record("no session")
            return (("", ""), id)
        }
        return (("Cookie", "waymark=\(secret.text)"), id)
    }

    /// The fields of the page's form.
    private static func fields(_ page: TestAnswer) -> [(String, String)] {
        page.text.split(separator: "<input type=\"hidden\" name=\"").dropFirst().compactMap { part in
            let parts = part.split(separator: "\"", omittingEmptySubsequences: false)
            return parts.count > 2 ? (String(parts[0]), String(parts[2])) : nil
        }
    }

    private static func consent(
        _ fixture: SiteFixture, _ query: String, _ cookie: (String, String), decision: String = "allow"
    ) async throws -> String {
        let page = try await get(fixture, "/_/oauth/authorize?" + query, [cookie])
        try #require(page.status == 200, "\(page.text)")
        let answer = try await post(
            fixture, "/_/oauth/authorize", fields(page) + [("decision", decision)], [cookie])
        try #require(answer.status == 303, "\(answer.text)")
        return try #require(answer[header: "Location"])
    }

    private static func value(_ name: String, _ url: String) -> String? {
        url.split(separator: "?").last?.split(separator: "&").first { $0.hasPrefix(name + "=") }
            .map { String($0.dropFirst(name.count + 1)) }
    }

    private static func exchange(
        _ fixture: SiteFixture, _ client: String, _ code: String, _ changes: [String: String] = [:]
    ) async throws -> TestAnswer {
        var fields = [
            "grant_type": "authorization_code", "client_id": client, "code": code, "redirect_uri": redirect,
            "code_verifier": verifier, "resource": resource,
        ]
        fields.merge(changes) { $1 }
        return try await post(fixture, "/_/oauth/token", fields.map { ($0, $1) })
    }

    static func refresh(
        _ fixture: SiteFixture, _ client: String, _ token: String, _ more: [(String, String)] = []
    ) async throws -> TestAnswer {
        try await post(
            fixture, "/_/oauth/token",
            [("grant_type", "refresh_token"), ("client_id", client), ("refresh_token", token)] + more)
    }

    /// The tokens of a program that somebody let act.
    static func tokens(
        _ fixture: SiteFixture, _ client: String, _ cookie: (String, String), _ changes: [String: String?] = [:]
    ) async throws -> JSONValue {
        let code = try #require(value("code", try await consent(fixture, query(client, changes), cookie)))
        let answer = try await exchange(fixture, client, code)
        try #require(answer.status == 200, "\(answer.text)")
        return answer.json
    }

    static func status(_ fixture: SiteFixture, _ token: JSONValue?) async throws -> Int {
        try await fixture.call("POST", "/_/mcp", list, key: token?.string ?? "", host: host).status
    }

    @Test func `the challenge leads to the metadata`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let answer = try await fixture.call("POST", "/_/mcp", Self.list, key: nil, host: Self.host)
            let path = "/.well-known/oauth-protected-resource/_/mcp"
            #expect(answer.status == 401)
            #expect(
                answer[header: "WWW-Authenticate"]
                    == "Bearer resource_metadata=\"http://localhost:8080\(path)\", scope=\"read links\"")
            for path in [path, "/.well-known/oauth-protected-resource"] {
                let json = try await Self.get(fixture, path).json
                #expect(json["resource"]?.string == Self.resource)
                #expect(json["authorization_servers"]?.array == ["http://localhost:8080"])
            }
            let json = try await Self.get(fixture, "/.well-known/oauth-authorization-server").json
            #expect(json["issuer"] == "http://localhost:8080")
            #expect(json["code_challenge_methods_supported"]?.array == ["S256"])
            #expect(json["registration_endpoint"] == "http://localhost:8080/_/oauth/register")
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `a program acts for a person until that is disabled`(kind: TransportKind) async throws {
        try await SiteFixture.run(kind) { fixture in
            let client = try await Self.register(fixture)
            let (cookie, id) = try await Self.person(fixture, "editor")
            let location = try await Self.consent(fixture, Self.query(client), cookie)
            #expect(location.hasPrefix(Self.redirect + "?code=wmc_"))
            #expect(Self.value("state", location) == "a%20b")
            #expect(Self.value("iss", location) == "http%3A%2F%2Flocalhost%3A8080")
            let answer = try await Self.exchange(fixture, client, try #require(Self.value("code", location)))
            #expect(answer.json["scope"] == "read links" && answer[header: "Cache-Control"] == "no-store")
            let access = try #require(answer.json["access_token"]?.string)
            #expect(try await Self.status(fixture, answer.json["access_token"]) == 200)
            let call = #"{"name": "create_link", "arguments": {"slug": "o", "urls": {"web": "https://example.com/"}}}"#
            let made = try await fixture.call(
                "POST", "/_/mcp", #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":\#(call)}"#, key: access,
                host: Self.host)
            #expect(made.json["result"]?["structuredContent"]?["slug"] == "o", "\(made.text)")
            let elsewhere = try await fixture.call("GET", "/api/v1/links", key: access, host: Self.host)
            #expect(elsewhere.status == 401)
            #expect(elsewhere[header: "WWW-Authenticate"]?.contains("resource_metadata=") == true)
            _ = try await fixture.call("PATCH", "/api/v1/people/\(id)", #"{"disabled": true}"#)
            #expect(try await Self.status(fixture, answer.json["access_token"]) == 401)
            _ = try await fixture.call("PATCH", "/api/v1/people/\(id)", #"{"disabled": false}"#)
            #expect(try await Self.status(fixture, answer.json["access_token"]) == 401)
            let late = try await Self.refresh(fixture, client, answer.json["refresh_token"]?.string ?? "")
            #expect(late.status == 400 && late.json["error"] == "invalid_grant")
        }
    }

    @Test func `a role cuts what was granted`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let client = try await Self.register(fixture)
            let (cookie, id) = try await Self.person(fixture, "editor")
            let tokens = try await Self.tokens(fixture, client, cookie)
            for (memberships, isError) in [
                (#"[{"app": null, "role": "viewer"}]"#, true), (#"[{"app": null, "role": "admin"}]"#, false),
            ] {
                _ = try await fixture.call("PATCH", "/api/v1/people/\(id)", "{\"memberships\": \(memberships)}")
                let call = #"{"name": "create_link", "arguments": {"urls": {"web": "https://example.com/"}}}"#
                let made = try await fixture.call(
                    "POST", "/_/mcp", #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":\#(call)}"#,
                    key: tokens["access_token"]?.string, host: Self.host)
                #expect(made.json["result"]?["isError"]?.bool ?? false == isError, "\(made.text)")
            }
            _ = try await fixture.call("PATCH", "/api/v1/people/\(id)", #"{"memberships": []}"#)
            #expect(try await Self.status(fixture, tokens["access_token"]) == 401)
        }
    }

    @Test func `a token ends with the key of its session`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let made = try await fixture.call("POST", "/api/v1/keys", #"{"name": "k", "scopes": ["links"]}"#)
            let key = try #require(made.json["key"]?.string)
            let client = try await Self.register(fixture)
            let tokens = try await Self.tokens(fixture, client, try await Self.session(fixture, key))
            #expect(tokens["scope"] == "read links")
            #expect(try await Self.status(fixture, tokens["access_token"]) == 200)
            _ = try await fixture.call("DELETE", "/api/v1/keys/\(made.json["id"]?.string ?? "")")
            #expect(try await Self.status(fixture, tokens["access_token"]) == 401)
        }
    }

    @Test func `a refresh token works once and then ends its family`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let client = try await Self.register(fixture)
            let cookie = try await Self.session(fixture)
            let first = try await Self.tokens(fixture, client, cookie)
            let old = try #require(first["refresh_token"]?.string)
            #expect(
                try await Self.refresh(fixture, client, old, [("scope", "create")]).json["error"] == "invalid_scope")
            #expect(
                try await Self.refresh(fixture, client, old, [("resource", "https://a.example/")]).json["error"]
                    == "invalid_target")
            let second = try await Self.refresh(fixture, client, old)
            #expect(second.status == 200)
            #expect(try await Self.status(fixture, first["access_token"]) == 401)
            #expect(try await Self.status(fixture, second.json["access_token"]) == 200)
            #expect(try await Self.refresh(fixture, client, old).json["error"] == "invalid_grant")
            #expect(try await Self.status(fixture, second.json["access_token"]) == 401)
            let ended = try await Self.refresh(fixture, client, second.json["refresh_token"]?.string ?? "")
            #expect(ended.json["error"] == "invalid_grant")
        }
    }

    @Test(arguments: [
        (["client_id": "other"], "invalid_grant"), (["redirect_uri": redirect + "/"], "invalid_grant"),
        (["code_verifier": "v"], "invalid_grant"), (["resource": "https://a.example/"], "invalid_target"),
        (["grant_type": "password"], "unsupported_grant_type"), (["code": ""], "invalid_request"),
    ])
    func `a code is bound to what it was asked for`(changes: [String: String], error: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let client = try await Self.register(fixture)
            let cookie = try await Self.session(fixture)
            let code = try #require(Self.value("code", try await Self.consent(fixture, Self.query(client), cookie)))
            let answer = try await Self.exchange(fixture, client, code, changes)
            #expect(answer.status == 400 && answer.json["error"]?.string == error, "\(answer.text)")
        }
    }

    @Test func `a code works once and for a minute`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let client = try await Self.register(fixture)
            let cookie = try await Self.session(fixture)
            let code = try #require(Self.value("code", try await Self.consent(fixture, Self.query(client), cookie)))
            let tokens = try await Self.exchange(fixture, client, code)
            #expect(try await Self.exchange(fixture, client, code).json["error"] == "invalid_grant")
            #expect(try await Self.status(fixture, tokens.json["access_token"]) == 401)
            let late = try #require(Self.value("code", try await Self.consent(fixture, Self.query(client), cookie)))
            fixture.clock.advance(seconds: 60)
            #expect(try await Self.exchange(fixture, client, late).json["error"] == "invalid_grant")
        }
    }

    @Test func `tokens expire and are revoked`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let client = try await Self.register(fixture)
            let cookie = try await Self.session(fixture)
            let tokens = try await Self.tokens(fixture, client, cookie)
            fixture.clock.advance(seconds: 3_600)
            #expect(try await Self.status(fixture, tokens["access_token"]) == 401)
            let second = try await Self.refresh(fixture, client, tokens["refresh_token"]?.string ?? "").json
            let fields = [("token", second["refresh_token"]?.string ?? "")]
            let foreign = try await Self.post(fixture, "/_/oauth/revoke", fields + [("client_id", "other")])
            #expect(foreign.status == 200)
            #expect(try await Self.status(fixture, second["access_token"]) == 200)
            #expect(try await Self.post(fixture, "/_/oauth/revoke", fields).status == 200)
            #expect(try await Self.status(fixture, second["access_token"]) == 401)
            #expect(try await Self.post(fixture, "/_/oauth/revoke", [("token", "unknown")]).status == 200)
        }
    }

    @Test func `the page asks a person who is signed in`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let client = try await Self.register(fixture)
            let target = "/_/oauth/authorize?" + Self.query(client)
            let away = try await Self.get(fixture, target)
            #expect(away.status == 303)
            #expect(away[header: "Location"]?.hasPrefix("/_/#authorize=") == true)
            let again = try await Self.get(fixture, target, [("Sec-Fetch-Site", "cross-site")])
            #expect(again.status == 200 && again.text.contains("http-equiv=\"refresh\""))
            let cookie = try await Self.session(fixture)
            let page = try await Self.get(fixture, target, [cookie])
            #expect(page.text.contains("&lt;Bot&gt;") && page.text.contains("127.0.0.1:4321"))
            #expect(!page.text.contains("<script"))
            let policy = try #require(page[header: "Content-Security-Policy"])
            #expect(policy.contains("form-action 'self' http://127.0.0.1:4321;"))
            #expect(policy.contains("frame-ancestors 'none'"))
            let denied = try await Self.consent(fixture, Self.query(client), cookie, decision: "deny")
            #expect(denied.hasPrefix(Self.redirect + "?error=access_denied"))
            let fields = Self.fields(page) + [("decision", "allow")]
            let other = try await Self.session(fixture)
            for headers in [
                [], [other], [cookie, ("Sec-Fetch-Site", "cross-site")], [cookie, ("Origin", "https://evil.example")],
            ] {
                let answer = try await Self.post(fixture, "/_/oauth/authorize", fields, headers)
                #expect(answer.status == 403, "\(headers): \(answer.text)")
            }
            let changed = fields.map { $0.0 == "scope" ? ("scope", "read") : $0 }
            #expect(try await Self.post(fixture, "/_/oauth/authorize", changed, [cookie]).status == 403)
        }
    }

    @Test(arguments: [
        (["client_id": "unknown"], 400, ""), (["redirect_uri": redirect + "?a"], 400, ""),
        (["redirect_uri": "http://127.0.0.1:9/callback"], 400, ""), (["code_challenge": nil], 303, "invalid_request"),
        (["code_challenge_method": "plain"], 303, "invalid_request"), (["scope": "root"], 303, "invalid_scope"),
        (["response_type": "token"], 303, "unsupported_response_type"),
        (["resource": "https://a.example/mcp"], 303, "invalid_target"),
    ])
    func `a wrong request is refused`(changes: [String: String?], status: Int, error: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let client = try await Self.register(fixture)
            let cookie = try await Self.session(fixture)
            let answer = try await Self.get(fixture, "/_/oauth/authorize?" + Self.query(client, changes), [cookie])
            #expect(answer.status == status, "\(answer.text)")
            if status == 303 {
                #expect(Self.value("error", answer[header: "Location"] ?? "") == error)
            }
        }
    }

    @Test(arguments: [
        ("https://a.example/cb?x=1", true), ("http://localhost/cb", true), ("http://[::1]:7/cb", true),
        ("cursor://anysphere.cursor-retrieval/cb", true), ("http://a.example/cb", false), ("/cb", false),
        ("https://a.example/cb#x", false), ("https://u@a.example/", false), ("javascript://a/%0aalert(1)", false),
        ("data://a", false), ("https://a.example/\\\"", false), ("http://localhost.evil.example/", false), ("", false),
        ("https://", false), ("HTTPS://a.example/", false),
    ])
    func `a redirect URI is https, loopback or of an app`(text: String, isTaken: Bool) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let answer = try await fixture.call(
                "POST", "/_/oauth/register", "{\"redirect_uris\": [\"\(text)\"]}", key: nil, host: Self.host)
            #expect(answer.status == (isTaken ? 201 : 400), "\(answer.text)")
            if !isTaken { #expect(answer.json["error"] == "invalid_redirect_uri") }
        }
    }

    @Test func `registrations are limited by address`() async throws {
        try await SiteFixture.run(.inProcess, options: SiteFixture.limitedOptions()) { fixture in
            let body = #"{"redirect_uris": ["\#(Self.redirect)"]}"#
            var statuses: [Int] = []
            for _ in 0..<31 {
                statuses.append(
                    try await fixture.call("POST", "/_/oauth/register", body, key: nil, host: Self.host).status)
            }
            #expect(statuses.last == 429 && statuses.first == 201)
        }
    }
}
