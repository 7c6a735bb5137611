import Testing
import WaymarkHTTP
import WaymarkJSON
import WaymarkService

@testable import WaymarkSite

/// What people let programs do by OAuth, as they and administrators see and end it. It is 2026-11-21T10:00:00Z.
@Suite struct AllowedProgramTests {
    private static let marks = [("X-Waymark-Dashboard", "1"), ("Sec-Fetch-Site", "same-origin")]
    private static let day: Int64 = 86_400

    private static func call(
        _ fixture: SiteFixture, _ method: String, _ target: String, _ cookie: (String, String)
    ) async throws -> TestAnswer {
        try await fixture.call(
            method, target, key: nil, host: OAuthTests.host, headers: [cookie] + (method == "GET" ? [] : marks))
    }

    private static func programs(_ answer: TestAnswer) throws -> [JSONValue] {
        try #require(answer.json["programs"]?.array, "\(answer.text)")
    }

    @Test(arguments: TransportKind.allCases)
    func `a person sees and ends programs`(kind: TransportKind) async throws {
        try await SiteFixture.run(kind) { fixture in
            let client = try await OAuthTests.register(fixture)
            let (cookie, id) = try await OAuthTests.person(fixture, "editor")
            let tokens = try await OAuthTests.tokens(fixture, client, cookie)
            let access = try #require(tokens["access_token"]?.string)
            let listed = try Self.programs(try await Self.call(fixture, "GET", "/api/v1/programs", cookie))
            let program = try #require(listed.first)
            #expect(listed.count == 1)
            #expect(program["name"] == "<Bot>" && program["apps"] == .null)
            #expect(program["scopes"]?.array == ["read", "links"])
            #expect(program["allowedAt"] == "2026-11-21T10:00:00Z" && program["lastUsedAt"] == "2026-11-21T10:00:00Z")
            #expect(program["expiresAt"] == "2026-12-21T10:00:00Z" && program["endsAt"] == "2027-05-20T10:00:00Z")
            let name = try #require(program["id"]?.string)
            #expect(!access.contains(name))
            // Others have their own.
            let own = try await fixture.call("GET", "/api/v1/programs")
            #expect(try Self.programs(own).isEmpty)
            #expect(try await fixture.call("DELETE", "/api/v1/programs/\(name)").status == 404)
            #expect(try await OAuthTests.status(fixture, tokens["access_token"]) == 200)

            let target = "/api/v1/programs/\(name)"
            #expect(try await Self.call(fixture, "DELETE", target, cookie).status == 204)
            #expect(try await OAuthTests.status(fixture, tokens["access_token"]) == 401)
            let late = try await OAuthTests.refresh(fixture, client, tokens["refresh_token"]?.string ?? "")
            #expect(late.json["error"] == "invalid_grant")
            #expect(try await Self.call(fixture, "DELETE", target, cookie).status == 404)
            let audit = try await fixture.call("GET", "/api/v1/audit?action=program.ended")
            let entries = try #require(audit.json["entries"]?.array)
            #expect(entries.count == 1)
            #expect(entries.first?["object"]?["id"]?.string == client)
            #expect(entries.first?["by"]?["person"]?["id"]?.string == id)
            #expect(entries.first?["before"]?["owner"]?.string == id, "\(audit.text)")
            #expect(entries.first?["before"]?["name"] == "<Bot>")
        }
    }

    @Test func `an administrator of all ends a person's programs`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let client = try await OAuthTests.register(fixture)
            let (cookie, id) = try await OAuthTests.person(fixture, "viewer")
            let tokens = try await OAuthTests.tokens(fixture, client, cookie)
            let target = "/api/v1/people/\(id)/programs"
            let made = try await fixture.call(
                "POST", "/api/v1/keys", #"{"name": "k", "scopes": ["admin"], "app": "shop"}"#)
            let key = try #require(made.json["key"]?.string)
            #expect(try await fixture.call("GET", target, key: key).status == 404)
            #expect(try await Self.call(fixture, "GET", target, cookie).status == 403)
            let programs = try Self.programs(try await fixture.call("GET", target))
            let name = try #require(programs.first?["id"]?.string)
            #expect(try await fixture.call("DELETE", "\(target)/\(name)", key: key).status == 404)
            #expect(try await OAuthTests.status(fixture, tokens["access_token"]) == 200)
            #expect(try await fixture.call("DELETE", "\(target)/\(name)").status == 204)
            #expect(try await OAuthTests.status(fixture, tokens["access_token"]) == 401)
            #expect(try await fixture.call("DELETE", "\(target)/\(name)").status == 404)
        }
    }

    @Test func `a person is asked again after 180 days`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let client = try await OAuthTests.register(fixture)
            let (cookie, _) = try await OAuthTests.person(fixture, "editor")
            var tokens = try await OAuthTests.tokens(fixture, client, cookie)
            for days in [29, 29, 29, 29, 29, 29, 5] as [Int64] {
                fixture.clock.advance(seconds: days * Self.day)
                let refreshed = try await OAuthTests.refresh(fixture, client, tokens["refresh_token"]?.string ?? "")
                #expect(refreshed.status == 200 && refreshed.json["expires_in"] == 3_600, "\(refreshed.text)")
                tokens = refreshed.json
            }
            fixture.clock.advance(seconds: Self.day - 1_800)
            tokens = try await OAuthTests.refresh(fixture, client, tokens["refresh_token"]?.string ?? "").json
            #expect(tokens["expires_in"] == 1_800)
            #expect(try await OAuthTests.status(fixture, tokens["access_token"]) == 200)
            fixture.clock.advance(seconds: 1_800)
            #expect(try await OAuthTests.status(fixture, tokens["access_token"]) == 401)
            let late = try await OAuthTests.refresh(fixture, client, tokens["refresh_token"]?.string ?? "")
            #expect(late.json["error"] == "invalid_grant")
        }
    }
}
