import Testing
import WaymarkHTTP
import WaymarkJSON
import WaymarkServer

@testable import WaymarkService
@testable import WaymarkSite

/// Who signs in by a proxy's field, and when keys do.
@Suite struct SignInSettingTests {
    private static let proxy = #"{"proxy": true}"#

    private func person(_ fixture: SiteFixture, _ body: String) async throws -> String {
        let made = try await fixture.call("POST", "/api/v1/people", body)
        return try #require(made.json["id"]?.string, "\(made.text)")
    }

    @Test(
        arguments: [
            (["ana"], true, 204), (["ana"], false, 403), ([], true, 403), ([""], true, 403), (["bo"], true, 403),
            (["Ana"], true, 403), (["ana", "ana"], true, 403), (["ana", "bo"], true, 403), (["bo", "ana"], true, 403),
        ] as [([String], Bool, Int)])
    func aTrustedProxyNamesOnePerson(values: [String], isTrusted: Bool, status: Int) async throws {
        var options = SiteFixture.options()
        options.proxySignInField = try #require(HeaderName("X-User"))
        try await SiteFixture.run(.inProcess, options: options) { fixture in
            _ = try await person(
                fixture,
                #"{"name": "Ana", "memberships": [{"role": "viewer"}], "identities": [{"issuer": "proxy", "subject": "ana"}]}"#
            )
            let peer = try #require(
                Peer(addressText: "192.0.2.1", isSecure: true, isForwarded: true, hasTrustedFields: isTrusted))
            let client = InProcessClient(fixture.site, peer: peer)
            let fields = values.map { ("X-User", $0) }
            let answer = try await client.send(
                TestRequest(
                    "POST", "/_/session", host: "api.test", headers: fields + [("Content-Type", "application/json")],
                    body: Array(Self.proxy.utf8)))
            #expect(answer.status == status, "\(answer.text)")
            // The field alone authorises no call.
            let call = try await client.send(TestRequest("GET", "/api/v1/links", host: "api.test", headers: fields))
            #expect(call.status == 401)
        }
    }

    @Test func aProxySignsNobodyInWithoutTheSetting() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let answer = try await fixture.call(
                "POST", "/_/session", Self.proxy, key: nil, headers: [("X-User", "ana")])
            #expect(answer.status == 403 && answer.text.contains("sign-in-refused"), "\(answer.text)")
        }
    }

    @Test(arguments: [(nil, 403), (true, 204), (false, 403)] as [(Bool?, Int)])
    func keysSignInUntilAPersonAdministers(setting: Bool?, status: Int) async throws {
        var options = SiteFixture.options()
        options.keySignIn = setting
        try await SiteFixture.run(.inProcess, options: options) { fixture in
            let key = #"{"key": "\#(SiteFixture.adminKey)"}"#
            func signIn() async throws -> Int { try await fixture.call("POST", "/_/session", key, key: nil).status }
            let id = try await person(fixture, #"{"name": "Ana", "memberships": [{"role": "admin"}]}"#)
            #expect(try await signIn() == 204)
            guard case .started = try await fixture.service.keys.signIn(id) else {
                Issue.record("the administrator can't sign in")
                return
            }
            #expect(try await signIn() == status)
            // The link that is made at the database works always.
            let owner = InProcessClient(fixture.site, role: .owner)
            let link = try await owner.send(
                TestRequest(
                    "POST", "/_/session", host: "localhost", headers: [("Content-Type", "application/json")],
                    body: Array(#"{"key": "\#(SiteFixture.adminKey)", "link": true}"#.utf8)))
            #expect(link.status == 201, "\(link.text)")
            let token = try #require(link.json["link"]?.string?.split(separator: "=").last)
            #expect(
                try await fixture.call("POST", "/_/session", #"{"token": "\#(token)"}"#, key: nil).status == 204)
            #expect(try await fixture.call("PATCH", "/api/v1/people/\(id)", #"{"disabled": true}"#).status == 200)
            #expect(try await signIn() == 204)
        }
    }
}
