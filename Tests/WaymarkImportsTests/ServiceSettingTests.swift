import Testing
import WaymarkImports
import WaymarkJSON
import WaymarkLinks
import WaymarkTestSupport

/// Settings of other services that change what printed links do: each row of the guide's table, asked of the decision.
@Suite struct ServiceSettingTests {
    struct Setting: Sendable, CustomTestStringConvertible {
        /// The beginning of its row in the guide.
        let row: String
        let service: ForeignService
        /// Members besides the address and the destination `https://a.example/?utm_source=web`.
        let members: JSONObject
        var visitor = Visitor(platform: .windows, query: "utm_source=flyer&x=1")
        var now = Timestamp(seconds: 1_800_000_000)
        let answer: String

        var testDescription: String { "\(row) \(service.rawValue)" }

        init(
            _ row: String, _ service: ForeignService, _ members: JSONValue = [:],
            visitor: Visitor = Visitor(platform: .windows, query: "utm_source=flyer&x=1"), to answer: String
        ) {
            self.row = row
            self.service = service
            self.members = members.object ?? JSONObject()
            self.visitor = visitor
            self.answer = answer
        }

        var body: JSONValue {
            var object = members
            let url: JSONValue = "https://a.example/?utm_source=web"
            switch service {
            case .dub: (object["key"], object["domain"], object["url"]) = ("a", "go.example.com", url)
            case .shortio:
                (object["path"], object["shortURL"], object["originalURL"]) = ("a", "https://go.example.com/a", url)
            case .rebrandly:
                (object["slashtag"], object["domainName"], object["destination"]) = ("a", "go.example.com", url)
            case .shlink: (object["shortCode"], object["domain"], object["longUrl"]) = ("a", "go.example.com", url)
            default: (object["address"], object["domain"], object["target"]) = ("a", "go.example.com", url)
            }
            return JSONValue(object)
        }
    }

    private static let late = "https://late.example/"
    private static let plain = Visitor(platform: .windows)

    static let settings: [Setting] = [
        Setting("forwarding the query", .shlink, ["forwardQuery": false], to: "https://a.example/?utm_source=web"),
        Setting("forwarding the query", .shortio, ["skipQS": true], to: "https://a.example/?utm_source=web"),
        Setting(
            "forwarding the query", .rebrandly, ["forwardParameters": false], to: "https://a.example/?utm_source=web"),
        Setting("a parameter of the visit", .dub, to: "https://a.example/?utm_source=flyer&x=1"),
        Setting("a parameter of the visit", .shlink, to: "https://a.example/?utm_source=flyer&x=1"),
        Setting("a parameter of the visit", .kutt, to: "https://a.example/?utm_source=web&x=1"),
        Setting(
            "where an expired link leads", .dub,
            ["expiresAt": "2024-12-31T23:59:59.000Z", "expiredUrl": "https://late.example/"],
            to: late),
        Setting(
            "where an expired link leads", .shortio,
            ["expiresAt": 1_672_531_200_000, "expiredURL": "https://late.example/"],
            to: late),
        Setting(
            "a limit of visits", .shlink, ["meta": ["maxVisits": 5], "visitsSummary": ["total": 5]], to: "disabled"),
        Setting("a limit of visits", .shortio, ["clicksLimit": 5, "clicks": 7], to: "disabled"),
        Setting(
            "a limit of visits", .shortio, ["clicksLimit": 5], visitor: plain, to: "https://a.example/?utm_source=web"),
        Setting("a link that is switched off", .rebrandly, ["status": "inactive"], to: "disabled"),
        Setting(
            "a link that is switched off", .rebrandly, ["status": "active"], visitor: plain,
            to: "https://a.example/?utm_source=web"),
        Setting("a link that is switched off", .dub, ["disabledAt": "2024-12-31T23:59:59.000Z"], to: "disabled"),
        Setting("a link that is switched off", .kutt, ["banned": true], to: "disabled"),
        Setting(
            "a split test", .shortio,
            ["iphoneURL": "https://i.example/", "splitURL": "https://b.example/", "splitPercent": 99],
            visitor: Visitor(platform: .iphone, number: 3), to: "https://i.example/"),
        Setting(
            "URLs for iOS and Android", .dub,
            ["android": "https://i.example/", "geo": ["DE": "https://de.example/"]],
            visitor: Visitor(platform: .android, country: "DE"), to: "https://i.example/"),
        Setting(
            "URLs for countries", .dub, ["android": "https://i.example/", "geo": ["DE": "https://de.example/"]],
            visitor: Visitor(platform: .windows, country: "DE"), to: "https://de.example/"),
        Setting(
            "a test that has ended", .dub,
            [
                "testVariants": [
                    ["url": "https://b.example/", "percentage": 60], ["url": "https://c.example/", "percentage": 40],
                ], "testCompletedAt": "2025-02-01T00:00:00.000Z",
            ], visitor: plain, to: "https://a.example/?utm_source=web"),
        // Dub's own codes end so.
        Setting(
            "QR codes", .dub, visitor: Visitor(platform: .android, query: "qr=1"),
            to: "https://a.example/?utm_source=web&qr=1"),
        Setting(
            "hiding the destination", .dub, ["rewrite": true], visitor: plain, to: "https://a.example/?utm_source=web"),
    ]

