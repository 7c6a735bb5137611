import Testing

@testable import WaymarkAPI
@testable import WaymarkLinks

/// Where links with Branch's data lead.
@Suite struct BranchLinkDraftTests {
    private static let site = "https://shop.example.com"
    private static let page = site + "/"
    private static let store = "https://apps.apple.com/app/id123456789"
    private static let play = "https://play.google.com/store/apps/details?id=com.example.shop"

    struct Case: Sendable {
        var data: [String: String]
        var desktop: String
        var iphone: String
        var android: String
        /// Whether the application has schemes.
        var hasSchemes = true
    }

    private static let cases: [Case] = [
        // Nothing given: the site, and the app with its store.
        Case(data: [:], desktop: site, iphone: "shop://open else store", android: "shop://open else store"),
        Case(
            data: ["$desktop_url": page + "d"], desktop: page + "d", iphone: "shop://open else store",
            android: "shop://open else store"),
        Case(
            data: ["$fallback_url": page + "f"], desktop: page + "f", iphone: "shop://open else " + page + "f",
            android: "shop://open else " + page + "f"),
        Case(
            data: ["$deeplink_path": "/products/4:2", "$ios_url": page + "i", "$desktop_url": page],
            desktop: page, iphone: "shop://products/4:2 else " + page + "i", android: "shop://products/4:2 else store"),
        Case(
            data: ["$deeplink_path": "a", "$android_deeplink_path": "shop://b", "$android_url": page + "g"],
            desktop: site, iphone: "shop://a else store", android: "shop://b else " + page + "g"),
        Case(
            data: ["$web_only": "true", "$desktop_url": page + "d", "$ios_url": page + "i", "$deeplink_path": "a"],
            desktop: page + "d", iphone: page + "i", android: page + "d"),
        Case(
            data: ["$deeplink_path": "other://a"], desktop: site, iphone: "shop://open else store",
            android: "shop://open else store"),
        Case(
            data: ["$desktop_url": page + "d"], desktop: page + "d", iphone: store,
            android: play, hasSchemes: false),
        Case(
            data: ["$canonical_url": page + "c", "$ios_url": page + "i", "$fallback_url": page + ":x"],
            desktop: page + "%3Ax", iphone: page + "i",
            android: page + "%3Ax", hasSchemes: false),
    ]

    @Test(arguments: cases) func dataLeadsWhereBranchLeads(_ sample: Case) throws {
        let application = try Samples.application { draft in
            guard !sample.hasSchemes else { return }
            draft.ios?.urlScheme = nil
            draft.android?.urlScheme = nil
            draft.templates = []
        }
        let read = BranchLinkDraft(sample.data, for: application, onlyOwnHosts: false)
        #expect(read.problems.isEmpty)
        let link = try Samples.link(read.draft, of: application)
        for (platform, expected) in [
            (Platform.windows, sample.desktop), (.iphone, sample.iphone), (.android, sample.android),
        ] {
            let resolution = link.resolve(
                application: application, visitor: Visitor(platform: platform), now: Samples.now, clickID: nil)
            #expect(Self.text(resolution) == expected, "\(platform)")
        }
    }

    private static func text(_ resolution: Resolution) -> String {
        func without(_ fallback: Resolution.Destination) -> String {
            fallback.kind == .store ? "store" : fallback.url
        }
        switch resolution {
        case .redirect(let destination):
            guard destination.kind == .intent, let intent = IntentURL(destination.url) else { return destination.url }
            let fallback = intent.fallback ?? ""
            return intent.appURL + " else " + (fallback.hasPrefix("https://play.google.com/") ? "store" : fallback)
        case .openApp(let opening): return opening.open + " else " + without(opening.fallback)
        default: return "\(resolution)"
        }
    }

    @Test func pagesOfCountriesKeepTheApp() throws {
        let data = ["$fallback_url_de": Self.page + "de", "$ios_url_de": Self.page + "ios-de", "$deeplink_path": "a"]
        let application = try Samples.application()
        let link = try Samples.link(
            BranchLinkDraft(data, for: application, onlyOwnHosts: false).draft, of: application)
        for (country, platform, expected) in [
            ("DE", Platform.iphone, "shop://a else " + Self.page + "ios-de"), ("DE", .windows, Self.page + "de"),
            ("DE", .android, "shop://a else " + Self.page + "de"), ("FR", .iphone, "shop://a else store"),
            ("FR", .windows, Self.site),
        ] {
            var visitor = Visitor(platform: platform)
            visitor.country = country
            let found = link.resolve(application: application, visitor: visitor, now: Samples.now, clickID: nil)
            #expect(Self.text(found) == expected, "\(country) \(platform)")
        }
    }

    @Test(arguments: BranchLinkDraft.keys.filter { $0.hasSuffix("_url") && $0.hasPrefix("$") && !$0.contains("image") })
    func longLinksLeadToOwnHostsOnly(_ key: String) throws {
        let application = try Samples.application()
        for url in ["https://evil.example/", "javascript:alert(1)"] {
            let read = BranchLinkDraft([key: url], for: application, onlyOwnHosts: true)
            #expect(read.problems.map(\.field) == [key])
        }
    }

    @Test(arguments: [
        ("https://shop.example.com/" + String(repeating: "a", count: 8_000), "is longer than 8,000 bytes"),
        ("shop://a", "must be an http or https URL"), ("https://shop.example.com/\\", "must not hold backslashes"),
        ("https://other.example/", "leads to a host"),
    ])
    func aProblemSaysWhatIsWrongWithAURL(_ url: String, _ problem: String) throws {
        let read = BranchLinkDraft(["$ios_url": url], for: try Samples.application(), onlyOwnHosts: true)
        #expect(read.problems.count == 1 && read.problems[0].problem.hasPrefix(problem), "\(read.problems)")
    }

    @Test(arguments: [
        ("/", "$deeplink_path=a", true), ("/", "channel=x&%24fallback_url=y", true), ("/", "a=$b", false),
        ("/a/key_live_x", "x=1", true), ("/", "utm_source=x", false),
    ])
    func aKeyOfBranchsMakesALongLink(_ path: String, _ query: String, _ isLong: Bool) {
        #expect(BranchQuery.isLongLink(path, query) == isLong)
    }

    @Test func theQueryIsSplitIntoBranchsKeysAndTheApps() {
        let query = BranchQuery("product=4%202&$deeplink_path=a%2Fb&$deeplink_path=c&_hk_cid=1&channel=mail&x")
        #expect(query.data == ["$deeplink_path": "a/b", "channel": "mail"])
        #expect(query.own == "product=4%202&_hk_cid=1&x")
        #expect(query.query == "product=4%202&$deeplink_path=a%2Fb&$deeplink_path=c&channel=mail&x")
    }
}
