import Testing
import WaymarkBytes

@testable import WaymarkAPI
@testable import WaymarkLinks

@Suite struct ResolveTests {
    private let clickID: ClickID
    private let id: String

    init() throws {
        let secret = try #require(SipHash(key: Array(repeating: 9, count: 16)))
        clickID = ClickID.make(link: LinkID(rawValue: 7), now: Samples.now, counted: true, random: 1, secret: secret)
        id = clickID.text
    }

    private func resolve(
        _ draft: LinkRequest, _ visitor: Visitor, application change: (inout ApplicationRequest) -> Void = { _ in },
        hasMetadata: Bool = false, clickID: ClickID? = nil
    ) throws -> Resolution {
        let application = try Samples.application(change)
        let link = try Samples.link(draft, of: application, hasMetadata: hasMetadata)
        let resolution = link.resolve(
            application: application, visitor: visitor, now: Samples.now, clickID: clickID ?? self.clickID)
        let explained = link.explain(
            application: application, visitor: visitor, now: Samples.now, clickID: clickID ?? self.clickID)
        #expect(explained.resolution == resolution)
        return resolution
    }

    private func redirect(_ resolution: Resolution) throws -> Resolution.Destination {
        guard case .redirect(let destination) = resolution else { throw Unexpected(resolution: resolution) }
        return destination
    }

    private func opening(_ resolution: Resolution) throws -> Resolution.AppOpening {
        guard case .openApp(let opening) = resolution else { throw Unexpected(resolution: resolution) }
        return opening
    }

    struct Unexpected: Error { var resolution: Resolution }

    // MARK: Which destination

    @Test(arguments: [Platform.web, .windows, .linux, .macos])
    func leadsDesktopsToTheWeb(_ platform: Platform) throws {
        let destination = try redirect(resolve(Samples.productDraft(), Visitor(platform: platform)))
        #expect(destination.url == "https://shop.example.com/products/42")
        #expect(destination.kind == .web)
    }

    @Test func prefersTheLinksURLsToTheTemplates() throws {
        let draft = Samples.productDraft { $0.urls = ["web": URLEntryRequest("https://b.example/:product_id")] }
        #expect(try redirect(resolve(draft, Visitor(platform: .linux))).url == "https://b.example/42")
        #expect(try opening(resolve(draft, Visitor(platform: .iphone))).open.hasPrefix("shop://products/42?"))
    }

    @Test(arguments: [
        (Platform.iphone, "https://iphone.example"), (.ipad, "https://ipad.example"),
        (.android, "https://android.example"),
        (.macos, "https://macos.example"), (.windows, "https://windows.example"), (.linux, "https://linux.example"),
        (.web, "https://web.example"),
    ])
    func givesEachPlatformItsOwnURL(_ platform: Platform, _ url: String) throws {
        var urls: [String: URLEntryRequest] = [:]
        for platform in Platform.allCases {
            urls[platform.rawValue] = URLEntryRequest("https://\(platform).example")
        }
        let destination = try redirect(resolve(Samples.draft(urls: urls), Visitor(platform: platform)))
        #expect(destination.url == url)
        #expect(destination.source == .link(platform))
    }

    @Test func takesTheGeneralAppleEntryWhereThereIsNoOwn() throws {
        let draft = Samples.draft(urls: [
            "ios": URLEntryRequest("https://ios.example"), "web": URLEntryRequest("https://web.example"),
        ])
        #expect(try redirect(resolve(draft, Visitor(platform: .ipad))).url == "https://ios.example")
        #expect(try redirect(resolve(draft, Visitor(platform: .android))).url == "https://web.example")
    }

