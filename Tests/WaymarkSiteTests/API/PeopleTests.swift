import Testing
import WaymarkJSON
import WaymarkLinks
import WaymarkStores

@testable import WaymarkService
@testable import WaymarkSite

/// People as their administrators see them, and what each change does to their sessions and keys.
@Suite struct PeopleTests {
    private static let marks = [("X-Waymark-Dashboard", "1"), ("Sec-Fetch-Site", "same-origin")]
    private static let both = [SiteFixture.shop, SiteFixture.news]

    private func person(_ fixture: SiteFixture, _ body: String, key: String = SiteFixture.adminKey) async throws
        -> String
    {
        let made = try await fixture.call("POST", "/api/v1/people", body, key: key)
        try #require(made.status == 201, "\(made.text)")
        let id = try #require(made.json["id"]?.string)
        #expect(made[header: "Location"] == "/api/v1/people/\(id)")
        return id
    }

    /// Signs somebody in, and returns the header fields as the dashboard sends them.
    private func signIn(_ fixture: SiteFixture, _ id: String) async throws -> [(String, String)] {
        guard case .started(let secret, _) = try await fixture.service.keys.signIn(id) else {
            throw NotSignedIn()
        }
        return [("Cookie", "waymark=\(secret.text)")] + Self.marks
    }

    private struct NotSignedIn: Error {}

