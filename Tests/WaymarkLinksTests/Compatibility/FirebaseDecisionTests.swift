import Testing
import WaymarkBytes

@testable import WaymarkAPI
@testable import WaymarkLinks

/// Client × parameters: where a Firebase Dynamic Link leads.
@Suite struct FirebaseDecisionTests {
    private let application: Application
    private let clickID: ClickID

    init() throws {
        application = try Samples.firebaseApplication()
        let secret = try #require(SipHash(key: Array(repeating: 9, count: 16)))
        clickID = ClickID.make(link: LinkID(rawValue: 7), now: Samples.now, counted: true, random: 1, secret: secret)
    }

    private func resolve(_ query: String, on visitor: Visitor) throws -> Resolution {
        let read = Samples.firebaseDraft(query, of: application)
        return try Samples.link(read.draft, from: read.origin, of: application)
            .resolve(application: application, visitor: visitor, now: Samples.now, clickID: clickID)
    }

    private static let all = "ibi=com.example.shop&isi=123456789&apn=com.example.shop"
    private static let store = "https://apps.apple.com/app/id123456789"
    private static let play = "https://play.google.com/store/apps/details?id=com.example.shop&referrer="
    private static let page = "https://www.example.com/"

    /// The platform, parameters besides `link`, and how the redirect's URL begins.
    @Test(arguments: [
        (Platform.macos, all, page), (.windows, all, page), (.linux, "", page), (.web, all, page),
        (.windows, all + "&ofl=$d", page + "d"), (.web, all + "&ofl=$d", page + "d"), (.macos, "ofl=$d", page + "d"),
        (.iphone, "", page), (.iphone, "ofl=$d", page), (.ipad, "ofl=$d", page), (.android, "ofl=$d", page),
        (.iphone, "apn=com.example.shop&ifl=$i", page), (.iphone, "ibi=com.other", page),
        (.iphone, all + "&efr=1", store), (.iphone, all + "&efr=1&ifl=$i", page + "i"),
        (.ipad, all + "&efr=1&ifl=$i", page + "i"), (.ipad, all + "&efr=1&ifl=$i&ipfl=$p", page + "p"),
        (.iphone, all + "&efr=1&ifl=$i&ipfl=$p", page + "i"), (.ipad, all + "&efr=1", store),
        (.iphone, "ipbi=com.example.shop.pad&efr=1", page),
        (.ipad, "ipbi=com.example.shop.pad&efr=1", store),
        (.iphone, all + "&efr=1&pt=1&ct=2&at=3&mt=8", store + "?pt=1&ct=2&at=3&mt=8"),
        (.android, "", page), (.android, "apn=com.other", page), (.android, "ibi=com.example.shop", page),
        (.android, all, "intent://www.example.com/?_hk_cid="),
        (.android, all + "&al=$a", "intent://www.example.com/a?_hk_cid="),
        (.android, all + "&al=shop://a", "intent://a?_hk_cid="),
    ])
    func redirects(_ platform: Platform, _ parameters: String, _ start: String) throws {
        let resolution = try resolve("link=$&" + parameters, on: Visitor(platform: platform))
        guard case .redirect(let destination) = resolution else {
            Issue.record("\(resolution)")
            return
        }
        #expect(destination.url.hasPrefix(start))
        if platform != .android { #expect(destination.url == start) }
    }

    /// The scheme of the intent, and where it goes without the app.
    @Test(arguments: [
        (all, "https", play), (all + "&afl=$f", "https", page + "f"), (all + "&al=shop://a", "shop", play),
    ])
    func opensTheAppOnAndroid(_ parameters: String, _ scheme: String, _ fallback: String) throws {
        guard
            case .redirect(let destination) = try resolve("link=$&" + parameters, on: Visitor(platform: .android)),
            let intent = IntentURL(destination.url)
        else {
            Issue.record("no intent")
            return
        }
        #expect(destination.kind == .intent)
        #expect(intent.appURL.hasPrefix(scheme + "://"))
        #expect(destination.url.contains(";package=com.example.shop;"))
        #expect(intent.fallback?.hasPrefix(fallback) == true)
    }

    private static let bundle = "com.example.shop"

    /// The platform, parameters, the scheme of the button, and where the page leads without the app.
    @Test(arguments: [
        (Platform.iphone, all, bundle, store), (.iphone, all + "&ius=shoppro", "shoppro", store),
        (.iphone, all + "&ifl=$i", bundle, page + "i"), (.ipad, all + "&ifl=$i", bundle, page + "i"),
        (.ipad, all + "&ipfl=$p", bundle, page + "p"), (.ipad, "ipbi=com.example.shop.pad", bundle + ".pad", store),
        (.iphone, "ibi=com.example.shop&ofl=$d", bundle, store),
    ])
    func showsThePageOnIOS(_ platform: Platform, _ parameters: String, _ scheme: String, _ fallback: String) throws {
        guard case .openApp(let opening) = try resolve("link=$&" + parameters, on: Visitor(platform: platform)) else {
            Issue.record("no page")
            return
        }
        #expect(
            opening.open
                == "\(scheme)://google/link/?deep_link_id=https%3A%2F%2Fwww.example.com%2F&_hk_cid=\(clickID.text)"
                + "&match_type=unique")
        #expect(opening.fallback.url == fallback)
        #expect(opening.handover == "https://go.example.com/Ab3dE9x?_hk_cid=\(clickID.text)&_icp=1")
    }

