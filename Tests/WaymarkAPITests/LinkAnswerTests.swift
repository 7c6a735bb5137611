import Testing
import WaymarkAPI

@Suite struct LinkAnswerTests {
    private static let text =
        #"{"smartlink":"https://go.example.com/Ab3dE9x","domain":"go.example.com","slug":"Ab3dE9x","app":"shop","#
        + #""route":"products/:product_id","routeParameters":{"product_id":"42"},"#
        + #""queryParameters":{"referrer":"ana"},"urls":{},"hasMetadata":true,"hasPassword":false,"redeemLimit":1,"#
        + #""redeem":{"limit":1,"used":0,"remaining":1},"state":"active","disabled":false,"validFrom":null,"#
        + #""expiresAt":null,"maxClicks":null,"clicks":0,"social":null,"campaign":null,"tags":[],"#
        + #""title":"Spring sale","note":null,"folder":null,"managedBy":null,"forwardQuery":true,"createdAt":"2026-11-21T10:00:00Z","updatedAt":"2026-11-21T10:00:00Z","version":1}"#

    @Test func `a response has the members of the interface in order`() throws {
        let link = try #require(LinkResponse(json: Array(Self.text.utf8)))
        #expect(String(decoding: link.json, as: UTF8.self) == Self.text)
    }

    @Test func leavesNothingRemainingWhereTheLimitIsBelowWhatWasUsed() {
        #expect(RedeemCount(limit: 1, used: 3).remaining == 0)
        #expect(RedeemCount(limit: nil, used: 0).remaining == nil)
    }

    @Test func readsAPage() throws {
        let link = try #require(LinkResponse(json: Array(Self.text.utf8)))
        let page = LinkListResponse(links: [link, link], cursor: "x")
        #expect(LinkListResponse(json: page.json) == page)
    }
}
