import Foundation
import Testing
import WaymarkJSON
import WaymarkKit

@testable import WaymarkDynamicLinks

@Suite struct CustomSchemeTests {
    @Test(arguments: [
        ("shop://google/link/?deep_link_id=https%3A%2F%2Fa.example", true, "https://a.example unique"),
        ("SHOP://google/link?deep_link_id=https%3A%2F%2Fa.example&match_type=weak", true, "https://a.example weak"),
        ("com.example.shop://google/link/?deep_link_id=x&match_type=default", true, "x default"),
        ("shop://google/link/?deep_link_id=x&match_type=other", true, "x none"),
        ("shop://google/link/?match_message=none", true, "nil none"), ("shop://google/link/", true, nil),
        ("shop://google/link/dismiss", true, nil), ("shop://google/links?deep_link_id=x", false, nil),
        ("shop://products/42?deep_link_id=x", false, nil), ("other://google/link/?deep_link_id=x", false, nil),
        ("https://google/link/?deep_link_id=x", false, nil), ("google/link/?deep_link_id=x", false, nil),
    ])
    func readsURLsWithTheAppsScheme(text: String, isHandled: Bool, expected: String?) throws {
        let (links, _) = try DynamicLinks.standIn(.init(.failure(.offline)))
        #expect(links.shouldHandleDynamicLink(fromCustomSchemeURL: try url(text)) == isHandled)
        let link = links.dynamicLink(fromCustomSchemeURL: try url(text))
        #expect(link.map { "\($0.url?.absoluteString ?? "nil") \($0.matchType)" } == expected)
    }

    @Test func recordsTheOpeningOfAClickOnce() throws {
        let (links, client) = try DynamicLinks.standIn(.init(.failure(.offline)))
        for click in ["c1", "c1", "c2", "c2"] {
            links.dynamicLink(
                fromCustomSchemeURL: try url(
                    "shop://google/link/?deep_link_id=https%3A%2F%2Fa.example&_hk_cid=\(click)"))
        }
        links.dynamicLink(fromCustomSchemeURL: try url("shop://google/link/?deep_link_id=https%3A%2F%2Fa.example"))
        #expect(client.eventCounts.waiting == 2)
    }

    @Test func recordsTheLastOfSeveralClicks() async throws {
        let transport = RecordingTransport(.failure(.offline))
        let (links, client) = try DynamicLinks.standIn(transport)
        links.dynamicLink(
            fromCustomSchemeURL: try url("shop://google/link/?_hk_cid=foreign&deep_link_id=x&_hk_cid=c1"))
        try await links.dynamicLink(
            fromUniversalLink: try url("https://go.example.com/?_hk_cid=foreign&link=https://a.example&_hk_cid=c2"))
        try await client.flushEvents()
        let events = try #require(transport.bodies(of: "/api/v1/events").first?["events"]?.array)
        #expect(events.map { $0["clickID"]?.string } == ["c1", "c2"])
    }
}
