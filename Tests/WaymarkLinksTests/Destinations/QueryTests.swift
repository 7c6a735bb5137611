import Testing

@testable import WaymarkAPI
@testable import WaymarkLinks

@Suite struct QueryTests {
    private func added(
        _ url: String, own: [String: String] = [:], campaign: CampaignRequest? = nil, clicked: String? = nil
    ) -> String {
        URLAdditions(
            parameters: own.mapValues { Samples.text($0) }, campaign: campaign, clicked: clicked.map { ClickQuery($0) }
        ).added(to: url)
    }

    @Test(arguments: [
        ("https://a.example/x", "https://a.example/x?a=1&c=2"),
        ("https://a.example/x#f?g", "https://a.example/x?a=1&c=2#f?g"),
        ("https://a.example/x?", "https://a.example/x?a=1&c=2"),
        ("https://a.example/x?b=%20&&d", "https://a.example/x?b=%20&d&a=1&c=2"),
        ("https://a.example?a=0&b=1", "https://a.example?b=1&a=1&c=2"), ("shop://x#", "shop://x?a=1&c=2#"),
        ("https://a.example/x?c=9", "https://a.example/x?c=9&a=1"),
    ])
    func addsAheadOfAFragment(_ url: String, _ whole: String) {
        #expect(added(url, own: ["a": "1"], clicked: "c=2&a=3") == whole)
    }

    @Test func encodesTheLinksOwnParameters() {
        #expect(added("https://a.example/", own: ["a b": "c+d&e=#"]) == "https://a.example/?a%20b=c%2Bd%26e%3D%23")
    }

    @Test func addsACampaign() {
        let campaign = CampaignRequest(source: "mail", medium: "e mail", name: "May", term: nil, content: "x")
        #expect(
            added(
                "https://a.example/?utm_source=old", own: ["utm_content": "own"], campaign: campaign,
                clicked: "utm_medium=z&gclid=1")
                == "https://a.example/?utm_content=own&utm_source=mail&utm_medium=e%20mail&utm_campaign=May&gclid=1")
    }

    @Test(arguments: [
        ("_hk_cid=x&a=1", "a=1"), ("_HK_md=1&a=1", "a=1"), ("%5Fhk%5Fcid=x&a=1", "a=1"), ("a=1;b", "a=1%3Bb"),
        ("a=%", "a=%25"),
        ("a=%4", "a=%254"), ("a=%41+b", "a=%41+b"), ("a=\"<>'", "a=%22%3C%3E%27"), ("a=é", "a=%C3%A9"),
        ("a#b=1", "a%23b=1"),
        ("=1&a=1", "a=1"), ("&&a=1&&", "a=1"), ("a", "a"), ("a=1&a=2", "a=1&a=2"),
        ("a=//evil.example/@", "a=//evil.example/@"),
        ("a=\\", "a=%5C"), ("a=%0d%0aX:y&b=1", "b=1"), ("a=%00", ""),
    ])
    func passesOnOnlyWhatIsSound(_ raw: String, _ passed: String) {
        let query = ClickQuery(raw)
        #expect(query.pairs.map { String(decoding: $0.encoded, as: UTF8.self) }.joined(separator: "&") == passed)
    }

    @Test func `a name is not overridden in any encoding`() {
        #expect(
            added("https://a.example/?id=1", own: ["b": "2"], clicked: "%69d=9&%62=9&c=3")
                == "https://a.example/?id=1&b=2&c=3")
    }

    @Test func passesOnFiftyPairsAndTwoKibibytes() {
        let many = (0..<60).map { "p\($0)=1" }.joined(separator: "&")
        #expect(ClickQuery(many).pairs.count == 50)
        let long = "a=1&b=" + String(repeating: "x", count: 2048) + "&c=1"
        #expect(ClickQuery(long).pairs.map(\.name) == ["a"])
        #expect(ClickQuery("b=" + String(repeating: "x", count: 2046)).pairs.count == 1)
    }

    @Test(arguments: ["a=%00", "a%0D=1", "%0a", "a=%7f", "a=\u{1}"])
    func seesControlCharacters(_ raw: String) {
        #expect(ClickQuery.holdsControlCharacters(raw))
    }

    @Test(arguments: ["", "a=1", "a=%20", "a=%C2%A0", "%", "a=%0"])
    func seesNoneWhereThereIsNone(_ raw: String) {
        #expect(!ClickQuery.holdsControlCharacters(raw))
    }

    @Test func `a click id does not change where a link leads`() throws {
        var random = RepeatableRandom(state: 6)
        let alphabet = Array("ab=&?#/\\:@%;+.2f5C0d\"<>é \u{0}".unicodeScalars)
        for _ in 0..<3000 {
            let scalars = (0..<40).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] }
            let raw = String(String.UnicodeScalarView(scalars))
            let url = try #require(WebURL(added("https://a.example/x?y=1#z", own: ["o": "1"], clicked: raw)))
            #expect(url.host?.text == "a.example")
            #expect(url.path == "/x")
            #expect(url.fragment == "z")
            #expect(url.query?.hasPrefix("y=1&o=1") == true)
        }
    }
}

