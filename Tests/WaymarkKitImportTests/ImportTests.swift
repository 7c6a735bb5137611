import Testing
import WaymarkKit

/// An app that imports WaymarkKit and no other module of the package, with member import visibility on.
@MainActor
@Suite struct ImportTests {
    /// A service of the app's own.
    private struct Service: SmartlinkResolving {
        func resolve(_ subject: ResolveRequest.Subject) async throws -> ResolveResponse {
            ResolveResponse(
                deeplink: "shop://products/42", route: nil, routeParameters: [:], queryParameters: [:],
                metadata: RawJSON(Array(#"{"coupon":"20"}"#.utf8)), redeem: RedeemCount(limit: nil, used: 0),
                update: AppUpdate(minimumVersion: "4.2", url: nil))
        }
    }

    /// A name that the package's wire has too.
    private enum Endpoint { case own }

    @Test func oneImportIsAllAnAppNeeds() async throws {
        let deeplinking = Deeplinking(urlSchemes: ["shop"], domains: ["go.example.com"], resolver: Service())
        var version: String?
        try deeplinking.map("products/:id") { version = $0.update?.minimumVersion }
        let opening = await deeplinking.open(resolving: "https://go.example.com/Ab3dE9x")
        #expect(version == "4.2")
        #expect(opening.deeplink?.metadata?.json.bytes.isEmpty == false)
        let answer = try await Service().resolve(.smartlink("x"))
        #expect(answer.deeplink == "shop://products/42")
        #expect(answer.redeem.limit == nil)
        let error = WaymarkClientError.refused(Problem(.linkExpired, "It ended on Monday."), retryAfter: nil)
        #expect(error.problem?.detail == "It ended on Monday.")
        #expect(error.problem?.known == .linkExpired)
        var body = LinkRequest()
        body.urls["web"] = URLEntryRequest("https://www.example.com/")
        #expect(body.urls["web"]?.link == "https://www.example.com/")
        _ = Endpoint.own
    }
}
