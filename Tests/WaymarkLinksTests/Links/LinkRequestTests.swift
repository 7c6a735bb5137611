import Testing

@testable import WaymarkAPI
@testable import WaymarkLinks

@Suite struct LinkRequestTests {
    private let application: Application

    init() throws { application = try Samples.application() }

    @Test func takesALinkFromATemplate() throws {
        let draft = Samples.productDraft {
            $0.route = "/products/:product_id/"
            $0.domain = "GO.example.com"
            $0.slug = "Summer"
            $0.redeemLimit = 1
            $0.validFrom = "2026-01-01T00:00:00Z"
            $0.expiresAt = "2027-01-01T00:00:00+01:00"
            $0.tags = ["a", "b"]
            $0.unique = true
            $0.metadata = RawJSON(Array("{}".utf8))
        }
        guard case .valid(let valid) = draft.validate(for: application) else { throw Samples.Refused(problems: []) }
        #expect(valid.domain?.text == "go.example.com")
        #expect(valid.slug?.text == "Summer")
        #expect(valid.content.route?.text == "products/:product_id")
        #expect(valid.content.redeemLimit == 1)
        #expect(valid.content.expiresAt?.rfc3339 == "2026-12-31T23:00:00Z")
        #expect(valid.unique)
        #expect(valid.metadata == Array("{}".utf8))
        #expect(!valid.content.disabled)
    }

    /// The Kelvin sign is canonically equivalent to the letter K, and so equal for Swift; for a URL it is not.
    @Test func takesNoRouteForATemplatesThatOnlyLooksLikeIt() throws {
        let application = try Samples.application { $0.templates[0].route = "K/:product_id" }
        let draft = Samples.productDraft { $0.route = "\u{212A}/:product_id" }
        guard case .invalid(let problems) = draft.validate(for: application) else {
            Issue.record("the route was taken")
            return
        }
        #expect(problems.map(\.field) == ["route"])
    }

    /// A change that spoils a good draft, and the fields that are named for it.
    static let spoiled: [(change: @Sendable (inout LinkRequest) -> Void, fields: [String])] = [
        ({ $0.domain = "other.example.com" }, ["domain"]),
        ({ $0.domain = "not a host" }, ["domain"]),
        ({ $0.slug = "a//b" }, ["slug"]),
        ({ $0.slug = "api" }, ["slug"]),
        ({ $0.slug = "" }, ["slug"]),
        (
            {
                $0.route = nil; $0.routeParameters = [:]
            }, ["route"]
        ),
        ({ $0.route = "other/:product_id" }, ["route"]),
        ({ $0.route = "a?b" }, ["route"]),
        ({ $0.routeParameters = [:] }, ["routeParameters.product_id"]),
        ({ $0.routeParameters["more"] = Samples.text("1") }, ["routeParameters.more"]),
        ({ $0.routeParameters["product_id"] = Samples.text("") }, ["routeParameters.product_id"]),
        ({ $0.routeParameters["product_id"] = Samples.text(".") }, ["routeParameters.product_id"]),
        ({ $0.routeParameters["product_id"] = Samples.text("..") }, ["routeParameters.product_id"]),
        ({ $0.routeParameters["product_id"] = Samples.text("a\0") }, ["routeParameters.product_id"]),
        ({ $0.routeParameters["product_id"] = Samples.text("a\u{7F}") }, ["routeParameters.product_id"]),
        ({ $0.routeParameters["product_id"] = Samples.text("\u{80}") }, ["routeParameters.product_id"]),
        ({ $0.routeParameters["product_id"] = Samples.text("é\u{9F}") }, ["routeParameters.product_id"]),
        (
            { $0.routeParameters["product_id"] = Samples.text(String(repeating: "x", count: 513)) },
            ["routeParameters.product_id"]
        ),
        ({ $0.queryParameters["_hk_cid"] = Samples.text("x") }, ["queryParameters._hk_cid"]),
        ({ $0.queryParameters["_HK_md"] = Samples.text("x") }, ["queryParameters._HK_md"]),
        ({ $0.queryParameters[""] = Samples.text("x") }, ["queryParameters."]),
        ({ $0.queryParameters["a"] = Samples.text("x\r\n") }, ["queryParameters.a"]),
        ({ $0.urls["symbian"] = URLEntryRequest("https://a.example") }, ["urls.symbian"]),
        ({ $0.urls["web"] = URLEntryRequest("shop://a") }, ["urls.web"]),
        ({ $0.urls["web"] = URLEntryRequest("javascript:alert(1)") }, ["urls.web"]),
        ({ $0.urls["ios"] = URLEntryRequest("other://a") }, ["urls.ios"]),
        ({ $0.urls["ios"] = URLEntryRequest("shop://a", fallback: "shop://b") }, ["urls.ios.fallback"]),
        ({ $0.urls["ios"] = URLEntryRequest("shop://a", fallback: "") }, ["urls.ios.fallback"]),
        ({ $0.urls["ios"] = URLEntryRequest("shop://user@a", fallback: "web") }, ["urls.ios.link"]),
        ({ $0.urls["web"] = URLEntryRequest("https://a.example/:missing") }, ["routeParameters.missing"]),
        ({ $0.urls["web"] = URLEntryRequest("https://a.example/p-:product_id") }, ["urls.web"]),
        ({ $0.metadata = RawJSON(unchecked: Array(repeating: 0x20, count: 16385)) }, ["metadata"]),
        ({ $0.redeemLimit = -1 }, ["redeemLimit"]),
        ({ $0.maxClicks = 0 }, ["maxClicks"]),
        ({ $0.validFrom = "tomorrow" }, ["validFrom"]),
        ({ $0.expiresAt = "2026-02-29T00:00:00Z" }, ["expiresAt"]),
        (
            {
                $0.validFrom = "2026-01-01T00:00:00Z"; $0.expiresAt = "2026-01-01T00:00:00Z"
            }, ["expiresAt"]
        ),
        (
            { $0.social = SocialRequest(title: "a\u{1B}", imageURL: "ftp://a") },
            ["social.title", "social.imageURL"]
        ),
        (
            { $0.campaign = CampaignRequest(source: "a\n", medium: nil, name: "", term: nil, content: nil) },
            ["campaign.source", "campaign.name"]
        ),
        ({ $0.tags = Array(repeating: "t", count: 17) }, ["tags"]),
        ({ $0.tags = ["a", "b", "c", ""] }, ["tags[3]"]),
        ({ $0.title = String(repeating: "é", count: 201) }, ["title"]),
        ({ $0.title = "two\nlines" }, ["title"]),
        ({ $0.note = String(repeating: "é", count: 2001) }, ["note"]),
        ({ $0.note = "a\u{1B}" }, ["note"]),
        ({ $0.folder = "" }, ["folder"]),
        ({ $0.folder = "/a" }, ["folder"]),
        ({ $0.folder = "a/" }, ["folder"]),
        ({ $0.folder = "a//b" }, ["folder"]),
        ({ $0.folder = "a/ b" }, ["folder"]),
        ({ $0.folder = "a\u{3000}/b" }, ["folder"]),
        ({ $0.folder = "a/../b" }, ["folder"]),
        ({ $0.folder = "a\tb/c" }, ["folder"]),
        ({ $0.folder = "1/2/3/4/5/6/7/8/9/10/11" }, ["folder"]),
    ]