/// Parameters of the click that replace the link's own.
@Suite struct QueryOverrideTests {
    private func link(_ application: Application, overrides: Bool?) throws -> Link {
        var draft = Samples.draft(urls: [
            "web": URLEntryRequest("https://shop.example.com/sale?utm_source=web&lang=en"),
            "android": URLEntryRequest("shop://sale?lang=en", fallback: "store"),
        ])
        draft.queryParameters = ["color": "red"]
        draft.campaign = CampaignRequest(source: nil, medium: "mail", name: "May", term: nil, content: nil)
        draft.queryOverride = overrides
        return try Samples.link(draft, of: application)
    }

    private static let clicked = "utm_source=flyer&color=blue&utm_campaign=June&lang=de&new=1&_hk_cid=x"

    @Test(
        arguments: [
            (nil, false, "utm_source=web&lang=en&color=red&utm_medium=mail&utm_campaign=May&new=1"),
            (false, true, "utm_source=web&lang=en&color=red&utm_medium=mail&utm_campaign=May&new=1"),
            (nil, true, "utm_medium=mail&utm_source=flyer&color=blue&utm_campaign=June&lang=de&new=1"),
            (true, false, "utm_medium=mail&utm_source=flyer&color=blue&utm_campaign=June&lang=de&new=1"),
        ] as [(Bool?, Bool, String)])
    func replaceThemIfTheLinkSaysSo(_ own: Bool?, _ applications: Bool, _ query: String) throws {
        let application = try Samples.application { $0.queryOverride = applications }
        let resolution = try link(application, overrides: own).resolve(
            application: application, visitor: Visitor(platform: .windows, query: Self.clicked), now: Samples.now,
            clickID: nil)
        guard case .redirect(let destination) = resolution else { throw Samples.Refused(problems: []) }
        #expect(destination.url == "https://shop.example.com/sale?\(query)")
    }

    @Test func replaceThemForAppsAndStores() throws {
        let application = try Samples.application { $0.queryOverride = true }
        let link = try link(application, overrides: nil)
        let deepLink = link.deepLink(
            application: application, platform: .android, opened: OpenedSuffix(query: Self.clicked))
        #expect(deepLink.url == "shop://sale?utm_source=flyer&color=blue&utm_campaign=June&lang=de&new=1")
        #expect(deepLink.queryParameters["color"] == Samples.text("blue"))
        let resolution = link.resolve(
            application: application, visitor: Visitor(platform: .android, query: Self.clicked), now: Samples.now,
            clickID: .placeholder)
        guard case .redirect(let intent) = resolution else { throw Samples.Refused(problems: []) }
        #expect(intent.url.firstRange(of: "May") == nil && intent.url.firstRange(of: "June") != nil)
    }
}

/// A path behind a slug.
@Suite struct ExtraPathTests {
    @Test(arguments: [
        ("https://a.example/x", "https://a.example/x/m/n"), ("https://a.example/x/", "https://a.example/x/m/n"),
        ("https://a.example", "https://a.example/m/n"), ("https://a.example/", "https://a.example/m/n"),
        ("https://a.example/x?y=1#z", "https://a.example/x/m/n?y=1#z"), ("shop://x?y", "shop://x/m/n?y"),
        ("shop://", "shop:///m/n"),
    ])
    func standsBehindTheDestinationsPath(_ url: String, _ whole: String) {
        #expect(URLAdditions(path: "/m/n").added(to: url) == whole)
    }

    /// Two slashes behind the colon would begin a host.
    @Test(arguments: [
        ("shop:", "shop:/m"), ("shop:/", "shop:/m"), ("shop:/x", "shop:/x/m"), ("shop:x?y", "shop:x/m?y"),
        ("https://a.example", "https://a.example//m"),
    ])
    func `an added path does not begin a host`(_ url: String, _ whole: String) {
        #expect(URLAdditions(path: "//m").added(to: url) == whole)
    }
}