    /// As the SDK reads them out of the URL.
    @Test func carriesCampaignAndVersionToTheApp() throws {
        let parameters = "link=$&utm_source=a%20b&utm_campaign=c&imv=2.1&" + Self.all
        guard case .openApp(let opening) = try resolve(parameters, on: Visitor(platform: .iphone)) else {
            Issue.record("no page")
            return
        }
        #expect(opening.open.hasSuffix("&utm_source=a%20b&utm_campaign=c&imv=2.1&match_type=unique"))
    }

    /// An application without a store id and a scheme: the link is the last resort, the bundle ID the scheme.
    @Test func fallsBackToTheLinkWithoutAStore() throws {
        let application = try Samples.firebaseApplication { $0.ios = ApplicationRequest.IOS() }
        let read = Samples.firebaseDraft("link=$&ibi=com.example.shop&ofl=$d", of: application)
        let link = try Samples.link(read.draft, from: read.origin, of: application)
        let resolution = link.resolve(
            application: application, visitor: Visitor(platform: .iphone), now: Samples.now, clickID: clickID)
        guard case .openApp(let opening) = resolution else {
            Issue.record("no page")
            return
        }
        #expect(opening.open.hasPrefix("com.example.shop://google/link/?deep_link_id="))
        #expect(opening.fallback.url == Self.page)
    }

    @Test func showsCrawlersTheCard() throws {
        var visitor = Visitor(platform: .web)
        visitor.bot = .preview
        guard case .preview(let card, _) = try resolve("link=$&st=Title&" + Self.all, on: visitor) else {
            Issue.record("no card")
            return
        }
        #expect(card.title == "Title")
    }

    @Test func opensNoAppForACrawlerOnAPhone() throws {
        var visitor = Visitor(platform: .android)
        visitor.bot = .search
        guard case .redirect(let destination) = try resolve("link=$&" + Self.all, on: visitor) else {
            Issue.record("no redirect")
            return
        }
        #expect(destination.url == Self.page)
    }

    @Test func forwardsNothingThatFirebaseAppended() throws {
        var visitor = Visitor(platform: .windows)
        visitor.query = "_icp=1&d=0&cid=4&_osl=x&color=red"
        guard case .redirect(let destination) = try resolve("link=$", on: visitor) else {
            Issue.record("no redirect")
            return
        }
        #expect(destination.url == Self.page + "?color=red")
    }

    // MARK: In the app

    @Test(arguments: [
        (Platform.ios, all, page), (.iphone, all + "&ofl=$d", page), (.ipad, all, page), (.web, all + "&ofl=$d", page),
        (.macos, "ofl=$d", page), (.android, all, page), (.android, all + "&al=$a", page + "a"),
        (.android, all + "&al=shop://a", "shop://a"), (.ios, all + "&al=$a", page), (.ios, "", page),
        (.ios, all + "&efr=1&ifl=$i", page),
    ])
    func givesTheAppItsLink(_ platform: Platform, _ parameters: String, _ expected: String) throws {
        let read = Samples.firebaseDraft("link=$&utm_source=s&utm_campaign=c&" + parameters, of: application)
        let deepLink = try Samples.link(read.draft, from: read.origin, of: application)
            .deepLink(
                application: application, platform: platform, opened: OpenedSuffix(query: "_icp=1&utm_source=other"))
        #expect(deepLink.url == expected)
        #expect(deepLink.queryParameters == ["utm_source": "s", "utm_campaign": "c"])
    }
}
