import Testing
import WaymarkTestSupport

/// What an import leaves to the application, in the rows of the guide's table: asked of visits.
@Suite struct MovedSettingTests {
    private static let shop = #"""
        {"id": "shop", "domains": ["go.example.com"], "slugCase": "insensitive", "extraPath": "append",
         "forwardQuery": false, "redirectStatus": 301, "onExpired": "https://shop.example.com/late",
         "onUnknown": "https://shop.example.com/unknown", "onRoot": "https://shop.example.com/root"}
        """#

    /// The row, the path, and where the visit leads; nil: nowhere else.
    static let visits: [(row: String, path: String, location: String?)] = [
        ("upper and lower case", "/SALE", "https://a.example/x"),
        ("a slash at the end", "/sale/", "https://a.example/x"),
        ("a path behind the slug", "/sale/more/path", "https://a.example/x/more/path"),
        ("forwarding the query", "/sale?color=red", "https://a.example/x"),
        ("the status of a redirect", "/sale", "https://a.example/x"),
        ("where an expired link leads", "/old", "https://shop.example.com/late"),
        ("unknown slugs", "/other", "https://shop.example.com/unknown"),
        ("the bare domain", "/", "https://shop.example.com/root"), ("QR codes", "/sale/qr.png", nil),
        ("QR codes", "/sale/qr.svg", nil),
    ]

    @Test(arguments: visits.indices) func visitsLeadWhereTheyLed(index: Int) async throws {
        let (row, path, location) = Self.visits[index]
        try await SiteFixture.run(.inProcess, applications: [Self.shop]) { fixture in
            _ = try await fixture.create(#"{"slug": "sale", "urls": {"web": "https://a.example/x"}}"#)
            _ = try await fixture.create(#"{"slug": "old", "urls": {"web": "https://a.example/old"}}"#)
            _ = try await fixture.call(
                "PATCH", "/api/v1/links/go.example.com/old", #"{"expiresAt": "2020-01-01T00:00:00Z"}"#)
            let answer = try await fixture.visit(path)
            #expect(answer[header: "Location"] == location, "\(row)")
            if location == nil { #expect(answer.status == 200) }
            if row == "the status of a redirect" { #expect(answer.status == 301) }
        }
    }

    @Test func theGuideHasEveryRow() throws {
        let names = try GuideTable.names(in: "from-link-shorteners.md", under: "Settings of the old service")
        #expect(Set(names).isSuperset(of: Self.visits.map(\.row)))
    }
}
