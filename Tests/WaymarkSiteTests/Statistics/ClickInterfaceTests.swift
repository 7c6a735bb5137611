import Testing
import WaymarkBytes
import WaymarkJSON
import WaymarkLinks
import WaymarkSQLite
import WaymarkService
import WaymarkStores

/// `GET /api/v1/links/{domain}/{slug}/clicks`.
@Suite struct ClickInterfaceTests {
    /// A site with one link, whose clicks the test writes down itself. It is 2026-11-21T10:00:00Z.
    private struct Page {
        let fixture: SiteFixture
        let store: SQLiteLinkStore
        let link: LinkID
        let path: String

        static let today = 20_778

        init(_ fixture: SiteFixture, _ store: SQLiteLinkStore) async throws {
            self.fixture = fixture
            self.store = store
            let answer = try await fixture.create(
                #"{"app": "shop", "urls": {"web": "https://shop.example.com/page"}}"#)
            let slug = try #require(answer["slug"]?.string)
            let domain = try #require(HostName("go.example.com"))
            let name = try #require(Slug(slug))
            link = try #require(try await store.link(domain, name)).id
            path = "/api/v1/links/go.example.com/\(slug)/clicks"
        }

        func get(
            _ query: String = "", key: String = SiteFixture.adminKey, headers: [(String, String)] = []
        ) async throws -> TestAnswer {
            try await fixture.call("GET", path + query, key: key, headers: headers)
        }

        /// Writes down one click for each, as one block.
        func write(
            day: Int, number: Int64 = 1,
            _ clicks: [(hour: Int64, agent: String, visitor: UInt64, campaign: String?, referrer: String?)]
        ) async throws {
            let taken = clicks.map { click in
                Click(
                    link: link, time: Timestamp(seconds: Int64(day) * 86_400 + click.hour * 3_600),
                    kind: UserAgent.classify(click.agent), destination: .web, country: CountryCode(0x44, 0x45),
                    language: LanguageTag("de-CH"), referrerHost: click.referrer.map { Click.Name($0) },
                    campaign: click.campaign.map { Click.Name($0) }, subscriber: click.visitor)
            }
            let salt = try #require(SipHash(key: [UInt8](0..<16)))
            try await store.append(ClickBatch(taken).blocks(salts: [day: salt]) { number }.map(\.block))
        }
    }

    private static func run(
        _ transportKind: TransportKind = .inProcess, applications: [String] = [SiteFixture.shop],
        _ test: (Page) async throws -> Void
    ) async throws {
        let store = try SQLiteLinkStore(path: ":memory:")
        try await SiteFixture.run(transportKind, applications: applications, store: store) { fixture in
            try await test(Page(fixture, store))
        }
    }

    private static func writeSome(_ page: Page) async throws {
        try await page.write(
            day: Page.today,
            [
                (8, Agent.iphone, 1, "autumn", "news.example.com"), (9, Agent.iphone, 1, "autumn", nil),
                (9, Agent.windows, 2, "=SUM(A1)", nil), (9, Agent.crawler, 3, nil, nil),
            ])
        try await page.write(day: Page.today - 2, [(23, Agent.windows, 2, nil, "blog.example.com")])
    }

    private static func counts(_ value: JSONValue?) -> [Int?] {
        ["people", "bots", "visitors"].map { value?[$0]?.integer }
    }

    // MARK: Answers

