import Foundation
import Testing
import WaymarkKit

/// Where a URL is meant, a URL may be given and is returned.
@MainActor
@Suite struct URLArgumentTests {
    @Test func clientTakesAndReturnsURLs() async throws {
        let service = try #require(URL(string: "https://go.example.com"))
        let smartlink = try #require(URL(string: "https://go.example.com/Ab3dE9x"))
        let transport = StandInTransport()
        let client = try WaymarkClient(
            service: service, key: "wm_0123456789abcdefghijklmnopqrstuv",
            options: ClientOptions(sendsEvents: false),
            storage: MemoryStorage(), transport: transport)
        #expect(try await client.resolve(smartlink).routeParameters == ["product_id": "42"])
        #expect(try await client.resolve(smartlink, redeem: false).metadata == nil)
        let deeplinking = Deeplinking(client: client, urlSchemes: ["shop"], openingTimeLimit: .seconds(3_600))
        try deeplinking.map("products/:id") { _ in }
        let link = try Deeplink(route: "products/:id", routeParameters: ["id": 42])
        #expect(try await deeplinking.smartlinkURL(for: link) == URL(string: "https://go.example.com/made1"))
    }

    @Test func standardStorageIsInApplicationSupport() throws {
        #expect(FileStorage.standard.folder == (try FileStorage.applicationSupport().folder))
    }

    @Test(arguments: [".", ".."]) func dotsAreRefusedAsRouteParameters(value: String) {
        #expect(throws: DeeplinkingError.invalidRouteParameters(["id"])) {
            try Deeplink(route: "products/:id/:tab", routeParameters: ["id": value, "tab": "..."])
        }
    }
}