    @Test func putsTheRouteBehindTheSchemeWhereNoTemplateHasIt() throws {
        var draft = Samples.draft(urls: ["web": URLEntryRequest("https://web.example")])
        draft.route = "offers/:name"
        draft.routeParameters = ["name": Samples.text("a b+c/d")]
        #expect(
            try opening(resolve(draft, Visitor(platform: .iphone))).open == "shop://offers/a%20b%2Bc%2Fd?_hk_cid=\(id)")
        let android = try redirect(resolve(draft, Visitor(platform: .android)))
        #expect(android.url.hasPrefix("intent://offers/a%20b%2Bc%2Fd?_hk_cid=\(id)#Intent;scheme=shop;"))
    }

    @Test(arguments: [
        ("https://shop.example.com", "https://shop.example.com/t/1"),
        ("https://shop.example.com/en/", "https://shop.example.com/en/t/1"),
    ])
    func putsTheRouteBehindTheWebAddress(_ base: String, _ url: String) throws {
        var draft = LinkRequest()
        draft.route = "t/:x"
        draft.routeParameters = ["x": Samples.text("1")]
        let resolution = try resolve(
            draft, Visitor(platform: .web),
            application: {
                $0.webBaseURL = base
                $0.templates = [ApplicationRequest.Template(name: "t", route: "t/:x", urls: [:])]
            })
        #expect(try redirect(resolution).url == url)
    }

    @Test func leadsALinkWithoutRouteToTheWebAddressItself() throws {
        let draft = Samples.draft(urls: ["ios": URLEntryRequest("shop://home")])
        #expect(try redirect(resolve(draft, Visitor(platform: .windows))).url == "https://shop.example.com")
    }

    @Test func bindsTemplatesWhenTheLinkIsFollowed() throws {
        let link = try Samples.link(Samples.productDraft(), of: Samples.application())
        let edited = try Samples.application {
            $0.templates[0].urls["web"] = URLEntryRequest("https://new.example/:product_id")
        }
        let resolution = link.resolve(
            application: edited, visitor: Visitor(platform: .web), now: Samples.now, clickID: nil)
        #expect(try redirect(resolution).url == "https://new.example/42")
    }

    @Test func `a computer gets a QR code where only phones are led`() throws {
        let link = try Samples.link(Samples.productDraft(), of: Samples.application())
        let emptied = try Samples.application {
            $0.templates = []
            $0.webBaseURL = nil
            $0.ios?.appStoreID = nil
        }
        for visitor in [Visitor(platform: .web), Visitor(platform: .macos), Visitor(platform: .iphone, bot: .search)] {
            let resolution = link.resolve(application: emptied, visitor: visitor, now: Samples.now, clickID: nil)
            guard case .scan(let scan) = resolution else { throw Unexpected(resolution: resolution) }
            #expect(scan.smartlink == "https://go.example.com/Ab3dE9x")
            #expect(scan.stores.map(\.url) == Self.play)
        }
        var visitor = Visitor(platform: .windows)
        visitor.query = "a=b"
        let asked = link.resolve(application: emptied, visitor: visitor, now: Samples.now, clickID: nil)
        guard case .scan(let scan) = asked else { throw Unexpected(resolution: asked) }
        #expect(scan.smartlink == "https://go.example.com/Ab3dE9x?a=b")
        let explained = link.explain(application: emptied, visitor: visitor, now: Samples.now)
        #expect(explained.candidates.last?.source == "the link's own page")
        #expect(explained.candidates.last?.taken == true)
        let phone = link.resolve(
            application: emptied, visitor: Visitor(platform: .iphone), now: Samples.now, clickID: nil)
        #expect(try opening(phone).fallback.url == "https://go.example.com/Ab3dE9x+")
        #expect(link.deepLink(application: emptied, platform: .web).url == nil)
    }

    private static let play = [
        "https://play.google.com/store/apps/details?id=com.example.shop"
            + "&referrer=deeplink%3Dshop%253A%252F%252Fproducts%252F42"
    ]

    @Test func `a link that leads no phone leads no computer`() throws {
        let draft = Samples.draft(urls: ["windows": URLEntryRequest("https://w.example/")])
        let resolution = try resolve(draft, Visitor(platform: .linux)) {
            $0.templates = []
            $0.webBaseURL = nil
        }
        #expect(resolution == .nowhere)
    }

    @Test func `an iPad that claims to be a Mac is still told apart`() throws {
        var safari = Visitor(platform: .macos)
        safari.mayBeIPad = true
        let draft = Samples.draft(urls: ["ios": URLEntryRequest("shop://a")])
        let resolution = try resolve(draft, safari) {
            $0.templates = []
            $0.webBaseURL = nil
        }
        guard case .distinguishMac(.scan, ipad: .openApp(let opening)) = resolution else {
            throw Unexpected(resolution: resolution)
        }
        #expect(opening.open.hasPrefix("shop://a"))
    }

    // MARK: Apple

    @Test(
        arguments: [
            ("store", "https://apps.apple.com/app/id123456789", Resolution.Destination.Kind.store),
            ("web", "https://shop.example.com/products/42", .web),
            ("https://f.example/x#y", "https://f.example/x#y", .web),
            (nil, "https://apps.apple.com/app/id123456789", .store),
        ] as [(String?, String, Resolution.Destination.Kind)])
    func offersTheFallbackBesideTheButton(_ fallback: String?, _ url: String, _ kind: Resolution.Destination.Kind)
        throws
    {
        let draft = Samples.productDraft {
            $0.urls = ["ios": URLEntryRequest("shop://p/:product_id?a=b#c", fallback: fallback)]
        }
        let opening = try opening(resolve(draft, Visitor(platform: .iphone), hasMetadata: true))
        #expect(opening.open == "shop://p/42?a=b&_hk_cid=\(id)&_hk_md=1#c")
        #expect(opening.fallback.url == url)
        #expect(opening.fallback.kind == kind)
    }

    @Test(arguments: ["store", nil])
    func offersTheWebWhereThereIsNoStore(_ fallback: String?) throws {
        let draft = Samples.productDraft { $0.urls = ["ios": URLEntryRequest("shop://p", fallback: fallback)] }
        let opening = try opening(resolve(draft, Visitor(platform: .ipad), application: { $0.ios?.appStoreID = nil }))
        #expect(opening.fallback.url == "https://shop.example.com/products/42")
    }

    @Test func putsTheOpenHostBehindTheButton() throws {
        var visitor = Visitor(platform: .iphone)
        visitor.query = "ref=x&_hk_cid=forged"
        let opening = try opening(
            resolve(Samples.productDraft(), visitor, application: { $0.openHost = "open.example.com" }))
        #expect(opening.open == "https://open.example.com/Ab3dE9x?ref=x&_hk_cid=\(id)P3JlZj14")
    }

    @Test func leadsWhoArrivesAtTheOpenHostToTheFallback() throws {
        var visitor = Visitor(platform: .ipad)
        visitor.arrivedAtOpenHost = true
        let destination = try redirect(
            resolve(Samples.productDraft(), visitor, application: { $0.openHost = "open.example.com" }))
        #expect(destination.url == "https://apps.apple.com/app/id123456789")
        #expect(destination.source == .store)
    }

    // MARK: Android

    @Test func makesAnIntentOfACustomScheme() throws {
        let draft = Samples.productDraft {
            $0.queryParameters = ["referrer": Samples.text("ana b")]
            $0.campaign = CampaignRequest(source: "mail", medium: nil, name: "a&b", term: nil, content: nil)
        }
        var visitor = Visitor(platform: .android)
        visitor.query = "x=1;y"
        let destination = try redirect(resolve(draft, visitor, hasMetadata: true))
        #expect(destination.kind == .intent)
        let parts = destination.url.split(separator: "#Intent;", maxSplits: 1).map(String.init)
        #expect(parts[0] == "intent://products/42?referrer=ana%20b&x=1%3By&_hk_cid=\(id)P3g9MSUzQnk&_hk_md=1")
        let fields = parts[1].split(separator: ";").map(String.init)
        #expect(fields.count == 4)
        #expect(fields[0] == "scheme=shop")
        #expect(fields[1] == "package=com.example.shop")
        #expect(fields[3] == "end")
        let fallback = decoded(String(fields[2].dropFirst("S.browser_fallback_url=".count)))
        let start = "https://play.google.com/store/apps/details?id=com.example.shop&referrer="
        #expect(fallback.hasPrefix(start))
        let referrer = decoded(String(fallback.dropFirst(start.count)))
        #expect(
            referrer
                == "waymark=\(id)P3g9MSUzQnk&deeplink=shop%3A%2F%2Fproducts%2F42%3Freferrer%3Dana%2520b%26x%3D1%253By&utm_source=mail&utm_campaign=a%26b"
        )
    }

    private func decoded(_ text: String) -> String {
        PercentEncoding.decodeTextLeniently(text.utf8)
    }

    @Test(arguments: [("web", "https://shop.example.com/products/42"), ("https://f.example/", "https://f.example/")])
    func givesAnIntentItsFallback(_ fallback: String, _ url: String) throws {
        let draft = Samples.productDraft { $0.urls = ["android": URLEntryRequest("shop:p", fallback: fallback)] }
        let destination = try redirect(resolve(draft, Visitor(platform: .android)))
        #expect(
            destination.url
                == "intent:p?_hk_cid=\(id)#Intent;scheme=shop;package=com.example.shop;S.browser_fallback_url="
                + PercentEncoding.encode(part: url) + ";end")
    }

    @Test func namesNoPackageWhereThereIsNone() throws {
        let destination = try redirect(
            resolve(Samples.productDraft(), Visitor(platform: .android), application: { $0.android?.package = nil }))
        #expect(
            destination.url.hasSuffix(
                "#Intent;scheme=shop;S.browser_fallback_url=https%3A%2F%2Fshop.example.com%2Fproducts%2F42;end"))
    }

    @Test func redirectsAndroidToAWebAddress() throws {
        let draft = Samples.productDraft {
            $0.urls = ["android": URLEntryRequest("https://a.example/:product_id", fallback: "store")]
        }
        let destination = try redirect(resolve(draft, Visitor(platform: .android)))
        #expect(destination.url == "https://a.example/42")
    }

    // MARK: Desktops with apps, and iPads that call themselves Macs

    @Test(arguments: [Platform.macos, .windows, .linux])
    func opensADesktopAppBehindAButton(_ platform: Platform) throws {
        let draft = Samples.productDraft { $0.urls = [platform.rawValue: URLEntryRequest("shop://desk")] }
        let opening = try opening(
            resolve(draft, Visitor(platform: platform), application: { $0.openHost = "open.example.com" }))
        #expect(opening.open == "shop://desk?_hk_cid=\(id)")
        #expect(opening.fallback.url == "https://shop.example.com/products/42")
    }

    @Test func takesTheAppStoreForAMacOnlyWhereItIsNamed() throws {
        let draft = Samples.productDraft { $0.urls = ["macos": URLEntryRequest("shop://desk", fallback: "store")] }
        #expect(try opening(resolve(draft, Visitor(platform: .macos))).fallback.kind == .store)
    }

    @Test func tellsAMacFromAnIPadWhereItMatters() throws {
        var safari = Visitor(platform: .macos)
        safari.mayBeIPad = true
        guard
            case .distinguishMac(.redirect(let mac), ipad: .openApp(let opening)) = try resolve(
                Samples.productDraft(), safari)
        else {
            throw Unexpected(resolution: .nowhere)
        }
        #expect(mac.url == "https://shop.example.com/products/42")
        #expect(opening.open == "shop://products/42?_hk_cid=\(id)")
        let apart = Samples.draft(urls: [
            "ipad": URLEntryRequest("https://p.example"), "web": URLEntryRequest("https://w.example"),
        ])
        guard case .distinguishMac(.redirect(let other), ipad: .redirect(let ipad)) = try resolve(apart, safari) else {
            throw Unexpected(resolution: .nowhere)
        }
        #expect([other.url, ipad.url] == ["https://w.example", "https://p.example"])
        let same = Samples.draft(urls: ["web": URLEntryRequest("https://w.example")])
        #expect(try redirect(resolve(same, safari)).url == "https://w.example")
        safari.mayBeIPad = false
        #expect(try redirect(resolve(apart, safari)).url == "https://w.example")
    }

    @Test func keepsTheWayAroundAMacsAppWhereItMayBeAnIPad() throws {
        var safari = Visitor(platform: .macos)
        safari.mayBeIPad = true
        let draft = Samples.draft(urls: [
            "macos": URLEntryRequest("shop://desk"), "web": URLEntryRequest("https://w.example"),
        ])
        let resolution = try resolve(draft, safari)
        guard case .distinguishMac(.openApp(let opening), ipad: .redirect(let ipad)) = resolution else {
            throw Unexpected(resolution: resolution)
        }
        #expect(opening.open == "shop://desk?_hk_cid=\(id)")
        #expect([opening.fallback.url, ipad.url] == ["https://w.example", "https://w.example"])
    }

    @Test func leadsAnIPadAtTheOpenHostToItsFallback() throws {
        var safari = Visitor(platform: .macos)
        safari.mayBeIPad = true
        safari.arrivedAtOpenHost = true
        let resolution = try resolve(Samples.productDraft(), safari, application: { $0.openHost = "open.example.com" })
        guard case .distinguishMac(_, ipad: .redirect(let ipad)) = resolution else {
            throw Unexpected(resolution: resolution)
        }
        #expect(ipad.kind == .store)
    }

    // MARK: Crawlers

    @Test func showsPreviewsTheSocialCard() throws {
        let draft = Samples.productDraft { $0.social = SocialRequest(title: "Shoes") }
        var visitor = Visitor(platform: .macos)
        visitor.bot = .preview
        let resolution = try resolve(draft, visitor)
        #expect(
            resolution
                == .preview(
                    SocialCard(title: "Shoes", description: nil, imageURL: nil), url: "https://go.example.com/Ab3dE9x"))
        visitor.bot = .search
        #expect(try redirect(resolve(draft, visitor)).url == "https://shop.example.com/products/42")
    }

    @Test(arguments: Visitor.Bot.allCases)
    func opensNoAppForACrawler(_ bot: Visitor.Bot) throws {
        for platform in [Platform.iphone, .ipad, .android, .macos] {
            var visitor = Visitor(platform: platform)
            visitor.bot = bot
            visitor.mayBeIPad = platform == .macos
            #expect(
                try redirect(resolve(Samples.productDraft(), visitor)).url == "https://shop.example.com/products/42")
        }
    }

    // MARK: Queries

    @Test func forwardsTheClicksQueryWhereItMay() throws {
        var visitor = Visitor(platform: .web)
        visitor.query = "ref=x&_hk_cid=y"
        let draft = Samples.productDraft {
            $0.campaign = CampaignRequest(source: "mail", medium: nil, name: nil, term: nil, content: nil)
        }
        #expect(
            try redirect(resolve(draft, visitor)).url == "https://shop.example.com/products/42?utm_source=mail&ref=x")
        #expect(
            try redirect(resolve(draft, visitor, application: { $0.forwardQuery = false })).url
                == "https://shop.example.com/products/42?utm_source=mail")
        var own = draft
        own.forwardQuery = true
        #expect(try redirect(resolve(own, visitor, application: { $0.forwardQuery = false })).url.hasSuffix("&ref=x"))
        own.forwardQuery = false
        #expect(try redirect(resolve(own, visitor)).url.hasSuffix("?utm_source=mail"))
    }

    @Test(arguments: [Platform.iphone, .android, .web])
    func letsNoClickContradictTheCampaign(_ platform: Platform) throws {
        var visitor = Visitor(platform: platform)
        visitor.query = "utm_source=forged&utm%5Fmedium=forged&ref=x"
        let draft = Samples.productDraft {
            $0.campaign = CampaignRequest(source: "mail", medium: "may", name: nil, term: nil, content: nil)
        }
        let resolution = try resolve(draft, visitor)
        let url: String
        switch resolution {
        case .redirect(let destination): url = destination.url
        case .openApp(let opening): url = opening.open
        default: throw Unexpected(resolution: resolution)
        }
        #expect(url.contains("ref=x"))
        #expect(!url.contains("forged"))
    }

    @Test func keepsMarksAndCampaignsToWhereTheyBelong() throws {
        let draft = Samples.productDraft {
            $0.campaign = CampaignRequest(source: "mail", medium: nil, name: nil, term: nil, content: nil)
            $0.queryParameters = ["q": Samples.text("1")]
        }
        let web = try redirect(resolve(draft, Visitor(platform: .web), hasMetadata: true)).url
        #expect(web == "https://shop.example.com/products/42?q=1&utm_source=mail")
        let app = try opening(resolve(draft, Visitor(platform: .iphone), hasMetadata: true)).open
        #expect(app == "shop://products/42?q=1&_hk_cid=\(id)&_hk_md=1")
    }

    // MARK: States

    @Test func answersItsStateBeforeAnythingElse() throws {
        let application = try Samples.application()
        var link = try Samples.link(
            Samples.productDraft { $0.social = SocialRequest(title: "x") }, of: application)
        let at = Samples.now
        func resolution(ignoringMaxClicks: Bool = false) -> Resolution {
            link.resolve(
                application: application, visitor: Visitor(platform: .web), now: at, clickID: nil,
                ignoringMaxClicks: ignoringMaxClicks)
        }
        link.content.validFrom = at.advanced(byMilliseconds: 1)
        #expect(resolution() == .scheduled)
        #expect(link.nextTransition(after: at) == link.content.validFrom)
        link.content.validFrom = at
        #expect(link.state(at: at) == .active)
        link.content.maxClicks = 2
        link.clicks = 1
        link.reservedClicks = 2
        #expect(link.state(at: at) == .active)
        (link.clicks, link.freeClicks) = (9, 8)
        #expect(link.state(at: at) == .active)
        (link.clicks, link.freeClicks) = (9, 7)
        #expect(resolution() == .exhausted)
        #expect(try redirect(resolution(ignoringMaxClicks: true)).kind == .web)
        link.content.expiresAt = at.advanced(byMilliseconds: 1)
        #expect(resolution() == .exhausted)
        #expect(link.nextTransition(after: at) == link.content.expiresAt)
        link.content.expiresAt = at
        #expect(resolution() == .expired)
        #expect(link.nextTransition(after: at) == nil)
        link.content.disabled = true
        #expect(resolution() == .disabled)
    }

    @Test func explainsWhereItLooked() throws {
        let application = try Samples.application()
        let link = try Samples.link(
            Samples.productDraft { $0.queryParameters = ["referrer": Samples.text("ana")] }, of: application)
        let decision = link.explain(application: application, visitor: Visitor(platform: .iphone), now: Samples.now)
        #expect(
            decision.candidates.map(\.source) == [
                "link.urls.iphone", "link.urls.ios", "template product, iphone", "template product, ios",
                "fallback store",
            ])
        #expect(decision.candidates.map(\.taken) == [false, false, false, true, false])
        #expect(decision.candidates[0].url == nil)
        #expect(decision.candidates[0].why == "not given")
        #expect(decision.candidates[3].url == "shop://products/42?referrer=ana")
    }

    @Test(
        arguments: [
            ("https://go.example.com", "https://go.example.com/Ab3dE9x"),
            ("http://localhost:8080", "http://go.example.com:8080/Ab3dE9x"),
            (nil, "https://go.example.com/Ab3dE9x"),
        ] as [(String?, String)])
    func printsItsAddress(_ base: String?, _ address: String) throws {
        let application = try Samples.application { $0.baseURL = base }
        #expect(try Samples.link(Samples.productDraft(), of: application).smartlinkURL(application) == address)
    }
}
