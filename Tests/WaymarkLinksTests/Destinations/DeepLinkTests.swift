import Testing

@testable import WaymarkAPI
@testable import WaymarkLinks

@Suite struct DeepLinkTests {
    @Test(arguments: [
        (Platform.ios, "shop://products/42?referrer=ana&x=1"), (.iphone, "shop://products/42?referrer=ana&x=1"),
        (.android, "shop://products/42?referrer=ana&x=1"),
        (.web, "https://shop.example.com/products/42?referrer=ana&x=1"),
        (.macos, "https://shop.example.com/products/42?referrer=ana&x=1"),
    ])
    func tellsAnAppItsDeepLink(_ platform: Platform, _ url: String) throws {
        let application = try Samples.application()
        let draft = Samples.productDraft {
            $0.queryParameters = ["referrer": Samples.text("ana")]
            $0.campaign = CampaignRequest(source: "mail", medium: nil, name: nil, term: nil, content: nil)
        }
        let link = try Samples.link(draft, of: application, hasMetadata: true)
        let deepLink = link.deepLink(
            application: application, platform: platform, opened: OpenedSuffix(query: "referrer=bob&x=1&_hk_cid=z"))
        #expect(deepLink.url == url)
        #expect(deepLink.queryParameters == ["referrer": Samples.text("ana"), "x": Samples.text("1")])
    }

    @Test func looksAtIosThenIphoneThenIpad() throws {
        let application = try Samples.application()
        let draft = Samples.draft(urls: [
            "iphone": URLEntryRequest("shop://iphone"), "ipad": URLEntryRequest("shop://ipad"),
        ])
        let link = try Samples.link(draft, of: application)
        #expect(link.deepLink(application: application, platform: .ios).url == "shop://iphone")
        #expect(link.deepLink(application: application, platform: .ipad).url == "shop://ipad")
    }

    /// The link's own URL for iOS, and the route that apps open there.
    @Test(arguments: [
        (nil as String?, "products/:product_id" as String?), ("shop://products/:product_id", "products/:product_id"),
        ("shop://products/42", "products/:product_id"), ("shop://sale", nil), ("https://shop.example.com/sale", nil),
    ])
    func namesTheRouteWhereItLeads(_ own: String?, _ route: String?) throws {
        let application = try Samples.application()
        let draft = Samples.productDraft { draft in
            draft.urls = own.map { ["ios": URLEntryRequest($0)] } ?? [:]
        }
        let link = try Samples.link(draft, of: application)
        let onIOS = link.deepLink(application: application, platform: .ios)
        #expect(onIOS.route?.text == route)
        #expect(onIOS.routeParameters.isEmpty == (route == nil))
        #expect(link.deepLink(application: application, platform: .android).route?.text == "products/:product_id")
    }
}