    /// What may be done afterwards: read and create links, in the person's session and with the person's key.
    @Test(
        arguments: TransportKind.allCases,
        [
            (#"{"name": "Bea", "email": "bea@example.com"}"#, [200, 201, 200, 201]),
            (#"{"memberships": [{"app": "shop", "role": "editor"}]}"#, [200, 201, 200, 201]),
            (#"{"memberships": [{"role": "admin"}]}"#, [200, 201, 200, 201]),
            (#"{"memberships": [{"app": "shop", "role": "viewer"}]}"#, [200, 403, 200, 403]),
            // The key is of the shop, and the person works there no more.
            (#"{"memberships": [{"app": "news", "role": "editor"}]}"#, [200, 201, 401, 401]),
            (#"{"memberships": []}"#, [401, 401, 401, 401]),
            (#"{"disabled": true}"#, [401, 401, 401, 401]),
            ("DELETE", [401, 401, 401, 401]),
        ])
    func changesReachSessionsAndKeysAtOnce(transportKind: TransportKind, change: (String, [Int])) async throws {
        try await SiteFixture.run(transportKind, applications: Self.both) { fixture in
            let id = try await person(
                fixture, #"{"name": "Ana", "memberships": [{"app": "shop", "role": "admin"}]}"#)
            let session = try await signIn(fixture, id)
            let made = try await fixture.call(
                "POST", "/api/v1/keys", #"{"name": "mine", "app": "shop", "scopes": ["links"]}"#, key: nil,
                headers: session)
            let key = try #require(made.json["key"]?.string, "\(made.text)")
            #expect(made.json["person"]?.string == id)
            let application = change.0.contains("news") ? "news" : "shop"
            let link = #"{"app": "\#(application)", "urls": {"web": "https://a.example/"}}"#
            func statuses() async throws -> [Int] {
                [
                    try await fixture.call("GET", "/api/v1/links", key: nil, headers: session).status,
                    try await fixture.call("POST", "/api/v1/links", link, key: nil, headers: session).status,
                    try await fixture.call("GET", "/api/v1/links", key: key).status,
                    try await fixture.call("POST", "/api/v1/links", link, key: key).status,
                ]
            }
            if link.contains("shop") { #expect(try await statuses() == [200, 201, 200, 201]) }
            let path = "/api/v1/people/\(id)"
            let changed =
                change.0 == "DELETE"
                ? try await fixture.call("DELETE", path) : try await fixture.call("PATCH", path, change.0)
            #expect(changed.status == (change.0 == "DELETE" ? 204 : 200), "\(changed.text)")
            #expect(try await statuses() == change.1)
            guard change.0.contains("disabled") else { return }
            // What disabling ended stays ended.
            #expect(try await fixture.call("PATCH", path, #"{"disabled": false}"#).status == 200)
            #expect(try await statuses() == change.1)
            #expect(try await fixture.call("GET", "/api/v1/keys").json["keys"]?.array == [])
            #expect(
                try await fixture.call("GET", "/api/v1/links", key: nil, headers: try await signIn(fixture, id)).status
                    == 200)
        }
    }

    @Test func anInvitationWorksOnceWithinThreeDays() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let made = try await fixture.call(
                "POST", "/api/v1/people:invite", #"{"role": "editor", "app": "shop", "name": "Ana"}"#)
            #expect(made.status == 201)
            #expect(made.json["expiresAt"] == "2026-11-24T10:00:00Z")
            #expect(made.json["person"]?["memberships"]?.array?.first?["role"] == "editor")
            let link = try #require(made.json["link"]?.string)
            #expect(link.hasPrefix("/_/#invitation=wm_"))
            let token = Array(link.dropFirst("/_/#invitation=".count).utf8)
            // It is neither a key nor a session.
            let text = String(decoding: token, as: UTF8.self)
            #expect(try await fixture.call("GET", "/api/v1/links", key: text).status == 401)
            let cookie = [("Cookie", "waymark=\(text)")]
            #expect(try await fixture.call("GET", "/_/session", key: nil, headers: cookie).status == 401)
            let keys = fixture.service.keys
            let found = try #require(try await keys.invitation(token))
            #expect(found.person.id == made.json["person"]?["id"]?.string)
            // Looking uses nothing up.
            #expect(try await keys.invitation(token) != nil)
            guard case .started = try await keys.signIn(found.person.id, using: found.id) else { throw NotSignedIn() }
            #expect(try await keys.invitation(token) == nil)
            guard case .unknown = try await keys.signIn(found.person.id, using: found.id) else {
                Issue.record("an invitation worked twice")
                return
            }
            let again = try await fixture.call(
                "POST", "/api/v1/people:invite", #"{"person": "\#(found.person.id)"}"#)
            let second = Array(
                try #require(again.json["link"]?.string).dropFirst("/_/#invitation=".count).utf8)
            fixture.clock.advance(seconds: 3 * 86_400 - 1)
            #expect(try await keys.invitation(second) != nil)
            fixture.clock.advance(seconds: 1)
            #expect(try await keys.invitation(second) == nil)
        }
    }

    @Test func disablingEndsInvitations() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let made = try await fixture.call("POST", "/api/v1/people:invite", #"{"role": "viewer"}"#)
            let link = try #require(made.json["link"]?.string)
            let token = Array(link.dropFirst("/_/#invitation=".count).utf8)
            let id = try #require(made.json["person"]?["id"]?.string)
            #expect(try await fixture.call("PATCH", "/api/v1/people/\(id)", #"{"disabled": true}"#).status == 200)
            #expect(try await fixture.service.keys.invitation(token) == nil)
            let refused = try await fixture.call("POST", "/api/v1/people:invite", #"{"person": "\#(id)"}"#)
            #expect(refused.status == 422 && refused.fields == ["person"])
            #expect(try await fixture.call("PATCH", "/api/v1/people/\(id)", #"{"disabled": false}"#).status == 200)
            #expect(try await fixture.service.keys.invitation(token) == nil)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func anAdministratorOfOneApplicationSeesItsPeople(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind, applications: Self.both) { fixture in
            let key = try await fixture.key(["admin"], app: "shop")
            let root = try await person(fixture, #"{"name": "Root", "memberships": [{"role": "admin"}]}"#)
            let other = try await person(
                fixture, #"{"name": "Bo", "memberships": [{"app": "news", "role": "viewer"}]}"#)
            let shared = try await person(
                fixture,
                #"""
                {"name": "Ana", "memberships": [{"app": "shop", "role": "viewer"}, {"app": "news", "role": "admin"}]}
                """#)
            fixture.clock.advance(seconds: 1)
            // An application that is not named is the only one that the caller administers.
            let invited = try await fixture.call("POST", "/api/v1/people:invite", #"{"role": "admin"}"#, key: key)
            #expect(invited.json["person"]?["memberships"]?.array?.first?["app"] == "shop", "\(invited.text)")
            let own = try #require(invited.json["person"]?["id"]?.string)
            let list = try await fixture.call("GET", "/api/v1/people", key: key).json["people"]?.array ?? []
            #expect(list.compactMap { $0["id"]?.string } == [shared, own])
            #expect(list.first?["memberships"]?.array?.compactMap { $0["app"]?.string } == ["shop"])
            for id in [root, other] {
                #expect(try await fixture.call("GET", "/api/v1/people/\(id)", key: key).status == 404)
                #expect(
                    try await fixture.call("PATCH", "/api/v1/people/\(id)", #"{"disabled": true}"#, key: key).status
                        == 404)
                #expect(try await fixture.call("DELETE", "/api/v1/people/\(id)", key: key).status == 404)
                let invitation = #"{"person": "\#(id)"}"#
                #expect(try await fixture.call("POST", "/api/v1/people:invite", invitation, key: key).status == 404)
            }
            // Who works elsewhere too keeps the name, the access, and what signs in.
            let path = "/api/v1/people/\(shared)"
            for body in [#"{"name": "Eve"}"#, #"{"email": "eve@example.com"}"#, #"{"disabled": true}"#] {
                let refused = try await fixture.call("PATCH", path, body, key: key)
                #expect(refused.status == 403 && refused.problem == "application-forbidden", "\(refused.text)")
            }
            #expect(try await fixture.call("DELETE", path, key: key).status == 403)
            let invitation = #"{"person": "\#(shared)"}"#
            #expect(try await fixture.call("POST", "/api/v1/people:invite", invitation, key: key).status == 403)
            let identity = #"{"identities": [{"issuer": "proxy", "subject": "eve"}]}"#
            for id in [shared, own] {
                #expect(try await fixture.call("PATCH", "/api/v1/people/\(id)", identity, key: key).status == 403)
            }
            // Only memberships of the shop are granted and removed.
            let granted = try await fixture.call(
                "PATCH", path, #"{"memberships": [{"app": "shop", "role": "editor"}]}"#, key: key)
            #expect(granted.json["memberships"]?.array?.compactMap { $0["app"]?.string } == ["shop"])
            for body in [
                #"{"memberships": [{"app": "news", "role": "editor"}]}"#, #"{"memberships": [{"role": "editor"}]}"#,
            ] {
                let refused = try await fixture.call("PATCH", path, body, key: key)
                #expect(refused.status == 422 && refused.fields == ["memberships[0].app"], "\(refused.text)")
            }
            #expect(try await fixture.call("PATCH", path, #"{"memberships": []}"#, key: key).status == 200)
            #expect(try await fixture.call("GET", path, key: key).status == 404)
            let left = try await fixture.call("GET", path).json["memberships"]?.array ?? []
            #expect(left.map { $0["app"]?.string } == ["news"])
            #expect(try await fixture.call("DELETE", "/api/v1/people/\(own)", key: key).status == 204)
        }
    }

    @Test(arguments: [
        #"{"disabled": true}"#, #"{"memberships": []}"#, #"{"memberships": [{"role": "editor"}]}"#, "DELETE",
    ])
    func theLastAdministratorStays(change: String) async throws {
        try await SiteFixture.run(.inProcess, adminKey: nil) { fixture in
            let people = fixture.service.people
            guard
                case .done(let ana) = try await people.make(
                    NewPerson(
                        name: "Ana", memberships: [Membership(application: nil, role: .admin)],
                        identities: [PersonIdentity(issuer: "proxy", subject: "ana")]), for: .all)
            else { throw NotSignedIn() }
            let session = try await signIn(fixture, ana.id)
            func end(_ id: String) async throws -> TestAnswer {
                try await fixture.call(
                    change == "DELETE" ? "DELETE" : "PATCH", "/api/v1/people/\(id)", change == "DELETE" ? nil : change,
                    key: nil, headers: session)
            }
            // Somebody who can't sign in yet administers nothing.
            let invited = try await fixture.call(
                "POST", "/api/v1/people:invite", #"{"role": "admin"}"#, key: nil, headers: session)
            #expect(invited.status == 201)
            let refused = try await end(ana.id)
            #expect(refused.status == 409 && refused.problem == "administrator-needed", "\(refused.text)")
            let key = try await fixture.call(
                "POST", "/api/v1/keys", #"{"name": "own", "scopes": ["admin"]}"#, key: nil, headers: session)
            #expect(key.status == 201)
            // The key would end with her.
            #expect(try await end(ana.id).status == 409)
            _ = try await people.make(
                NewPerson(
                    name: "Bo", memberships: [Membership(application: nil, role: .admin)],
                    identities: [PersonIdentity(issuer: "proxy", subject: "bo")]), for: .all)
            #expect(try await end(ana.id).status < 300)
        }
    }

    @Test(arguments: [
        ("POST", "", "{}", ["name"]),
        ("POST", "", #"{"name": ""}"#, ["name"]),
        ("POST", "", #"{"name": "a\u0007"}"#, ["name"]),
        ("POST", "", #"{"name": "a", "email": "nobody"}"#, ["email"]),
        (
            "POST", "", #"{"name": "a", "memberships": [{"app": "gone", "role": "owner"}]}"#,
            ["memberships[0].app", "memberships[0].role"]
        ),
        (
            "POST", "", #"{"name": "a", "memberships": [{"role": "admin"}, {"app": null, "role": "viewer"}]}"#,
            ["memberships[1].app"]
        ),
        (
            "POST", "", #"{"name": "a", "identities": [{"issuer": "ana", "subject": ""}]}"#,
            ["identities[0].issuer", "identities[0].subject"]
        ),
        ("POST", "", #"{"name": "a", "identities": [{"issuer": "proxy", "subject": "taken"}]}"#, ["identities"]),
        ("POST", "", #"{"name": "a", "disabled": true}"#, ["disabled"]),
        ("PATCH", "/ID", #"{"name": null}"#, ["name"]),
        ("PATCH", "/ID", #"{"passkeys": [{"id": "!"}]}"#, ["passkeys[0].id"]),
        ("POST", ":invite", "{}", ["role"]),
        ("POST", ":invite", #"{"role": "owner"}"#, ["role"]),
        ("POST", ":invite", #"{"role": "admin", "person": "ID"}"#, ["role"]),
    ])
    func namesWhatIsWrong(method: String, path: String, body: String, fields: [String]) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let id = try await person(
                fixture, #"{"name": "Ana", "identities": [{"issuer": "proxy", "subject": "taken"}]}"#)
            let answer = try await fixture.call(
                method, "/api/v1/people" + path.replacing("ID", with: id), body.replacing("ID", with: id))
            #expect(answer.status == 422, "\(answer.text)")
            #expect(answer.fields == fields)
        }
    }

    @Test(arguments: ["gone", "caf%C3%A9", "session-x"])
    func knowsNobodyByAnotherID(id: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            for (method, body) in [("GET", nil), ("PATCH", "{}"), ("DELETE", nil)] as [(String, String?)] {
                let answer = try await fixture.call(method, "/api/v1/people/\(id)", body)
                #expect(answer.status == 404, "\(method) \(answer.text)")
            }
        }
    }

    @Test func keepsThePasskeysThatAPatchNames() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let id = try await person(fixture, #"{"name": "Ana"}"#)
            let now = fixture.clock.now
            _ = try await fixture.service.keys.store.people.changePerson(id) { person in
                var person = person
                person.passkeys = [[0, 255], [1, 2, 3]].map {
                    Passkey(id: $0, publicKey: [9], signCount: 4, createdAt: now)
                }
                return person
            }
            let path = "/api/v1/people/\(id)"
            let found = try await fixture.call("GET", path).json["passkeys"]?.array ?? []
            #expect(found.compactMap { $0["id"]?.string } == ["AP8", "AQID"])
            #expect(!(try await fixture.call("GET", path).text.contains("publicKey")))
            let patch = #"{"passkeys": [{"id": "AQID"}, {"id": "AAAA"}]}"#
            let kept = try await fixture.call("PATCH", path, patch).json["passkeys"]?.array ?? []
            #expect(kept.compactMap { $0["id"]?.string } == ["AQID"])
        }
    }
}