    @Test(arguments: TransportKind.allCases)
    func answersTheLastThirtyDays(transportKind: TransportKind) async throws {
        try await Self.run(transportKind) { page in
            try await Self.writeSome(page)
            let answer = try await page.get()
            #expect(answer.status == 200)
            #expect(answer[header: "Content-Type"] == "application/json")
            #expect(answer.json["from"]?.string == "2026-10-23T00:00:00Z")
            #expect(answer.json["to"]?.string == "2026-11-22T00:00:00Z")
            #expect(answer.json["interval"]?.string == "day")
            #expect(answer.json["timeZone"]?.string == "UTC")
            #expect(answer.json["by"] == .null)
            #expect(Self.counts(answer.json["total"]) == [4, 1, 3])
            let series = try #require(answer.json["series"]?.array)
            #expect(series.count == 30)
            #expect(series.last?["start"]?.string == "2026-11-21T00:00:00Z")
            #expect(Self.counts(series[29]) == [3, 1, 2])
            #expect(Self.counts(series[28]) == [0, 0, 0])
            #expect(Self.counts(series[27]) == [1, 0, 1])
            #expect(series[29]["by"] == nil)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func countsVisitsUpToTheRequest(transportKind: TransportKind) async throws {
        try await Self.run(transportKind) { page in
            let slug = try #require(page.path.split(separator: "/").dropLast().last)
            let fixture = page.fixture
            for (agent, headers) in [
                (
                    Agent.windows,
                    [("Referer", "https://News.example.com/story?id=7"), ("Accept-Language", "de-CH, en")]
                ),
                (Agent.windows, []), (Agent.android, []), (Agent.windows, [("DNT", "1")]), (Agent.crawler, []),
            ] {
                let visit = try await fixture.visit("/\(slug)", as: agent, headers: headers)
                #expect(visit.status == 302)
            }
            let answer = try await page.get("?by=platform&bot=none")
            #expect(Self.counts(answer.json["total"]) == [4, 0, 2])
            let platforms = try #require(answer.json["series"]?.array?.last?["by"]?.array)
            #expect(platforms.map { $0["value"]?.string } == ["windows", nil, "android"])
            #expect(platforms.map { $0["people"]?.integer } == [2, 1, 1])
            for (query, counts) in [
                ("", [4, 1, 2]), ("?platform=none", [1, 0, nil]),
                ("?referrerHost=news.example.com&language=de-CH&destination=web&browser=chrome", [1, 0, 1]),
            ] {
                let total = try await page.get(query).json["total"]
                #expect(Self.counts(total) == counts, "\(query)")
            }
        }
    }

    @Test func answersHoursOfWhateverOffset() async throws {
        try await Self.run { page in
            try await Self.writeSome(page)
            let answer = try await page.get(
                "?interval=hour&from=2026-11-21T10:30:00%2B02:00&to=2026-11-21T10:00:00Z&by=platform")
            #expect(answer.json["from"]?.string == "2026-11-21T08:00:00Z")
            #expect(answer.json["to"]?.string == "2026-11-21T10:00:00Z")
            let series = try #require(answer.json["series"]?.array)
            #expect(series.map { Self.counts($0) } == [[1, 0, 1], [2, 1, 2]])
            let values = try #require(series[1]["by"]?.array)
            let names = values.compactMap { $0["value"]?.string }
            #expect(names.contains("iphone") && names.contains("windows"))
            #expect(values.reduce(0) { $0 + ($1["people"]?.integer ?? 0) } == 2)
        }
    }

    @Test(arguments: [
        ("platform=iphone", 2), ("platform=iphone&campaign=autumn", 2), ("campaign=none&bot=none", 1),
        ("country=DE", 4), ("country=de", 4), ("country=FR", 0), ("language=de-CH", 4), ("language=DE-ch", 4),
        ("referrerHost=News.Example.COM", 1), ("referrerHost=none", 2), ("bot=preview", 0), ("device=phone", 2),
        ("destination=web", 4), ("inApp=none", 4), ("campaign=%3DSUM(A1)", 1),
        ("from=2026-11-21&to=2026-11-21", 3), ("from=2026-11-19&to=2026-11-20", 1), ("from=2026-11-20", 3),
        ("to=2026-11-20", 1), ("from=2026-11-22", 0), ("to=2020-01-01", 0),
    ])
    func countsWhatIsAskedFor(query: String, people: Int) async throws {
        try await Self.run { page in
            try await Self.writeSome(page)
            let answer = try await page.get("?" + query)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.json["total"]?["people"]?.integer == people)
        }
    }

