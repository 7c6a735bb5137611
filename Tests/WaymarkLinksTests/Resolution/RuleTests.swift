import Testing

@testable import WaymarkAPI
@testable import WaymarkLinks

@Suite struct RuleTests {
    private func draft(_ url: String, _ change: (inout RuleRequest.Condition) -> Void = { _ in }) -> RuleRequest {
        var rule = RuleRequest(to: .url(url))
        change(&rule.when)
        return rule
    }

    private func draft(_ urls: [String: String], _ change: (inout RuleRequest.Condition) -> Void = { _ in })
        -> RuleRequest
    {
        var rule = RuleRequest(to: .urls(urls.mapValues { URLEntryRequest($0) }))
        change(&rule.when)
        return rule
    }

    private func url(
        _ rules: [RuleRequest], _ visitor: Visitor, at now: Timestamp = Samples.now, application: [RuleRequest] = []
    ) throws -> String {
        let application = try Samples.application { $0.rules = application }
        let link = try Samples.link(Samples.productDraft { $0.rules = rules }, of: application)
        let resolution = link.resolve(application: application, visitor: visitor, now: now, clickID: nil)
        #expect(
            link.explain(application: application, visitor: visitor, now: now).resolution == resolution,
            "explained differently")
        switch resolution {
        case .redirect(let destination): return destination.url
        case .openApp(let opening): return opening.open
        default: return "\(resolution)"
        }
    }

    @Test(
        arguments: [
            (Visitor.Store.appGallery, "https://huawei.example"), (.galaxy, "https://other.example"),
            (.amazon, "https://other.example"), (.play, "https://shop.example.com/products/42"),
            (nil, "https://shop.example.com/products/42"),
        ] as [(Visitor.Store?, String)])
    func asksForTheStoreOfTheDevice(_ store: Visitor.Store?, _ destination: String) throws {
        let rules = [
            draft("https://huawei.example") { $0.store = ["appGallery"] },
            draft("https://other.example") { $0.store = ["galaxy", "amazon"] },
        ]
        #expect(try url(rules, Visitor(platform: .web, store: store)) == destination)
    }

    @Test(
        arguments: [("com.google.android.gm", true), ("com.google.android.gm.lite", false), (nil, false)]
            as [(String?, Bool)])
    func asksForTheAppThatAVisitorComesFrom(_ app: String?, _ matches: Bool) throws {
        let rules = [
            draft("https://mail.example") { $0.referrerHost = ["*.gm", "app:com.google.android.gm", "news.example"] }
        ]
        let found = try url(rules, Visitor(platform: .web, referrerApp: app))
        #expect(found == (matches ? "https://mail.example" : usual))
        let host = try url(rules, Visitor(platform: .web, referrerHost: HostName("news.example")))
        #expect(host == "https://mail.example")
    }

    @Test(arguments: ["app:", "app:gm", "app:com..x", "app:*.google", "app:com.x/y", "App:com.x.y"])
    func refusesAReferrerThatIsNoApp(_ text: String) {
        #expect(throws: (any Error).self) {
            try url([draft("https://a.example") { $0.referrerHost = [text] }], Visitor(platform: .web))
        }
    }

    private let usual = "https://shop.example.com/products/42"

    @Test func takesTheFirstRuleThatMatches() throws {
        let rules = [
            draft("https://a.example/") { $0.language = ["fr"] }, draft("https://b.example/") { $0.language = ["de"] },
            draft("https://c.example/") { $0.country = ["DE"] },
        ]
        #expect(try url(rules, Visitor(platform: .web, language: "de", country: "DE")) == "https://b.example/")
        #expect(try url(rules, Visitor(platform: .web, language: "en", country: "DE")) == "https://c.example/")
        #expect(try url(rules, Visitor(platform: .web)) == usual)
    }

    @Test func asksTheLinksRulesBeforeTheApplications() throws {
        let own = [draft("https://own.example/") { $0.language = ["de"] }]
        let all = [draft("https://all.example/")]
        #expect(try url(own, Visitor(platform: .web, language: "de"), application: all) == "https://own.example/")
        #expect(try url(own, Visitor(platform: .web, language: "en"), application: all) == "https://all.example/")
    }

    @Test(arguments: [
        (["ios"], Platform.iphone, true), (["ios"], .ipad, true), (["ios"], .ios, true), (["ios"], .android, false),
        (["iphone"], .iphone, true), (["iphone"], .ipad, false), (["android", "web"], .web, true),
        (["web"], .linux, false),
    ])
    func matchesPlatforms(_ given: [String], _ platform: Platform, _ matches: Bool) throws {
        let rules = [draft("https://a.example/") { $0.platform = given }]
        #expect((try url(rules, Visitor(platform: platform)) == "https://a.example/") == matches)
    }

    @Test(arguments: [
        ("de", "de-AT", true), ("de", "DE", true), ("de-AT", "de", false), ("de-AT", "de-at", true),
        ("de", "den", false),
        ("zh-Hant", "zh-Hant-TW", true),
    ])
    func matchesLanguagesByTheirBeginning(_ range: String, _ language: String, _ matches: Bool) throws {
        let rules = [draft("https://a.example/") { $0.language = [range] }]
        #expect((try url(rules, Visitor(platform: .web, language: language)) == "https://a.example/") == matches)
    }

    @Test(arguments: [
        ("news.example", "news.example", true), ("news.example", "www.news.example", false),
        ("*.news.example", "www.news.example", true), ("*.news.example", "news.example", false),
        ("*.news.example", "badnews.example", false),
    ])
    func matchesReferrers(_ pattern: String, _ host: String, _ matches: Bool) throws {
        let rules = [draft("https://a.example/") { $0.referrerHost = [pattern] }]
        let visitor = Visitor(platform: .web, referrerHost: HostName(host))
        #expect((try url(rules, visitor) == "https://a.example/") == matches)
        #expect(try url(rules, Visitor(platform: .web)) == usual)
    }

    @Test(arguments: [
        ("src=mail", true), ("src=MAIL", false), ("x=1&src=m%61il", true), ("src=sms", true), ("src", false),
        ("", false),
    ])
    func matchesQueryParameters(_ query: String, _ matches: Bool) throws {
        let rules = [draft("https://a.example/") { $0.query = ["src": ["mail", "sms"]] }]
        #expect((try url(rules, Visitor(platform: .web, query: query)).hasPrefix("https://a.example/")) == matches)
        let any = [draft("https://a.example/") { $0.query = ["src": nil] }]
        let holds = query.firstRange(of: "src") != nil
        #expect((try url(any, Visitor(platform: .web, query: query)).hasPrefix("https://a.example/")) == holds)
    }

    @Test func matchesWithinItsTimes() throws {
        let rules = [
            draft("https://a.example/") {
                $0.after = "2026-11-21T10:00:00Z"
                $0.before = "2026-11-21T11:00:00Z"
            }
        ]
        let visitor = Visitor(platform: .web)
        #expect(try url(rules, visitor, at: Timestamp(rawValue: Samples.now.rawValue - 1)) == usual)
        #expect(try url(rules, visitor, at: Samples.now) == "https://a.example/")
        #expect(try url(rules, visitor, at: Samples.now.advanced(byMilliseconds: 3_599_999)) == "https://a.example/")
        #expect(try url(rules, visitor, at: Samples.now.advanced(byMilliseconds: 3_600_000)) == usual)
    }

    @Test func matchesBrowsersDevicesAndAppsWithABrowser() throws {
        let visitor = Visitor(platform: .web, device: .desktop, browser: "firefox")
        let inApp = Visitor(platform: .web, device: .phone, browser: "chrome", inApp: .instagram)
        for (change, isForFirst) in [
            ({ $0.browser = ["firefox"] }, true), ({ $0.device = ["phone"] }, false),
            ({ $0.inApp = ["instagram", "facebook"] }, false), ({ $0.isInApp = false }, true),
            ({ $0.isInApp = true }, false),
        ] as [((inout RuleRequest.Condition) -> Void, Bool)] {
            let rules = [draft("https://a.example/", change)]
            #expect((try url(rules, visitor) == "https://a.example/") == isForFirst)
            #expect((try url(rules, inApp) == "https://a.example/") == !isForFirst)
        }
    }

    @Test func givesPlatformsTheirOwnAndGoesOnWhereItHasNothing() throws {
        let rules = [draft(["android": "https://a.example/:product_id", "ios": "shop://b/:product_id"])]
        #expect(try url(rules, Visitor(platform: .android)) == "https://a.example/42")
        #expect(try url(rules, Visitor(platform: .iphone)).hasPrefix("shop://b/42"))
        #expect(try url(rules, Visitor(platform: .linux)) == usual)
        // A crawler opens no app.
        #expect(try url(rules, Visitor(platform: .iphone, bot: .search)) == usual)
    }

    // MARK: Shares

    @Test func splitsVisitorsAsItIsTold() throws {
        let rules = [
            draft("https://a.example/") { $0.percentage = 20 }, draft("https://b.example/") { $0.percentage = 50 },
        ]
        let application = try Samples.application()
        let link = try Samples.link(Samples.productDraft { $0.rules = rules }, of: application)
        var random = RepeatableRandom(state: 1)
        var counts: [String: Int] = [:]
        for _ in 0..<20_000 {
            let visitor = Visitor(platform: .web, number: random.next())
            var urls: Set<String> = []
            for _ in 0..<2 {
                let resolution = link.resolve(
                    application: application, visitor: visitor, now: Samples.now, clickID: nil)
                if case .redirect(let destination) = resolution { urls.insert(destination.url) }
            }
            #expect(urls.count == 1)
            counts[urls.first ?? "", default: 0] += 1
        }
        for (url, share) in [("https://a.example/", 0.2), ("https://b.example/", 0.5), (usual, 0.3)] {
            #expect(abs(Double(counts[url] ?? 0) / 20_000 - share) < 0.02, "\(url): \(counts)")
        }
    }

    @Test func keepsPlacesOnTwoLinksApart() throws {
        let application = try Samples.application()
        let content = try Samples.link(
            Samples.productDraft { $0.rules = [self.draft("https://a.example/") { $0.percentage = 50 }] },
            of: application
        ).content
        var random = RepeatableRandom(state: 2)
        var same = 0
        for _ in 0..<4_000 {
            let visitor = Visitor(platform: .web, number: random.next())
            let endings = [Int64(1), 2].map { id in
                Link(
                    id: LinkID(rawValue: id), application: application.id, domain: HostName("a.example")!,
                    slug: Slug("x")!, content: content, createdAt: Samples.now, updatedAt: Samples.now
                ).resolve(application: application, visitor: visitor, now: Samples.now, clickID: nil)
            }
            if endings[0] == endings[1] { same += 1 }
        }
        #expect((1_800...2_200).contains(same))
    }

    // MARK: What is refused

    private func fields(_ rules: [RuleRequest], _ change: (inout LinkRequest) -> Void = { _ in }) throws -> [String] {
        let application = try Samples.application()
        return Samples.productDraft {
            $0.rules = rules
            change(&$0)
        }.validate(for: application).fields
    }

    @Test func namesWhatIsWrongWithARule() throws {
        #expect(try fields([draft("shop://x")]) == ["rules[0].to"])
        #expect(try fields([draft("https://a.example/:nothing")]) == ["routeParameters.nothing"])
        #expect(try fields([draft(["web": "shop://x"])]) == ["rules[0].to.web"])
        #expect(try fields([draft(["ios": "other://x"])]) == ["rules[0].to.ios"])
        #expect(try fields([draft(["phone": "https://a.example"])]) == ["rules[0].to.phone"])
        #expect(
            try fields([
                draft("https://a.example/") {
                    $0.platform = ["iphone", "symbian"]
                    $0.browser = ["mosaic"]
                    $0.device = ["watch"]
                    $0.inApp = ["myspace"]
                    $0.language = ["x", "de"]
                    $0.country = ["DEU"]
                    $0.referrerHost = ["a b"]
                    $0.after = "today"
                    $0.percentage = 0
                    $0.query = ["_hk_cid": nil]
                }
            ]).sorted() == [
                "rules[0].when.after", "rules[0].when.browser", "rules[0].when.country", "rules[0].when.device",
                "rules[0].when.inApp", "rules[0].when.language[0]", "rules[0].when.percentage",
                "rules[0].when.platform[1]", "rules[0].when.query._hk_cid", "rules[0].when.referrerHost",
            ])
        #expect(try fields(Array(repeating: draft("https://a.example/") { $0.percentage = 1 }, count: 51)) == ["rules"])
    }

    @Test(
        arguments: [
            ("A", true), ("spring 2027", true), ("1/2", true), (String(repeating: "\u{1F342}", count: 64), true),
            (String(repeating: "x", count: 65), false), ("", false), ("2027", false), ("\u{663}", false),
            ("a\nb", false), ("none", false), ("(rest)", false), ("app/1", false),
        ])
    func `names are short and more than a number`(name: String, isTaken: Bool) throws {
        var rule = draft("https://a.example/")
        rule.name = name
        #expect(try fields([rule]) == (isTaken ? [] : ["rules[0].name"]))
    }

    @Test func `names are unique among the rules of a link`() throws {
        var rules = ["A", "B", "A"].map { name in
            var rule = draft("https://a.example/") { $0.percentage = 10 }
            rule.name = name
            return rule
        }
        #expect(try fields(rules) == ["rules[2].name"])
        rules[2].name = nil
        #expect(try fields(rules) == [])
    }

    @Test func `names of entries are unique in a template`() throws {
        func fields(_ names: [String: String?]) -> [String] {
            var application = ApplicationRequest()
            application.id = "shop"
            let urls = names.mapValues { name in
                var entry = URLEntryRequest("https://a.example/")
                entry.name = name
                return entry
            }
            application.templates = [ApplicationRequest.Template(name: nil, route: "p", urls: urls)]
            return application.validate().fields
        }
        #expect(fields(["ios": "app", "web": "site", "android": nil]) == [])
        #expect(
            fields(["ios": "7", "web": "site", "android": "site"]).sorted() == [
                "templates[0].urls.ios.name", "templates[0].urls.web.name",
            ])
    }

    @Test func allowsApplicationsNoVariables() {
        var application = ApplicationRequest()
        application.id = "shop"
        application.rules = [draft("https://a.example/:x")]
        #expect(application.validate().fields == ["rules[0].to"])
    }

    @Test func findsRulesThatCanNeverMatch() throws {
        func never(_ rules: [RuleRequest]) throws -> [String] { try fields(rules) }
        let all = draft("https://a.example/")
        #expect(try never([all, draft("https://b.example/")]) == ["rules[1]"])
        #expect(try never([all, draft("https://b.example/") { $0.country = ["DE"] }]) == ["rules[1]"])
        #expect(try never([draft("https://b.example/") { $0.country = ["DE"] }, all]) == [])
        #expect(
            try never([
                draft("https://a.example/") { $0.platform = ["ios"] },
                draft("https://b.example/") {
                    $0.platform = ["iphone"]
                    $0.language = ["de"]
                },
            ]) == ["rules[1]"])
        // Two rules ahead may take everyone together.
        let phones = [
            draft("https://a.example/") { $0.platform = ["ios"] },
            draft("https://a.example/") { $0.platform = ["android"] },
        ]
        #expect(
            try never(phones + [draft("https://b.example/") { $0.platform = ["ipad", "android"] }]) == ["rules[2]"])
        #expect(try never(phones + [draft("https://b.example/") { $0.platform = ["ipad", "web"] }]) == [])
        // An app's URL is passed over by crawlers, who go on.
        #expect(try never([draft(["ios": "shop://x"]), draft("https://b.example/") { $0.platform = ["ios"] }]) == [])
        #expect(
            try never([draft(["ios": "https://x.example"]), draft("https://b.example/") { $0.platform = ["ios"] }])
                == ["rules[1]"])
        #expect(
            try never([
                draft("https://a.example/") { $0.language = ["de"] },
                draft("https://b.example/") { $0.language = ["de-AT"] },
            ]) == ["rules[1]"])
        #expect(
            try never([
                draft("https://a.example/") { $0.language = ["de-AT"] },
                draft("https://b.example/") { $0.language = ["de"] },
            ]) == [])
        #expect(
            try never([
                draft("https://a.example/") { $0.referrerHost = ["*.example.com"] },
                draft("https://b.example/") { $0.referrerHost = ["www.example.com"] },
            ]) == ["rules[1]"])
        #expect(
            try never([
                draft("https://a.example/") { $0.query = ["a": nil] },
                draft("https://b.example/") { $0.query = ["a": ["1"]] },
            ]) == ["rules[1]"])
        #expect(
            try never([
                draft("https://a.example/") { $0.after = "2027-01-01T00:00:00Z" },
                draft("https://b.example/") { $0.after = "2027-02-01T00:00:00Z" },
            ]) == ["rules[1]"])
    }

    /// Of two rules the conditions, and whether the first takes everyone whom the second holds for.
    private static let pairs: [(first: RuleRequest.Condition, second: RuleRequest.Condition, covers: Bool)] = {
        func condition(_ change: (inout RuleRequest.Condition) -> Void) -> RuleRequest.Condition {
            var condition = RuleRequest.Condition()
            change(&condition)
            return condition
        }
        func query(_ query: [String: [String]?]) -> RuleRequest.Condition { condition { $0.query = query } }
        func referrers(_ hosts: String...) -> RuleRequest.Condition { condition { $0.referrerHost = hosts } }
        func languages(_ tags: String...) -> RuleRequest.Condition { condition { $0.language = tags } }
        return [
            (query(["a": ["1", "2"]]), query(["a": ["2"]]), true), (query(["a": ["1"]]), query(["a": nil]), false),
            (query(["a": ["1"]]), query(["a": ["1"], "b": nil]), true), (query(["a": nil]), query(["b": nil]), false),
            (query(["a": ["1"], "b": ["2"]]), query(["a": ["2"], "b": ["1"]]), false),
            (referrers("*.example.com"), referrers("*.shop.example.com", "a.b.example.com"), true),
            (referrers("*.example.com"), referrers("example.com"), false),
            (referrers("example.com"), referrers("*.example.com"), false),
            (referrers("*.com", "a.example"), referrers("*.example.com", "a.example"), true),
            (languages("zh", "de"), languages("zh-Hant-TW", "zh-Hant"), true),
            (languages("zh-Hant"), languages("zh-Hans"), false), (languages("de"), languages("den"), false),
            (condition { $0.browser = ["safari"] }, condition { $0.inApp = ["line"] }, false),
            (condition { $0.isInApp = true }, condition { $0.inApp = ["line"] }, true),
            (condition { $0.country = ["DE", "AT"] }, condition { $0.country = ["at", "de"] }, true),
            (condition { $0.country = ["DE", "AT"] }, condition { $0.country = ["CH"] }, false),
        ]
    }()

    @Test(arguments: pairs)
    func comparesTheValuesOfTwoRules(
        first: RuleRequest.Condition, second: RuleRequest.Condition, covers: Bool
    ) throws {
        let rules = [first, second].map { condition in draft("https://a.example/") { $0 = condition } }
        #expect(try fields(rules) == (covers ? ["rules[1]"] : []))
    }

    @Test func findsSharesThatAreUsedUp() throws {
        func share(_ percentage: Int?, _ platform: [String]? = nil) -> RuleRequest {
            draft("https://a.example/") {
                $0.percentage = percentage
                $0.platform = platform
            }
        }
        #expect(try fields([share(50), share(50), share(nil)]) == ["rules[2]"])
        #expect(try fields([share(50), share(49), share(nil)]) == [])
        #expect(try fields([share(100), share(nil, ["web"])]) == ["rules[1]"])
        #expect(try fields([share(50), share(50, ["ios"]), share(nil)]) == [])
        #expect(try fields([share(60, ["ios"]), share(60, ["ios"]), share(nil, ["ios"])]) == ["rules[2]"])
    }

    @Test func findsConditionsThatContradictThemselves() throws {
        func one(_ change: (inout RuleRequest.Condition) -> Void) throws -> [String] {
            try fields([draft("https://a.example/", change)])
        }
        #expect(
            try one {
                $0.after = "2026-12-02T00:00:00Z"
                $0.before = "2026-12-01T00:00:00Z"
            } == ["rules[0].when.before"])
        #expect(try one { $0.platform = [] } == ["rules[0].when.platform"])
        #expect(
            try one {
                $0.platform = ["iphone"]
                $0.device = ["desktop"]
            } == ["rules[0].when.device"])
        #expect(
            try one {
                $0.isInApp = false
                $0.inApp = ["line"]
            } == ["rules[0].when.inApp"])
        let early = draft("https://a.example/") { $0.before = "2026-12-01T00:00:00Z" }
        #expect(try fields([early]) { $0.validFrom = "2026-12-01T00:00:00Z" } == ["rules[0].when.before"])
        let late = draft("https://a.example/") { $0.after = "2026-12-01T00:00:00Z" }
        #expect(try fields([late]) { $0.expiresAt = "2026-12-01T00:00:00Z" } == ["rules[0].when.after"])
    }

    // MARK: Kept

    @Test func saysOfEachRuleWhyItWasPassedOver() throws {
        let application = try Samples.application()
        let link = try Samples.link(
            Samples.productDraft {
                $0.rules = [
                    self.draft("https://a.example/") { $0.country = ["DE"] },
                    self.draft("https://b.example/") { $0.language = ["de"] },
                ]
            }, of: application)
        let candidates = link.explain(
            application: application, visitor: Visitor(platform: .web, language: "de"), now: Samples.now
        ).candidates
        #expect(candidates.map(\.source) == ["link.rules[0]", "link.rules[1]"])
        #expect(candidates.map(\.taken) == [false, true])
        #expect(candidates.map(\.why) == ["country does not match", "the first rule that matches"])
    }
}