    @Test(arguments: spoiled.indices)
    func namesTheFieldThatIsWrong(_ position: Int) {
        let (change, fields) = LinkRequestTests.spoiled[position]
        #expect(Samples.productDraft(change).validate(for: application).fields == fields)
    }

    /// U+00A0 is the first behind the control characters of C1, and the bytes of the others hold those of C1.
    @Test(arguments: ["\u{A0}", "Â\u{A0}", "é", "ß", "Ā", "日本", "😀"])
    func takesTextThatIsNoControlCharacter(_ text: String) {
        let draft = Samples.productDraft { $0.routeParameters["product_id"] = Samples.text(text) }
        #expect(draft.validate(for: application).fields == [])
    }

    @Test(arguments: [
        ("", ""), (String(repeating: "é", count: 200), String(repeating: "é", count: 2000)), ("é", "a\r\n\tb"),
    ])
    func takesATitleAndANote(_ title: String, _ note: String) throws {
        let draft = Samples.productDraft {
            $0.title = title
            $0.note = note
        }
        let content = try Samples.link(draft, of: application).content
        #expect(content.title == title)
        #expect(content.note == note)
    }

    @Test func namesAllProblemsAtOnce() {
        let draft = Samples.productDraft {
            $0.slug = "api"
            $0.routeParameters = [:]
            $0.urls = ["ios": URLEntryRequest("javascript:x", fallback: "no")]
            $0.maxClicks = -1
            $0.tags = ["\u{7}"]
        }
        let fields = draft.validate(for: application).fields
        #expect(
            Set(fields).isSuperset(of: [
                "slug", "routeParameters.product_id", "urls.ios.link", "urls.ios.fallback", "maxClicks", "tags[0]",
            ]))
    }

    @Test func `a link needs no web page`() throws {
        let bare = try Samples.application {
            $0.webBaseURL = nil
            $0.templates = []
        }
        let onlyApp = Samples.draft(urls: ["ios": URLEntryRequest("shop://a")])
        #expect(onlyApp.validate(for: bare).fields == [])
        #expect(onlyApp.validate(for: application).fields == [])
        let withWeb = Samples.draft(urls: [
            "ios": URLEntryRequest("shop://a"), "web": URLEntryRequest("https://a.example"),
        ])
        #expect(withWeb.validate(for: bare).fields == [])
    }

    @Test func takesARouteThatNoTemplateHasWhereThereAreURLs() {
        var draft = Samples.draft(urls: ["web": URLEntryRequest("https://a.example/:id")])
        draft.route = "other/:id"
        draft.routeParameters = ["id": Samples.text("1")]
        #expect(draft.validate(for: application).fields == [])
    }

    @Test func takesAnyHostForAnApplicationWithoutDomains() throws {
        let open = try Samples.application { $0.domains = [] }
        let draft = Samples.productDraft { $0.domain = "anything.example" }
        #expect(draft.validate(for: open).fields == [])
    }
}
