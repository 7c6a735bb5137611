import Testing

@testable import WaymarkAPI
@testable import WaymarkLinks

/// Where links of an application may lead, when it is applied, when a link is given, and when it is followed.
@Suite struct DestinationPolicyTests {
    private static func application(
        allowed: [String]? = nil, blocked: [String]? = nil, _ change: (inout ApplicationRequest) -> Void = { _ in }
    ) throws -> Application {
        try Samples.application {
            $0.destinations = ApplicationRequest.Destinations(allowedHosts: allowed, blockedHosts: blocked)
            change(&$0)
        }
    }

    private static func hosts(_ names: String...) throws -> HostSet {
        HostSet(try names.map { try #require(HostPattern($0)) })
    }

    // MARK: Applied

    @Test(arguments: [
        (["a b"], [], ["destinations.allowedHosts[0]"]),
        (
            ["ok.example", "https://a.example"], ["*"],
            ["destinations.allowedHosts[1]", "destinations.blockedHosts[0]"]
        ),
        (["*.192.0.2.1", "a.*"], [], ["destinations.allowedHosts[0]", "destinations.allowedHosts[1]"]),
        (["bücher.example"], ["a.example:80"], ["destinations.allowedHosts[0]", "destinations.blockedHosts[0]"]),
        ([], [], ["destinations.allowedHosts"]),
    ])
    func refusesPatternsThatAreNone(allowed: [String], blocked: [String], fields: [String]) {
        var draft = ApplicationRequest()
        draft.id = "shop"
        draft.destinations = ApplicationRequest.Destinations(allowedHosts: allowed, blockedHosts: blocked)
        #expect(draft.validate().fields == fields)
    }

    @Test func takesTwoHundredPatternsAndNoMore() {
        var draft = ApplicationRequest()
        draft.id = "shop"
        for (count, fields) in [(200, []), (201, ["destinations.blockedHosts"])] {
            draft.destinations = ApplicationRequest.Destinations(blockedHosts: (0..<count).map { "h\($0).example" })
            #expect(draft.validate().fields == fields)
        }
    }

    @Test func namesEveryURLThatItForbidsAtOnce() {
        var draft = ApplicationRequest()
        draft.id = "shop"
        draft.webBaseURL = "https://web.example"
        draft.onExpired = "https://late.example/"
        draft.onUnknown = "https://ok.example/"
        draft.templates = [
            ApplicationRequest.Template(
                name: "t", route: "t/:id",
                urls: [
                    "web": URLEntryRequest("https://ok.example/:id"),
                    "ios": URLEntryRequest("https://app.example/:id", fallback: "https://fall.example/"),
                    "windows": URLEntryRequest("https://win.example/:id"),
                ])
        ]
        var first = RuleRequest(to: .url("https://rule.example/"))
        first.when.language = ["de"]
        let second = RuleRequest(
            to: .urls([
                "web": URLEntryRequest("https://ok.example/"),
                "ipad": URLEntryRequest("https://ok.example/", fallback: "https://pad.example/"),
            ]))
        draft.rules = [first, second]
        #expect(draft.validate().fields == [])
        draft.destinations = ApplicationRequest.Destinations(allowedHosts: ["ok.example"])
        #expect(
            draft.validate().fields == [
                "web.baseURL", "onExpired", "templates[0].urls.ios.link", "templates[0].urls.ios.fallback",
                "templates[0].urls.windows", "rules[0].to", "rules[1].to.ipad.fallback",
            ])
        draft.destinations = ApplicationRequest.Destinations(blockedHosts: ["late.example", "*.example"])
        #expect(draft.validate().fields.count == 11)
    }

    // MARK: Given

    /// A destination, and whether an application allows it that allows `ok.example` and all below `wild.example`, but not
    /// `not.wild.example`.
    static let destinations: [(url: String, isAllowed: Bool)] = [
        ("https://ok.example/", true), ("https://OK.Example./p", true), ("http://ok.example:8080/p?q#f", true),
        ("https://a.ok.example/", false), ("https://wild.example/", false), ("https://a.wild.example/", true),
        ("https://a.b.wild.example/", true), ("https://awild.example/", false), ("https://not.wild.example/", false),
        ("https://Not.Wild.Example./", false), ("https://x.not.wild.example/", true),
        ("https://ok.example.evil.example/", false), ("https://evil.example/ok.example", false),
        ("https://evil.example?ok.example", false), ("https://evil.example#ok.example", false),
        ("https://ok.example@evil.example/", false), ("https://evil.example:443/", false),
        ("https://xn--ok-example.example/", false), ("https://ok.exampl%65/", false),
        ("https://ok.example\\@evil/", false),
        ("https://[::1]/", false), ("https://192.0.2.1/", false),
        ("shop://evil.example/", true),
    ]

    @Test(arguments: destinations)
    func allowsOnlyTheHostsThatAreNamed(url: String, isAllowed: Bool) throws {
        let application = try Self.application(
            allowed: ["ok.example", "*.wild.example", "shop.example.com"], blocked: ["NOT.wild.example."])
        let draft = Samples.draft(urls: [
            "web": URLEntryRequest("https://ok.example/"), "ios": URLEntryRequest(url),
        ])
        let fields = draft.validate(for: application).fields
        #expect(fields == (isAllowed ? [] : ["urls.ios"]))
        var rule = RuleRequest(to: .urls(["web": URLEntryRequest("https://ok.example/"), "ios": URLEntryRequest(url)]))
        rule.when.language = ["de"]
        var ruled = Samples.draft(urls: ["web": URLEntryRequest("https://ok.example/")])
        ruled.rules = [rule]
        #expect(ruled.validate(for: application).fields == (isAllowed ? [] : ["rules[0].to.ios"]))
        guard !url.hasPrefix("shop:") else { return }
        ruled.rules[0].to = .url(url)
        #expect(ruled.validate(for: application).fields == (isAllowed ? [] : ["rules[0].to"]))
        let fallen = Samples.draft(urls: [
            "web": URLEntryRequest("https://ok.example/"), "ios": URLEntryRequest("shop://a", fallback: url),
        ])
        #expect(fallen.validate(for: application).fields == (isAllowed ? [] : ["urls.ios.fallback"]))
    }

    /// Addresses and names in spellings that lead to what is blocked: refused, or no URL at all.
    @Test(arguments: [
        "https://127.0.0.1/", "https://127.0.0.1:9/", "https://127.0.0.1./", "https://0x7f.1/", "https://0x7f000001/",
        "https://2130706433/", "https://0177.0.0.1/", "https://127.1/", "https://127.0.0.1.:80/",
        "https://127.0.0.0x1/",
        "https://[::ffff:127.0.0.1]/", "https://[::ffff:7f00:1]/", "https://[0:0:0:0:0:FFFF:7f00:0001]/",
        "https://[2001:db8::1]/", "https://[2001:DB8:0:0::1]:8443/",
        "https://[2001:0db8:0000:0000:0000:0000:0000:0001]/",
        "https://BÜCHER.example/", "https://XN--BCHER-KVA.example/", "https://xn--bcher-kva.example./",
        "https://b%C3%BCcher.example/", "https://ｂad.example/", "https://bad。example/", "https://bad.example",
        "https://u:p@bad.example/", "https://bad.example\\/x", "https:\\\\bad.example/", "https:////bad.example/",
        "https:bad.example", "//bad.example/", "https://bad.example:443", "https://BAD.EXAMPLE:444/?x#y",
        "https://a.deep.bad.example/", "https://bad.example%00.ok.example/", "https://bad.example%2F.ok.example/",
    ])
    func blocksEverySpellingOfAHost(url: String) throws {
        let application = try Self.application(
            blocked: ["127.0.0.1", "[2001:db8::1]", "xn--bcher-kva.example", "bad.example", "*.bad.example"])
        let draft = Samples.draft(urls: ["web": URLEntryRequest(url)])
        #expect(draft.validate(for: application).fields == ["urls.web"])
        let open = try Samples.application().blocking(
            Self.hosts("127.0.0.1", "[2001:db8::1]", "xn--bcher-kva.example", "bad.example", "*.bad.example"))
        #expect(draft.validate(for: open).fields == ["urls.web"])
    }

    @Test func namesARouteWhoseTemplateLeadsToWhatTheServiceBlocks() throws {
        let draft = Samples.productDraft()
        let application = try Samples.application()
        #expect(draft.validate(for: application.blocking(try Self.hosts("other.example"))).fields == [])
        let blocked = application.blocking(try Self.hosts("shop.example.com"))
        #expect(draft.validate(for: blocked).fields == ["route"])
        let other = Samples.productDraft { $0.urls = ["web": URLEntryRequest("https://ok.example/")] }
        #expect(other.validate(for: blocked).fields == [])
        let bare = Samples.draft(urls: ["ios": URLEntryRequest("shop://a")])
        #expect(bare.validate(for: application).fields == [])
        #expect(bare.validate(for: blocked).fields == ["urls.web"])
    }

    // MARK: Followed

    private static func visitor(_ platform: Platform) -> Visitor { Visitor(platform: platform) }

    private static func urls(_ link: Link, _ application: Application, on platform: Platform) -> String? {
        switch link.resolve(application: application, visitor: visitor(platform), now: Samples.now, clickID: nil) {
        case .redirect(let destination): destination.url
        case .openApp(let opening): opening.open + " or " + opening.fallback.url
        default: nil
        }
    }

    /// What is forbidden later, a platform, and where a link then leads that has URLs for all of them.
    @Test(
        arguments: [
            ([], Platform.windows, "https://win.example/"), (["win.example"], .windows, "https://web.example/"),
            (["win.example", "web.example"], .windows, "https://shop.example.com"),
            (["*.example", "shop.example.com"], .windows, nil),
            ([], .ipad, "https://pad.example/"), (["pad.example"], .ipad, "shop://a or https://fall.example/"),
            (["pad.example", "fall.example"], .ipad, "shop://a or https://apps.apple.com/app/id123456789"),
        ] as [([String], Platform, String?)])
    func passesOverWhatIsForbiddenLater(forbidden: [String], platform: Platform, leadsTo: String?) throws {
        let draft = Samples.draft(urls: [
            "web": URLEntryRequest("https://web.example/"), "windows": URLEntryRequest("https://win.example/"),
            "ipad": URLEntryRequest("https://pad.example/"),
            "ios": URLEntryRequest("shop://a", fallback: "https://fall.example/"),
        ])
        let application = try Samples.application()
        let link = try Samples.link(draft, of: application)
        let hosts = HostSet(try forbidden.map { try #require(HostPattern($0)) })
        #expect(Self.urls(link, application.blocking(hosts), on: platform) == leadsTo)
        let own = application.with(
            baseURL: application.baseURL, onExpired: nil, onUnknown: nil, onRoot: nil,
            destinations: DestinationPolicy(allowed: nil, blocked: hosts))
        #expect(Self.urls(link, own, on: platform) == leadsTo)
    }

    @Test func passesOverRulesAndSaysSo() throws {
        var german = RuleRequest(to: .url("https://de.example/"))
        german.when.platform = ["windows"]
        let all = RuleRequest(
            to: .urls([
                "windows": URLEntryRequest("https://win.example/"), "web": URLEntryRequest("https://all.example/"),
            ]))
        var draft = Samples.draft(urls: ["web": URLEntryRequest("https://web.example/")])
        draft.rules = [german, all]
        let application = try Samples.application()
        let link = try Samples.link(draft, of: application)
        let held = application.blocking(try Self.hosts("de.example", "win.example"))
        let decision = link.explain(application: held, visitor: Self.visitor(.windows), now: Samples.now)
        #expect(decision.candidates.map(\.source) == ["link.rules[0]", "link.rules[1]"])
        #expect(decision.candidates[0].why == "not allowed by destinations")
        #expect(decision.candidates[1].url == "https://all.example/")
        let none = application.blocking(try Self.hosts("*.example", "*.com"))
        let nowhere = link.explain(application: none, visitor: Self.visitor(.windows), now: Samples.now)
        #expect(nowhere.resolution == .nowhere)
        #expect(nowhere.candidates.allSatisfy { !$0.taken })
        #expect(nowhere.candidates.count { $0.why == "not allowed by destinations" } == 4)
        #expect(link.deepLink(application: none, platform: .web).url == nil)
    }

    @Test func sendsNobodyToAPageThatTheServiceBlocks() throws {
        let application = try Samples.application {
            $0.onExpired = "https://late.example/"
            $0.onUnknown = "https://none.example/"
        }
        let held = application.blocking(try Self.hosts("late.example"))
        #expect(held.onExpired == nil)
        #expect(held.onUnknown != nil)
        #expect(application.blocking(HostSet()) == application)
    }
}
