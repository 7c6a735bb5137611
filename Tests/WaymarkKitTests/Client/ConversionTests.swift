import Testing
import WaymarkAPI
import WaymarkJSON
import WaymarkKit

/// Conversions reach the service, with the link that led to them.
@Suite struct ConversionTests {
    private static func conversion(_ service: StandInTransport) throws -> JSONValue {
        let body = try JSONValue(parsing: try #require(service.requests.last).body)
        return try #require(body["conversions"]?.array?.first)
    }

    @Test @MainActor func `names the click that the app was opened with`() async throws {
        let service = StandInTransport()
        let client = try WaymarkClient.standIn(service, options: ClientOptions(sendsEvents: false))
        var opened: Deeplink?
        let deeplinking = Deeplinking()
        try deeplinking.map("products/:id") { opened = $0 }
        deeplinking.open("shop://products/42?_hk_cid=click")
        let isCounted = try await client.reportConversion(
            id: "order-1", name: "purchase", of: opened, value: .init(amount: "12.50", currency: "EUR"))
        #expect(isCounted)
        let conversion = try Self.conversion(service)
        #expect(conversion["clickID"]?.string == "click")
        #expect(conversion["installID"] == nil)
        #expect(conversion["value"] == ["amount": "12.50", "currency": "EUR"])
        #expect(conversion["at"]?.string == "2026-11-21T10:00:00Z")
    }

    @Test func `names the installation if no link is known`() async throws {
        let service = StandInTransport()
        let client = try WaymarkClient.standIn(service, options: ClientOptions(sendsEvents: false))
        try await client.reportConversion(id: "order-1", name: "signup")
        let first = try Self.conversion(service)
        #expect(first["installID"]?.string?.count == 36)
        #expect(first["value"] == nil)
        try await client.reportConversion(id: "order-2", name: "signup")
        #expect(try Self.conversion(service)["installID"] == first["installID"])
    }

    @Test func `a repeated conversion is not counted again`() async throws {
        let service = StandInTransport(faults: [.answerLost(.unreachable("reset"))])
        let client = try WaymarkClient.standIn(service, options: ClientOptions(sendsEvents: false))
        _ = try? await client.reportConversion(id: "order-1", name: "purchase")
        let isCounted = try await client.reportConversion(id: "order-1", name: "purchase")
        #expect(!isCounted)
        #expect(service.countedEvents == ["order-1"])
    }
}
