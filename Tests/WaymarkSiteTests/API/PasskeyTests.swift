import Testing
import WaymarkBytes
import WaymarkJSON
import WaymarkSignIn

@testable import SignInTestSupport
@testable import WaymarkSite

/// Invitations, passkeys and sign-ins with them, as a browser sends them.
@Suite struct PasskeyTests {
    private static let host = "localhost:8080"
    private static let marks = [("X-Waymark-Dashboard", "1"), ("Sec-Fetch-Site", "same-origin")]

    private func post(
        _ fixture: SiteFixture, _ path: String, _ body: JSONValue = [:], host: String = Self.host,
        headers: [(String, String)] = []
    ) async throws -> TestAnswer {
        let text = String(decoding: body.bytes(), as: UTF8.self)
        return try await fixture.call("POST", path, text, key: nil, host: host, headers: headers)
    }

    /// The token of an invitation.
    private func invite(_ fixture: SiteFixture, _ body: String = #"{"role": "editor", "name": "Ana"}"#) async throws
        -> JSONValue
    {
        let made = try await fixture.call("POST", "/api/v1/people:invite", body)
        try #require(made.status == 201, "\(made.text)")
        return JSONValue(String(try #require(made.json["link"]?.string).dropFirst("/_/#invitation=".count)))
    }

    private func device(id: UInt8 = 7) -> TestAuthenticator {
        var device = TestAuthenticator()
        device.id = [UInt8](repeating: id, count: 16)
        device.origin = "http://localhost:8080"
        device.relyingParty = "localhost"
        return device
    }

    private func cookie(_ answer: TestAnswer) throws -> (String, String) {
        ("Cookie", String(try #require(answer[header: "Set-Cookie"]).prefix { $0 != ";" }))
    }

    /// Makes a passkey on the device, with a session or an invitation.
    private func register(
        _ fixture: SiteFixture, _ device: inout TestAuthenticator, _ invitation: JSONValue? = nil,
        headers: [(String, String)] = []
    ) async throws -> TestAnswer {
        var body: JSONValue = [:]
        if let invitation { body = ["invitation": invitation] }
        let options = try await post(fixture, "/_/passkeys/options", body, headers: headers)
        guard options.status == 200 else { return options }
        try take(options, &device)
        device.userHandle = Base64.bytes(lenient: options.json["user"]?["id"]?.string ?? "")
        var answer: JSONValue = ["credential": device.registration()]
        if let invitation { answer = ["credential": device.registration(), "invitation": invitation] }
        return try await post(fixture, "/_/passkeys", answer, headers: headers)
    }

    private func take(_ options: TestAnswer, _ device: inout TestAuthenticator) throws {
        let challenge = Base64.bytes(lenient: options.json["challenge"]?.string ?? "")
        device.challenge = try #require(challenge.flatMap { PasskeyChallenge($0) }, "\(options.text)")
    }

    private func signIn(_ fixture: SiteFixture, _ device: inout TestAuthenticator) async throws -> TestAnswer {
        try take(try await post(fixture, "/_/session/options"), &device)
        return try await post(fixture, "/_/session", ["credential": device.assertion()])
    }

    @Test(arguments: TransportKind.allCases)
    func `an invitation becomes a passkey that signs in`(kind: TransportKind) async throws {
        try await SiteFixture.run(kind) { fixture in
            var device = device()
            let invitation = try await invite(fixture)
            let registered = try await register(fixture, &device, invitation)
            #expect(registered.status == 201, "\(registered.text)")
            #expect(registered.json["person"]?["name"] == "Ana" && registered.json["scopes"]?.array == ["links"])
            let session = try await fixture.call(
                "GET", "/_/session", key: nil, host: Self.host, headers: [try cookie(registered)])
            #expect(session.json["person"]?["name"] == "Ana", "\(session.text)")
            // The invitation is used up.
            var other = self.device(id: 8)
            #expect(try await register(fixture, &other, invitation).json["type"] == Self.refused)

            fixture.clock.advance(seconds: 1)
            let signedIn = try await signIn(fixture, &device)
            #expect(signedIn.status == 204, "\(signedIn.text)")
            let links = try await fixture.call(
                "GET", "/api/v1/links", key: nil, host: Self.host, headers: [try cookie(signedIn)])
            #expect(links.status == 200, "\(links.text)")
            // The same answer again.
            let repeated = try await post(fixture, "/_/session", ["credential": device.assertion()])
            #expect(repeated.json["type"] == Self.refused, "\(repeated.text)")
            fixture.clock.advance(seconds: 1)
            #expect(try await signIn(fixture, &device).status == 204)
        }
    }

    private static let refused = JSONValue("urn:waymark:problem:sign-in-refused")

    @Test func `a person adds passkeys in a session`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            var (first, second) = (device(), device(id: 8))
            let cookie = try cookie(try await register(fixture, &first, try await invite(fixture)))
            // Other pages can't make the browser do it, and nobody can without a session.
            let foreign = try await register(fixture, &second, headers: [cookie])
            #expect(foreign.json["type"] == "urn:waymark:problem:origin-forbidden")
            #expect(try await register(fixture, &second, headers: Self.marks).status == 401)
            let options = try await post(fixture, "/_/passkeys/options", headers: [cookie] + Self.marks)
            #expect(options.json["excludeCredentials"]?.array?.map { $0["id"]?.string } == [Base64.urlText(first.id)])
            #expect(options.json["rp"]?["id"] == "localhost" && options.json["user"]?["displayName"] == "Ana")
            let added = try await register(fixture, &second, headers: [cookie] + Self.marks)
            #expect(added.status == 201, "\(added.text)")
            // The session goes on as a new one.
            let old = try await fixture.call("GET", "/_/session", key: nil, host: Self.host, headers: [cookie])
            #expect(old.status == 401)
            fixture.clock.advance(seconds: 1)
            for var device in [first, second] { #expect(try await signIn(fixture, &device).status == 204) }
            // A passkey that is known already, of the same person or of another one.
            let mine = [try self.cookie(added)] + Self.marks
            #expect(try await register(fixture, &second, headers: mine).json["type"] == Self.refused)
            let theirs = try await register(fixture, &second, try await invite(fixture))
            #expect(theirs.json["type"] == Self.refused, "\(theirs.text)")
        }
    }

    typealias Change = @Sendable (inout TestAuthenticator) -> Void

    private static let wrong: [Change] = [
        { $0.origin = "http://localhost:8081" }, { $0.origin = "https://localhost:8080" },
        { $0.relyingParty = "api.test" }, { $0.flags = 0x01 }, { $0.challenge = PasskeyChallenge() },
        { $0.id = [9] }, { $0.userHandle = Array("somebody".utf8) }, { $0.userHandle = nil },
    ]

    @Test(arguments: wrong.indices)
    func `a wrong answer signs nobody in`(index: Int) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            var device = device()
            #expect(try await register(fixture, &device, try await invite(fixture)).status == 201)
            fixture.clock.advance(seconds: 1)
            try take(try await post(fixture, "/_/session/options"), &device)
            Self.wrong[index](&device)
            let answer = try await post(fixture, "/_/session", ["credential": device.assertion()])
            #expect(answer.json["type"] == Self.refused && answer[header: "Set-Cookie"] == nil, "\(answer.text)")
        }
    }

    @Test func `a challenge ends after five minutes`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            var device = device()
            #expect(try await register(fixture, &device, try await invite(fixture)).status == 201)
            for (seconds, status): (Int64, Int) in [(300, 204), (301, 403)] {
                fixture.clock.advance(seconds: 1)
                try take(try await post(fixture, "/_/session/options"), &device)
                fixture.clock.advance(seconds: seconds)
                let answer = try await post(fixture, "/_/session", ["credential": device.assertion()])
                #expect(answer.status == status, "\(answer.text)")
            }
        }
    }