    /// The time up to `to` is answered, whether it has passed or not.
    @Test(arguments: [
        ("from=2026-11-20&to=2026-11-25", "2026-11-20T00:00:00Z", "2026-11-26T00:00:00Z", [0, 3, 0, 0, 0, 0]),
        ("from=2026-11-23&to=2026-11-24", "2026-11-23T00:00:00Z", "2026-11-25T00:00:00Z", [0, 0]),
        (
            "from=2026-11-21T09:00:00Z&to=2026-11-21T12:30:00Z&interval=hour", "2026-11-21T09:00:00Z",
            "2026-11-21T13:00:00Z", [2, 0, 0, 0]
        ),
        ("from=9999-12-30&to=9999-12-30", "9999-12-30T00:00:00Z", "9999-12-31T00:00:00Z", [0]),
    ])
    func answersDaysToCome(query: String, from: String, to: String, people: [Int]) async throws {
        try await Self.run { page in
            try await Self.writeSome(page)
            let answer = try await page.get("?" + query)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.json["from"]?.string == from)
            #expect(answer.json["to"]?.string == to)
            #expect(answer.json["series"]?.array?.map { $0["people"]?.integer } == people)
            #expect(answer.json["total"]?["people"]?.integer == people.reduce(0, +))
        }
    }

    @Test(arguments: [
        ("from=2026-11-21&to=2027-12-25", 200), ("from=2026-11-21&to=2027-12-26", 422),
        ("from=2026-11-21&to=2026-12-21&interval=hour", 200), ("from=2026-11-21&to=2026-12-22&interval=hour", 422),
    ])
    func limitsDaysToComeLikeOthers(query: String, status: Int) async throws {
        try await Self.run { page in
            let answer = try await page.get("?" + query)
            #expect(answer.status == status, "\(answer.text)")
        }
    }

    @Test func answersTheSameNumbersAsATable() async throws {
        try await Self.run { page in
            try await Self.writeSome(page)
            let query = "?from=2026-11-20&to=2026-11-21"
            let table = "start,people,bots,visitors\r\n2026-11-20,0,0,0\r\n2026-11-21,3,1,2\r\n"
            for (more, accept) in [
                ("&format=csv", "application/json"), ("", "text/csv"), ("", "text/csv;q=0.9, */*;q=0.1"),
            ] {
                let answer = try await page.get(query + more, headers: [("Accept", accept)])
                #expect(answer.status == 200)
                #expect(answer[header: "Content-Type"] == "text/csv; charset=utf-8; header=present")
                #expect(answer[header: "X-Content-Type-Options"] == "nosniff")
                #expect(answer.text == table)
            }
            for accept in ["application/json", "*/*", "text/csv, application/json"] {
                let answer = try await page.get(query, headers: [("Accept", accept)])
                #expect(answer[header: "Content-Type"] == "application/json", "\(accept)")
            }
            let document = try await page.get(query + "&format=json", headers: [("Accept", "text/csv")])
            #expect(document.json["total"] != nil)
            let campaigns = try await page.get(query + "&by=campaign&format=csv").text
            #expect(campaigns.contains("\r\n2026-11-21,'=SUM(A1),1,0\r\n"))
            #expect(campaigns.contains("\r\n2026-11-21,autumn,2,0\r\n"))
            #expect(campaigns.contains("\r\n2026-11-21,(none),0,1\r\n"))
        }
    }

    @Test func answersHEADAsGET() async throws {
        try await Self.run { page in
            let path = page.path
            let good = try await page.fixture.call("HEAD", path)
            #expect(good.status == 200)
            let bad = try await page.fixture.call("HEAD", path + "?by=nothing")
            #expect(bad.status == 422)
        }
    }

    // MARK: ErrorResponses

    @Test(arguments: [
        ("from=yesterday", ["from"]), ("to=2026-11-31", ["to"]), ("from=2026-11-21T10:00:00", ["from"]),
        ("from=", ["from"]), ("from=2026-11-21&from=2026-11-20", ["from"]),
        ("from=2026-11-22&to=2026-11-21", ["from"]), ("from=2026-11-21T10:00:00Z&to=2026-11-21T10:00:00Z", ["from"]),
        ("from=2020-01-01", ["from"]), ("from=2026-10-01&to=2026-11-20&interval=hour", ["from"]),
        ("interval=week", ["interval"]), ("interval=", ["interval"]), ("by=colour", ["by"]), ("by=", ["by"]),
        ("format=xml", ["format"]), ("platform=ios%2Fiphone", ["platform"]), ("platform=iPhone", ["platform"]),
        ("device=toaster", ["device"]), ("browser=", ["browser"]), ("inApp=x", ["inApp"]), ("bot=true", ["bot"]),
        ("language=1", ["language"]), ("country=DEU", ["country"]), ("country=XX", ["country"]),
        ("referrerHost=a%20b", ["referrerHost"]), ("destination=moon", ["destination"]),
        ("plattform=iphone", ["plattform"]),
        ("from=x&to=y&interval=z&by=w&platform=v", ["by", "from", "interval", "platform", "to"]),
        ("platform=iphone&platform=ipad", ["platform"]), ("from=0000-01-01&to=9999-12-31", ["from"]),
    ])
    func namesEverythingThatIsWrongAtOnce(query: String, fields: [String]) async throws {
        try await Self.run { page in
            let answer = try await page.get("?" + query)
            #expect(answer.status == 422)
            #expect(answer.fields == fields, "\(answer.text)")
        }
    }

