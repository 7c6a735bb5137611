import Testing
import WaymarkAPI

@Suite struct ApplicationBodyTests {
    private static let shop = """
        { "id": "shop", "name": "Shop", "domains": ["go.example.com"], "baseURL": "https://go.example.com",
          "ios": { "appIDs": ["ABCDE12345.com.example.shop"], "urlScheme": "shop", "appStoreID": "123456789",
                   "components": [ {"/": "/*"} ], "paths": null, "appClips": [], "webCredentials": [] },
          "android": { "package": "com.example.shop", "urlScheme": "shop", "sha256CertFingerprints": ["AB"] },
          "web": { "baseURL": "https://shop.example.com" },
          "templates": [ { "name": "product", "route": "products/:product_id",
            "urls": { "web": "https://shop.example.com/products/:product_id",
                      "ios": {"link": "shop://products/:product_id", "fallback": "store"} } } ] }
        """

    @Test func readsWhatLinksNeed() throws {
        let body = try ApplicationRequest(json: Array(Self.shop.utf8))
        #expect(body.id == "shop")
        #expect(body.domains == ["go.example.com"])
        #expect(body.ios?.urlScheme == "shop")
        #expect(body.ios?.appStoreID == "123456789")
        #expect(body.android?.package == "com.example.shop")
        #expect(body.webBaseURL == "https://shop.example.com")
        #expect(body.templates.map(\.route) == ["products/:product_id"])
        #expect(body.templates.first?.urls["ios"] == URLEntryRequest("shop://products/:product_id", fallback: "store"))
    }

    @Test(arguments: [
        (
            #"{"templates": [{"route": "a"}, {"route": "b", "urls": {"ios": {"link": 5}}}]}"#,
            ["templates[1].urls.ios.link"]
        ),
        (#"{"templates": [{"name": "x"}]}"#, ["templates[0].route"]),
        (#"{"templates": ["x"]}"#, ["templates[0]"]),
        (#"{"ios": {"scheme": "shop"}}"#, ["ios.scheme"]),
        (#"{"ios": "shop"}"#, ["ios"]),
        (#"{"android": {"urlScheme": 1, "x": 1}}"#, ["android.urlScheme", "android.x"]),
        (#"{"domains": ["a", 5], "redirectStatus": "302"}"#, ["domains[1]", "redirectStatus"]),
        (#"{"cors": {"origins": [1]}, "web": {"url": "x"}}"#, ["web.url", "cors.origins[0]"]),
    ])
    func namesProblems(text: String, fields: [String]) {
        let error = #expect(throws: BodyError.self) { try ApplicationRequest(json: Array(text.utf8)) }
        #expect(error?.problem.errors.map(\.field) == fields)
    }
}
