import Foundation
import Testing
import WaymarkKit

/// The samples of docs/guide/waymarkkit.md and of the article on universal links, with a stand-in for the network.
@MainActor @Suite struct ReadmeSampleTests {
    private var key: String { "wm_0123456789abcdefghijklmnopqrstuv" }

    @Test func readmeSampleRuns() async throws {
        var shown: [String?] = []
        func show(product: String?, coupon: String?) { shown += [product, coupon] }
        let url = "https://go.example.com/Ab3dE9x"
        let page = "https://www.example.com/products/43"

        let client = try WaymarkClient(
            service: "https://go.example.com", key: key, options: ClientOptions(app: "shop", sendsEvents: false),
            storage: MemoryStorage(), transport: StandInTransport())
        let deeplinking = Deeplinking(client: client, urlSchemes: ["shop"])

        try deeplinking.map("products/:product_id") { deeplink in
            show(product: deeplink.routeParameters["product_id"], coupon: deeplink.metadata?["coupon"]?.string)
        }

        // `open(_:)` with an end to wait for.
        await deeplinking.open(resolving: url)
        deeplinking.open(page)
        await client.openDeferredDeeplink(in: deeplinking)
        let smartlink = try await deeplinking.smartlinkURL(
            for: Deeplink(route: "products/:product_id", routeParameters: ["product_id": 42], redeemLimit: 1))

        #expect(shown == ["42", "20", "43", nil])
        #expect(smartlink.absoluteString == "https://go.example.com/made1")
    }
}
