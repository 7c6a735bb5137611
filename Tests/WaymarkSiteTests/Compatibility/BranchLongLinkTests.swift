import Testing
import WaymarkJSON
import WaymarkService

@testable import WaymarkSite

/// `https://<domain>/?$deeplink_path=…`: Branch's links that nobody stores.
@Suite struct BranchLongLinkTests {
    private static let shop = String(SiteFixture.shop.dropLast(2)) + #", "branch": {"enabled": true} }"#

    private func run(_ test: (SiteFixture) async throws -> Void) async throws {
        try await SiteFixture.run(.inProcess, applications: [Self.shop], test: test)
    }

    private static let page = "https://shop.example.com/p"

    @Test(arguments: ["/?", "/a/key_live_kaFuWw8WvY7yn1d9yYiP8gokwqjV0Sw?", "/e/0pJxf1?", "/a/b/c?"])
    func longLinksAreFollowed(_ path: String) async throws {
        try await run { fixture in
            let target =
                path + "%24deeplink_path=products%2F42&%24fallback_url=https%3A%2F%2Fshop.example.com%2Fp&product=42"
            let desktop = try await fixture.visit(target)
            #expect(desktop.status == 302)
            #expect(desktop[header: "Location"] == Self.page + "?product=42")
            let phone = try await fixture.visit(target, as: Agent.android)
            #expect(phone[header: "Location"]?.hasPrefix("intent://products/42?product=42&_hk_cid=") == true)
            #expect(try await fixture.visit(target, as: Agent.iphone).text.contains("shop://products/42?product=42"))
            #expect(try await fixture.call("GET", "/api/v1/links").json["links"]?.array?.isEmpty == true)
        }
    }

    @Test(arguments: ["/?$fallback_url=https://evil.example/", "/a/key_live_x?$ios_url=https://evil.example/"])
    func longLinksLeadNowhereElse(_ target: String) async throws {
        try await run { fixture in
            for agent in [Agent.windows, Agent.iphone, Agent.android] {
                let answer = try await fixture.visit(target, as: agent)
                #expect(answer.status == 400)
                #expect(!answer.text.contains("href=\"https://evil.example"))
            }
        }
    }

    @Test func aStoredLinkComesBeforeALongLinkOfItsURL() async throws {
        try await run { fixture in
            _ = try await fixture.call(
                "POST", "/api/v1/links", #"{"slug": "sale", "urls": {"web": "https://shop.example.com/sale"}}"#)
            let query = "$fallback_url=https%3A%2F%2Fshop.example.com%2Fp"
            let visit = try await fixture.visit("/sale?" + query)
            #expect(visit[header: "Location"]?.hasPrefix("https://shop.example.com/sale") == true)
            let resolved = try await fixture.call(
                "POST", "/api/v1/resolve",
                #"{"smartlink": "https://go.example.com/sale?\#(query)", "platform": "web"}"#)
            #expect(resolved.json["deeplink"]?.string?.hasPrefix("https://shop.example.com/sale") == true)
        }
    }

    @Test func appsResolveAndClaimLongLinks() async throws {
        try await run { fixture in
            let url = "https://go.example.com/?$deeplink_path=products/42&channel=mail&product=42"
            let resolved = try await fixture.call(
                "POST", "/api/v1/resolve", #"{"smartlink": "\#(url)", "platform": "ios"}"#)
            #expect(resolved.json["deeplink"]?.string?.hasPrefix("shop://products/42") == true, "\(resolved.text)")
            let page = try await fixture.visit(
                "/?$deeplink_path=products/42&channel=mail&product=42", as: Agent.iphone)
            let copied = try #require(page.text.firstMatch(of: /data-copy="([^"]+)"/)?.output.1)
                .replacing("&amp;", with: "&")
            let claim = try await fixture.call(
                "POST", "/api/v1/deferred/claim",
                #"{"app": "shop", "platform": "ios", "installID": "0123456789abcdef0123", "clipboard": "\#(copied)"}"#)
            #expect(claim.status == 200, "\(copied) \(claim.text)")
            #expect(claim.json["deeplink"]?.string?.hasPrefix("shop://products/42") == true, "\(claim.text)")
        }
    }

    @Test func longLinksAreNotServedWithoutTheSetting() async throws {
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.shop]) { fixture in
            let answer = try await fixture.visit("/a/key_live_x?$deeplink_path=a")
            #expect(answer.status == 404)
        }
    }
}