    @Test func `a challenge is for one person and one purpose`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let (mine, theirs) = (try await invite(fixture), try await invite(fixture))
            var device = device()
            let options = [
                try await post(fixture, "/_/passkeys/options", ["invitation": theirs]),
                try await post(fixture, "/_/session/options"),
            ]
            for options in options {
                try take(options, &device)
                let answer = try await post(
                    fixture, "/_/passkeys", ["credential": device.registration(), "invitation": mine])
                #expect(answer.json["type"] == Self.refused, "\(answer.text)")
            }
            // Nothing was used up.
            #expect(try await register(fixture, &device, mine).status == 201)
            try take(options[0], &device)
            fixture.clock.advance(seconds: 1)
            let answer = try await post(fixture, "/_/session", ["credential": device.assertion()])
            #expect(answer.json["type"] == Self.refused, "\(answer.text)")
        }
    }

    @Test func `a disabled person's passkey signs nobody in`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            var device = device()
            let registered = try await register(fixture, &device, try await invite(fixture))
            let id = try #require(registered.json["person"]?["id"]?.string)
            let disabled = try await fixture.call("PATCH", "/api/v1/people/\(id)", #"{"disabled": true}"#)
            #expect(disabled.status == 200, "\(disabled.text)")
            fixture.clock.advance(seconds: 1)
            let answer = try await signIn(fixture, &device)
            #expect(answer.json["type"] == Self.refused, "\(answer.text)")
        }
    }

    @Test(arguments: ["127.0.0.1:8080", "api.test", "[::1]:8080"])
    func `hosts without passkeys have no options`(host: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let answer = try await post(fixture, "/_/session/options", host: host)
            #expect(answer.json["type"] == Self.refused)
            #expect(answer.json["detail"]?.string?.contains("http://localhost") == true)
        }
    }

    @Test(arguments: [
        ("/_/passkeys", "{}", 422), ("/_/passkeys", #"{"credential": 1}"#, 422), ("/_/passkeys", "[", 400),
        ("/_/passkeys/options", #"{"credential": {}}"#, 422), ("/_/passkeys/options", "{}", 401),
        ("/_/passkeys/options", #"{"invitation": "wm_x"}"#, 403), ("/_/session", #"{"credential": {}}"#, 403),
        ("/_/session", #"{"credential": {}, "key": "a"}"#, 422), ("/_/session", #"{"credential": "a"}"#, 422),
    ])
    func `malformed bodies are refused`(path: String, body: String, status: Int) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let answer = try await fixture.call(
                "POST", path, body, key: nil, host: Self.host, headers: Self.marks)
            #expect(answer.status == status, "\(answer.text)")
        }
    }

    @Test func `unknown passkeys are slowed down`() async throws {
        try await SiteFixture.run(.inProcess, options: SiteFixture.limitedOptions()) { fixture in
            var device = device()
            var statuses: Set<Int> = []
            for _ in 0..<200 { statuses.insert(try await signIn(fixture, &device).status) }
            #expect(statuses == [403, 429])
        }
    }
}
