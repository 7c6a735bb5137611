import Foundation
import Testing
import WaymarkJSON
import WaymarkKit

@testable import WaymarkDynamicLinks

@Suite struct PendingLinkTests {
    private static let claimed = """
        {"deeplink": "https://shop.example.com/products/42", "route": null, "routeParameters": {},
         "queryParameters": {"utm_source": "mail"}, "metadata": null, "redeem": {"limit": null, "used": 0, "remaining": null},
         "update": {"minimumVersion": "2.4", "url": null}, "match": {"method": "clipboard"}}
        """

    @Test(arguments: [nil, "", "hello", "https://go.example.com/x", "https://other.example/x?_hk_cid=c"])
    func sendsNothingThatIsNotALinkWithAClick(clipboard: String?) async throws {
        let transport = RecordingTransport(Self.claimed)
        let (links, _) = try DynamicLinks.standIn(transport)
        #expect(try await links.pendingDynamicLink(clipboard: clipboard) == nil)
        #expect(transport.requests.isEmpty)
    }

    @Test func claimsTheLinkOfAClickOnce() async throws {
        let transport = RecordingTransport(Self.claimed)
        let (links, client) = try DynamicLinks.standIn(transport)
        let clipboard = "https://go.example.com/x?_hk_cid=c1"
        let link = try #require(try await links.pendingDynamicLink(clipboard: clipboard))
        #expect(link.url?.absoluteString == "https://shop.example.com/products/42")
        #expect(link.matchType == .unique && link.minimumAppVersion == "2.4")
        #expect(try await links.pendingDynamicLink(clipboard: clipboard) == nil)
        #expect(transport.bodies(of: "/api/v1/deferred/claim").count == 1)
        #expect(transport.bodies(of: "/api/v1/deferred/claim").first?["appVersion"]?.string == "0")
        #expect(client.eventCounts.waiting == 1)
    }

    @Test func asksAgainAfterAFailure() async throws {
        let transport = RecordingTransport(.failure(.timedOut))
        let (links, _) = try DynamicLinks.standIn(transport)
        for _ in 0..<2 {
            await #expect(throws: NSError.self) {
                try await links.pendingDynamicLink(clipboard: "https://go.example.com/x?_hk_cid=c1")
            }
        }
        #expect(transport.requests.count == 2)
    }
}