    @Test(arguments: settings) func settingsDecideAsBefore(setting: Setting) throws {
        let imported = try ImportedLink(setting.service, setting.body)
        #expect(imported.answer(setting.visitor, at: setting.now) == setting.answer, "\(imported.notes)")
    }

    @Test(arguments: [("301", 301), ("307", 307), ("308", 308)])
    func theStatusOfARedirectIsTheLinksOwn(text: String, status: Int) throws {
        let setting = Setting("the status of a redirect", .shortio, ["redirectType": JSONValue(text)], to: "")
        let imported = try ImportedLink(.shortio, setting.body)
        #expect(imported.link.redirectStatus(imported.application) == status && imported.notes.isEmpty)
    }

    @Test func anUnknownStatusIsNoted() throws {
        let setting = Setting("the status of a redirect", .shortio, ["redirectType": "200"], to: "")
        let imported = try ImportedLink(.shortio, setting.body)
        #expect(imported.link.content.redirectStatus == nil && imported.notes.first?.contains("200") == true)
    }

    @Test(
        arguments: [
            (ForeignService.dub, true), (.shortio, true), (.polr, true), (.shlink, false), (.yourls, false),
            (.csv, false),
        ])
    func caseIsTheApplicationsToIgnore(service: ForeignService, isNoted: Bool) {
        #expect(Shop.preparation().notes(about: service).contains { $0.contains("slugCase") } == isNoted)
        let folding = Application(
            id: ApplicationID("shop")!, name: "Shop", domains: [Shop.host],
            webBaseURL: WebURL("https://shop.example.com"), ignoresSlugCase: true)
        #expect(Shop.preparation(folding).notes(about: service).isEmpty)
    }

    /// The columns of Short.io's own export.
    @Test func everyColumnOfShortIOIsUsedOrNamed() async throws {
        let text =
            "id\tshort_url\toriginal_url\ttitle\tpath\ttags\tfolder_name\tclicks_limit\tpassword\texpire_at\texpire_url\t"
            + "android_url\tiphone_url\tskip_qs\tarchived\tsplit_url\tsplit_percent\n"
            + "lnk_1\thttps://go.example.com/a\thttps://a.example/\tA\ta\t\tSpring\t10\t\t2027-01-01T00:00:00Z\t"
            + "https://late.example/\thttps://p.example/\t\ttrue\tfalse\thttps://b.example/\t50\n"
        let source = try await ForeignService.shortio.links(in: [file(text)])
        let imported = try ImportedLink(try #require(try await source.all().first).link)
        #expect(source.notes.map { $0.prefix(20) } == ["the column \"id\" was ", "the column \"folder_n"])
        #expect(
            imported.answer(Visitor(platform: .android, query: "x=1"), at: Timestamp(seconds: 0))
                == "https://p.example/")
        #expect(imported.answer(Self.plain) == "https://late.example/")
        #expect(imported.link.content.maxClicks == 10 && imported.link.content.rules.first?.when.percentage == 50)
    }

    /// Each row of the guide's table begins with a setting that is tested here, with rules, or of visits.
    @Test func theGuideHasEverySetting() throws {
        let rows = try GuideTable.names(in: "from-link-shorteners.md", under: "Settings of the old service")
        let here = Self.settings.map(\.row) + ["the status of a redirect"]
        let ofRules = ["rules of Shlink"]
        let ofVisits = [
            "upper and lower case", "a slash at the end", "a path behind the slug", "unknown slugs", "the bare domain",
            "QR codes",
        ]
        #expect(Set(rows) == Set(here + ofRules + ofVisits))
    }
}
