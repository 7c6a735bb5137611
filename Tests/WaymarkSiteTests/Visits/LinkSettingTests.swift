import Testing
import WaymarkJSON

@testable import WaymarkSite

/// Settings of a link that replace its application's.
@Suite struct LinkSettingTests {
    private static let shop = #"""
        {"id": "shop", "domains": ["go.example.com"], "redirectStatus": 308, "onExpired": "https://shop.example.com/late",
         "queryOverride": true, "destinations": {"blockedHosts": ["blocked.example"]}}
        """#
    private static let path = "/api/v1/links/go.example.com/x"

    @Test(arguments: TransportKind.allCases)
    func statusOfALinkWinsOverItsApplications(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind, applications: [Self.shop]) { fixture in
            let plain = try await fixture.create(#"{"slug": "x", "urls": {"web": "https://a.example/"}}"#)
            #expect(plain["redirectStatus"] == nil)
            for status in [301, 302, 307, 308] {
                let patched = try await fixture.call("PATCH", Self.path, #"{"redirectStatus": \#(status)}"#)
                #expect(patched.json["redirectStatus"]?.integer == status, "\(patched.text)")
                for _ in 0..<2 { #expect(try await fixture.visit("/x").status == status) }
            }
            let removed = try await fixture.call("PATCH", Self.path, #"{"redirectStatus": null}"#)
            #expect(removed.json["redirectStatus"] == nil)
            #expect(try await fixture.visit("/x").status == 308)
            let refused = try await fixture.call("PATCH", Self.path, #"{"redirectStatus": 303}"#)
            #expect(refused.status == 422 && refused.text.contains("must be 301, 302, 307 or 308"))
        }
    }

    @Test(arguments: TransportKind.allCases)
    func expiredLinksLeadWhereTheySayThemselves(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind, applications: [Self.shop]) { fixture in
            _ = try await fixture.create(
                #"""
                {"slug": "x", "urls": {"web": "https://a.example/"}, "expiresAt": "2026-11-21T09:00:00Z",
                 "onExpired": "https://own.example/late"}
                """#)
            for _ in 0..<2 {
                let own = try await fixture.visit("/x")
                #expect(own.status == 302 && own[header: "Location"] == "https://own.example/late")
            }
            let problem = try await fixture.visit("/x", headers: [("Accept", "application/json")])
            #expect(problem.problem == "link-expired")
            let removed = try await fixture.call("PATCH", Self.path, #"{"onExpired": null}"#)
            #expect(removed.json["onExpired"] == nil)
            #expect(try await fixture.visit("/x")[header: "Location"] == "https://shop.example.com/late")
            for url in ["shop://a", "https://blocked.example/", "https://go.example.com/x"] {
                let refused = try await fixture.call("PATCH", Self.path, #"{"onExpired": "\#(url)"}"#)
                #expect(refused.status == 422 && refused.text.contains("onExpired"), "\(refused.text)")
            }
            let history = try await fixture.call("GET", Self.path + "/history")
            #expect(history.text.contains("onExpired"))
        }
    }

    @Test func ownSettingsNameWhatIsNotTheApplications() async throws {
        try await SiteFixture.run(.inProcess, applications: [Self.shop]) { fixture in
            let link = try await fixture.create(#"{"slug": "x", "urls": {"web": "https://a.example/"}}"#)
            #expect(link["ownSettings"] == nil && link["queryOverride"]?.bool == true)
            let own = try await fixture.call(
                "PATCH", Self.path, #"{"forwardQuery": true, "queryOverride": false}"#)
            #expect(own.json["ownSettings"]?.array?.map(\.string) == ["forwardQuery", "queryOverride"])
            #expect(own.json["queryOverride"] == nil && own.json["forwardQuery"]?.bool == true)
        }
    }
}