    @Test func answersOnlyWhoMaySeeTheLink() async throws {
        try await Self.run(applications: [SiteFixture.shop, SiteFixture.news]) { page in
            let fixture = page.fixture
            for (scope, app, status) in [("links", "shop", 200), ("links", "news", 404), ("resolve", "shop", 403)] {
                let key = try await fixture.key([scope], app: app)
                let answer = try await page.get(key: key)
                #expect(answer.status == status, "\(scope) of \(app)")
            }
            let anonymous = try await fixture.call("GET", page.path, key: nil)
            #expect(anonymous.status == 401)
            for path in ["go.example.com/nobody", "other.example.com/nobody", "go.example.com/.bad"] {
                let answer = try await fixture.call("GET", "/api/v1/links/\(path)/clicks?by=x")
                #expect(answer.status == 404, "\(path)")
            }
        }
    }

    @Test(arguments: [("", true), ("?from=2025-01-01&to=2025-01-10", false)])
    func `clicks are incomplete where records are gone`(query: String, isComplete: Bool) async throws {
        try await Self.run { page in
            try await Self.writeSome(page)
            let answer = try await page.get(query)
            #expect(answer.json["complete"]?.bool == isComplete)
        }
    }

    @Test func asksForAShorterTimeWhereThereAreTooManyClicks() async throws {
        try await Self.run { page in
            try await Self.writeSome(page)
            let to = Timestamp(seconds: Int64(Page.today + 1) * 86_400)
            let selection = try #require(
                ClickSelection(from: to.advanced(byMilliseconds: -10 * 86_400_000), to: to, interval: .day))
            let few = try await page.fixture.service.clicks(of: page.link, selection, limit: 4)
            #expect(few == nil)
            let all = try await page.fixture.service.clicks(of: page.link, selection, limit: 5)
            #expect(all?.count.people == 4)
        }
    }

    @Test func countsMoreBlocksThanOnePageHolds() async throws {
        try await Self.run { page in
            for day in [Page.today - 1, Page.today] {
                for number in 0..<200 {
                    try await page.write(
                        day: day, number: Int64(number), [(8, Agent.windows, UInt64(number), nil, nil)])
                }
            }
            let answer = try await page.get("?by=device")
            #expect(Self.counts(answer.json["total"]) == [400, 0, 400])
        }
    }

    @Test func forgetsTheClicksWithTheLink() async throws {
        try await Self.run { page in
            try await Self.writeSome(page)
            let link = String(page.path.dropLast("/clicks".count))
            let deletion = try await page.fixture.call("DELETE", link)
            #expect(deletion.status == 204)
            let answer = try await page.get()
            #expect(answer.status == 404)
            let blocks = try await page.store.blocks(of: page.link, days: 0...100_000, after: nil, limit: 9)
            #expect(blocks.isEmpty)
        }
    }

    @Test func saysWhenTheStoreIsAwayOrDamaged() async throws {
        let store = try FaultyStore(seed: 3)
        try await SiteFixture.run(.inProcess, store: store) { fixture in
            let page = try await Page(fixture, store.inner)
            try await store.inner.append([
                ClickBlock(key: ClickBlock.Key(link: page.link, day: Page.today, number: 1), bytes: [9])
            ])
            let damaged = try await page.get()
            #expect(damaged.status == 500)
            await store.inner.close()
            let away = try await page.get()
            #expect(away.status == 503)
        }
    }
}
