import Testing
import WaymarkBytes
import WaymarkJSON
import WaymarkLinks
import WaymarkSQLite
import WaymarkService
import WaymarkStores

@testable import WaymarkSite

/// `GET /api/v1/clicks`.
@Suite struct ClickReportTests {
    /// It is 2026-11-21T10:00:00Z.
    private static let today = 20_778
    private static let iPhone =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1"
    private static let windows =
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"
    private static let bot = "Googlebot/2.1 (+http://www.google.com/bot.html)"

    /// A site whose clicks the test writes down itself.
    private struct Page {
        let fixture: SiteFixture
        let store: SQLiteLinkStore

        func link(_ slug: String, tags: String = "", app: String = "shop") async throws -> Link {
            let answer = try await fixture.create(
                #"{"app": "\#(app)", "slug": "\#(slug)", "title": "T \#(slug)", "tags": [\#(tags)], "urls": {"web": "https://shop.example.com/\#(slug)"}}"#
            )
            let domain = try #require(answer["domain"]?.string.flatMap { HostName($0) })
            let name = try #require(Slug(slug))
            let link = try await store.link(domain, name)
            return try #require(link)
        }

        func click(
            _ link: Link, _ agent: String, second: Int64, visitor: UInt64 = 1, country: String = "DE",
            referrer: String? = nil, campaign: String? = nil
        ) async throws {
            let letters = Array(country.utf8)
            let click = Click(
                link: link.id, time: Timestamp(seconds: second), kind: UserAgent.classify(agent), destination: .web,
                country: CountryCode(letters[0], letters[1]), referrerHost: referrer.map { Click.Name($0) },
                campaign: campaign.map { Click.Name($0) }, subscriber: visitor)
            let salt = try #require(SipHash(key: [UInt8](0..<16)))
            try await store.append(
                ClickBatch([click]).blocks(salts: [Timestamp(seconds: second).day: salt]) {
                    .random(in: 0...(.max))
                }.map(\.block))
        }

        func get(_ query: String, key: String = SiteFixture.adminKey) async throws -> JSONValue {
            let answer = try await fixture.call("GET", "/api/v1/clicks" + query, key: key)
            #expect(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
            return answer.json
        }
    }

    private static func run(_ test: (Page) async throws -> Void) async throws {
        let store = try SQLiteLinkStore(path: ":memory:")
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.shop], store: store) { fixture in
            try await test(Page(fixture: fixture, store: store))
        }
    }

    private static func second(_ day: Int, _ hour: Int64 = 0, _ minute: Int64 = 0) -> Int64 {
        Int64(today + day) * 86_400 + hour * 3_600 + minute * 60
    }

    @Test func `counts all links by day, field and top`() async throws {
        try await Self.run { page in
            let one = try await page.link("one")
            let two = try await page.link("two")
            try await page.click(one, Self.iPhone, second: Self.second(0, 9), visitor: 1, referrer: "a.example.com")
            try await page.click(one, Self.iPhone, second: Self.second(0, 8), visitor: 1, country: "FR")
            try await page.click(two, Self.windows, second: Self.second(0, 7), visitor: 2)
            try await page.click(two, Self.bot, second: Self.second(-1, 7), visitor: 3)
            let answer = try await page.get(
                "?from=2026-11-20&to=2026-11-21&by=platform,country&top=links,referrers,countries,campaigns&compare=previous"
            )
            #expect(answer["total"]?.text() == #"{"people":3,"bots":1,"visitors":2}"#)
            #expect(answer["complete"]?.bool == true)
            #expect(answer["asOf"]?.string != nil)
            let series = try #require(answer["series"]?.array)
            #expect(series.count == 2)
            #expect(
                series[1].text()
                    == #"{"start":"2026-11-21T00:00:00Z","people":3,"bots":0,"visitors":2,"by":{"platform":[{"value":"iphone","people":2,"bots":0},{"value":"windows","people":1,"bots":0}],"country":[{"value":"DE","people":2,"bots":0},{"value":"FR","people":1,"bots":0}]}}"#
            )
            let top = try #require(answer["top"])
            #expect(
                top["links"]?.text()
                    == #"[{"domain":"go.example.com","slug":"one","title":"T one","people":2,"bots":0},{"domain":"go.example.com","slug":"two","title":"T two","people":1,"bots":1}]"#
            )
            #expect(top["countries"]?.array?.first?.text() == #"{"value":"DE","people":2,"bots":1}"#)
            #expect(answer["compared"]?["from"]?.string == "2026-11-18T00:00:00Z")
            #expect(answer["compared"]?["total"]?.text() == #"{"people":0,"bots":0,"visitors":0}"#)
        }
    }

    @Test func `lists addresses that no link has`() async throws {
        try await Self.run { page in
            _ = try await page.link("one")
            let fixture = page.fixture
            for agent in [Self.iPhone, Self.iPhone, Self.bot] {
                #expect(try await fixture.visit("/old?x=1", as: agent).status == 404)
            }
            _ = try await fixture.visit("/rare", as: Self.iPhone)
            _ = try await fixture.visit("/head", as: Self.iPhone, method: "HEAD")
            _ = try await fixture.visit("/one", as: Self.iPhone)
            _ = try await fixture.visit("/old", as: Self.iPhone, host: "nobody.example.com")
            let answer = try await page.get("?top=unknown&interval=total&by=platform")
            #expect(
                answer["top"]?.text()
                    == #"{"unknown":[{"value":"go.example.com/old","people":2,"bots":1},{"value":"go.example.com/rare","people":1,"bots":0}]}"#
            )
            #expect(answer["total"]?["people"]?.integer == 1)
            #expect(try await page.get("?top=unknown&domain=x.example.com")["top"]?.text() == #"{"unknown":[]}"#)
            let refused = try await fixture.call("GET", "/api/v1/clicks?top=unknown&platform=iphone")
            #expect(refused.status == 422)
        }
    }

    @Test(arguments: [
        ("", 4), ("&app=shop", 4), ("&app=other", 0), ("&domain=go.example.com", 4), ("&domain=x.example.com", 0),
        ("&tag=t", 3), ("&tag=t&tag=u", 4), ("&tag=none-has-it", 0), ("&link=go.example.com/one", 3),
        ("&link=go.example.com/one&link=go.example.com/two", 4), ("&link=go.example.com/two&tag=t", 0),
        ("&campaign=spring", 2), ("&campaign=spring&campaign=none", 4), ("&platform=iphone", 3),
        ("&platform=iphone&country=FR", 1), ("&domain=go.example.com&platform=iphone", 3),
        ("&link=go.example.com/one&platform=iphone", 3), ("&bot=none", 4),
    ])
    func `selects clicks`(filter: String, people: Int) async throws {
        try await Self.run { page in
            let one = try await page.link("one", tags: #""t""#)
            let two = try await page.link("two", tags: #""u""#)
            try await page.click(one, Self.iPhone, second: Self.second(0, 9), campaign: "spring")
            try await page.click(one, Self.iPhone, second: Self.second(0, 8), country: "FR")
            try await page.click(one, Self.iPhone, second: Self.second(-1, 8))
            try await page.click(two, Self.windows, second: Self.second(-1, 7), campaign: "spring")
            for interval in ["total", "day", "hour"] {
                let answer = try await page.get("?from=2026-11-20&to=2026-11-21&interval=\(interval)" + filter)
                #expect(answer["total"]?["people"]?.integer == people, "\(interval)")
                let sum = answer["series"]?.array?.reduce(0) { $0 + ($1["people"]?.integer ?? 0) }
                #expect(sum == people, "\(interval)")
            }
        }
    }

    @Test(arguments: [
        ("Europe/Berlin", ["2026-11-19T23:00:00Z", "2026-11-20T23:00:00Z"], [1, 1]),
        ("Asia/Kolkata", ["2026-11-19T18:30:00Z", "2026-11-20T18:30:00Z"], [0, 2]),
        ("UTC", ["2026-11-20T00:00:00Z", "2026-11-21T00:00:00Z"], [1, 1]),
    ])
    func `days are those of the zone`(zone: String, starts: [String], people: [Int]) async throws {
        try await Self.run { page in
            let link = try await page.link("one")
            try await page.click(link, Self.iPhone, second: Self.second(-1, 18, 31))
            try await page.click(link, Self.iPhone, second: Self.second(0, 0, 5))
            let answer = try await page.get("?from=2026-11-20&to=2026-11-21&timeZone=\(zone)")
            let series = try #require(answer["series"]?.array)
            #expect(series.compactMap { $0["start"]?.string } == starts)
            #expect(series.compactMap { $0["people"]?.integer } == people)
            #expect(answer["timeZone"]?.string == zone)
        }
    }

    @Test func `a deleted link's clicks stay in the application's total`() async throws {
        try await Self.run { page in
            let one = try await page.link("one", tags: #""t""#)
            let two = try await page.link("two", tags: #""t""#)
            try await page.click(one, Self.iPhone, second: Self.second(0, 9))
            try await page.click(two, Self.iPhone, second: Self.second(0, 9))
            let deletion = try await page.fixture.call(
                "DELETE", "/api/v1/links/go.example.com/one", key: SiteFixture.adminKey)
            #expect(deletion.status == 204)
            let all = try await page.get("")
            #expect(all["total"]?["people"]?.integer == 2)
            #expect(all["complete"]?.bool == true)
            for query in ["?tag=t", "?top=links", "?link=go.example.com/one&link=go.example.com/two"] {
                let answer = try await page.get(query)
                #expect(answer["complete"]?.bool == false, "\(query)")
                #expect(answer["total"]?["people"]?.integer == (query == "?top=links" ? 2 : 1), "\(query)")
            }
            #expect(try await page.get("?top=links")["top"]?["links"]?.array?.count == 1)
        }
    }

    @Test(arguments: [
        ("?by=platform,platform", "by"), ("?by=platform,x", "by"), ("?by=platform,device,browser,inApp,bot", "by"),
        ("?top=x", "top"), ("?interval=week", "interval"), ("?timeZone=Mars/Base", "timeZone"),
        ("?timeZone=../etc/passwd", "timeZone"), ("?compare=never", "compare"), ("?link=one", "link"),
        ("?app=-", "app"), ("?domain=", "domain"), ("?from=x", "from"), ("?from=2026-11-21&to=2026-11-20", "from"),
        ("?from=2020-01-01&to=2026-01-01", "from"), ("?country=Germany", "country"), ("?unknown=1", "unknown"),
        ("?format=csv&top=links,countries", "format"), ("?platform=iphone&platform=ipad", "platform"),
    ])
    func `names the parameter that is wrong`(query: String, field: String) async throws {
        try await Self.run { page in
            let answer = try await page.fixture.call("GET", "/api/v1/clicks" + query, key: SiteFixture.adminKey)
            #expect(answer.status == 422)
            let fields = answer.json["errors"]?.array?.compactMap { $0["field"]?.string }
            #expect(fields == [field])
        }
    }

    @Test(arguments: [
        ("", "start,people,bots,visitors\r\n2026-11-21,1,0,1\r\n"),
        ("&by=platform", "start,platform,people,bots\r\n2026-11-21,iphone,1,0\r\n"),
        (
            "&by=platform,browser",
            "start,field,value,people,bots\r\n2026-11-21,platform,iphone,1,0\r\n"
                + "2026-11-21,browser,safari,1,0\r\n"
        ),
        ("&top=links", "domain,slug,title,people,bots\r\ngo.example.com,one,T one,1,0\r\n"),
        ("&top=referrers", "value,people,bots\r\na.example.com,1,0\r\n"),
    ])
    func `answers in CSV`(query: String, table: String) async throws {
        try await Self.run { page in
            let link = try await page.link("one")
            try await page.click(link, Self.iPhone, second: Self.second(0, 9), referrer: "a.example.com")
            let answer = try await page.fixture.call(
                "GET", "/api/v1/clicks?from=2026-11-21&to=2026-11-21&format=csv" + query, key: SiteFixture.adminKey)
            #expect(answer.status == 200)
            #expect(String(decoding: answer.body, as: UTF8.self) == table)
        }
    }

    @Test func `summaries of past days change no report`() async throws {
        try await Self.run { page in
            var links: [Link] = []
            for number in 0..<60 { links.append(try await page.link("s\(number)")) }
            var random = UInt64(3)
            for number in 0..<600 {
                random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                try await page.click(
                    links[Int(random >> 33) % 60], number % 9 == 0 ? Self.bot : Self.iPhone,
                    second: Self.second(-80) + Int64(random >> 35) % (80 * 86_400), visitor: random >> 40 & 63,
                    country: number % 4 == 0 ? "FR" : "DE", campaign: number % 5 == 0 ? nil : "c\(number % 7)")
            }
            let service = page.fixture.service
            func answers() async throws -> [String] {
                var answers: [String] = []
                for query in [
                    "?from=2026-09-02&to=2026-11-21&by=country,platform&top=links,countries,campaigns",
                    "?from=2026-10-01&to=2026-10-30&interval=total&top=links&app=shop",
                    "?from=2026-10-01&to=2026-10-30&interval=day&country=FR",
                    "?from=2026-11-01&to=2026-11-20&by=campaign&timeZone=Asia/Kolkata",
                    "?from=2026-11-01T05:15:00Z&to=2026-11-20&interval=total&by=campaign",
                    "?from=2026-10-25&to=2026-11-20&interval=hour&top=links",
                ] { answers.append(try await page.get(query).text()) }
                return answers
            }
            let plain = try await answers()
            let summarizer = ClickSummarizer(
                store: page.store.clickTotals, randomBytes: { [UInt8](repeating: 1, count: $0) })
            let made = try await summarizer.run(
                [try #require(ApplicationID("shop"))], days: 0..<Self.today - 1, hasTime: { true })
            // Two of each day, and those of 4, 16 and 64 days.
            #expect(made > 170)
            #expect(try await answers() == plain)
            // A late click counts at once, and a deleted link is left out.
            try await page.click(links[7], Self.iPhone, second: Self.second(-30), visitor: 99)
            let late = try await answers()
            #expect(late != plain)
            #expect(try await service.find(links[7].id) != nil)
            try await summarizer.run(
                [try #require(ApplicationID("shop"))], days: 0..<Self.today - 1, hasTime: { true })
            #expect(try await answers() == late)
            #expect(try await page.fixture.call("DELETE", "/api/v1/links/go.example.com/s7").status == 204)
            let answer = try await page.get("?from=2026-09-02&to=2026-11-21&top=links&interval=total")
            #expect(answer["complete"]?.bool == false)
            let slugs = answer["top"]?["links"]?.array?.compactMap { $0["slug"]?.string } ?? []
            #expect(slugs.count == 50 && !slugs.contains("s7"))
        }
    }

    /// Clicks of a quarter of an hour from 2,000 hosts, and some from one.
    private static func flood(_ page: Page, _ link: Link, second: Int64) async throws {
        var batch = ClickBatch()
        let kind = UserAgent.classify(windows)
        for number in 0..<2_100 {
            let name = number % 21 == 0 ? "often.example" : "h\(number).example"
            batch.add(
                Click(
                    link: link.id, time: Timestamp(seconds: second), kind: kind, destination: .web,
                    referrerHost: Click.Name(name, isVisitors: true)))
        }
        try await page.store.append(batch.blocks(salts: [:]) { .random(in: 0...(.max)) }.map(\.block))
    }

    @Test func `values that are too many are the rest`() async throws {
        try await Self.run { page in
            let link = try await page.link("s")
            for day in [-3, -2] {
                for hour in 0..<11 { try await Self.flood(page, link, second: Self.second(day, Int64(hour))) }
            }
            let whole = 2 * 11 * 2_100
            func check(_ answer: JSONValue) throws {
                #expect(answer["total"]?["people"]?.integer == whole)
                let values = try #require(answer["series"]?.array).flatMap { $0["by"]?.array ?? [] }
                #expect(values.reduce(0) { $0 + ($1["people"]?.integer ?? 0) } == whole)
                #expect(values.contains { $0["rest"]?.bool == true })
                let often = values.filter { $0["value"]?.string == "often.example" }
                #expect(often.reduce(0) { $0 + ($1["people"]?.integer ?? 0) } == Int64(2 * 11 * 100))
                #expect(answer["complete"]?.bool == true)
            }
            let query = "?from=2026-11-17&to=2026-11-20&by=referrerHost&interval=day"
            try check(try await page.get(query))
            let summarizer = ClickSummarizer(
                store: page.store.clickTotals, randomBytes: { [UInt8](repeating: 1, count: $0) })
            try await summarizer.run(
                [try #require(ApplicationID("shop"))], days: 0..<Self.today - 1, hasTime: { true })
            let keys = [-3, -2].map { ClickSummaryKey(span: ClickSummaryKey.applications, day: Self.today + $0) }
            let parts = try #require(try await page.store.clickTotals.summaryParts(of: keys, parts: [0]))
            #expect(parts.count == 2)
            for part in parts {
                let total = try ClickTotal(encoded: part.bytes)
                #expect(total[.field(.referrerHost)].counts.count <= 1_000)
            }
            try check(try await page.get(query))
            #expect(
                try await page.get("?referrerHost=often.example&from=2026-11-17&to=2026-11-20")["complete"]?.bool
                    == false)
            #expect(try await page.get("?country=none&from=2026-11-17&to=2026-11-20")["complete"]?.bool == true)
            // More bytes than allowed.
            let report = try await page.fixture.site.service.report(
                ClickReportQuery(
                    boundaries: [Self.second(-3), Self.second(0)], interval: .total,
                    applications: [try #require(ApplicationID("shop"))]), byteLimit: 1_000)
            #expect(report == nil)
        }
    }

    @Test func `values that were not recorded are the rest`() async throws {
        try await Self.run { page in
            let link = try await page.link("s")
            try await page.click(link, Self.windows, second: Self.second(-1), referrer: ClickField.rest)
            try await page.click(link, Self.windows, second: Self.second(-1), referrer: "a.example")
            let rest = #"{"rest":true,"people":1,"bots":0}"#
            for query in [
                "?from=2026-11-20&to=2026-11-20&by=referrerHost",
                "?from=2026-11-20&to=2026-11-20&by=referrerHost&link=go.example.com/s",
            ] {
                let answer = try await page.get(query)
                #expect(answer["series"]?.array?.first?["by"]?.array?.last?.text() == rest)
                #expect(answer["complete"]?.bool == true)
            }
            let answer = try await page.get(
                "?from=2026-11-20&to=2026-11-20&referrerHost=b.example&link=go.example.com/s")
            #expect(answer["complete"]?.bool == false)
            let ofLink = try await page.fixture.call(
                "GET", "/api/v1/links/go.example.com/s/clicks?from=2026-11-20&by=referrerHost&format=csv")
            #expect(String(decoding: ofLink.body, as: UTF8.self).contains("(rest),1,0"))
        }
    }

    @Test func `totals and records give the same report`() async throws {
        try await Self.run { page in
            var links: [Link] = []
            for number in 0..<6 { links.append(try await page.link("s\(number)")) }
            let agents = [Self.iPhone, Self.windows, Self.bot]
            for number in 0..<300 {
                try await page.click(
                    links[number % 6], agents[number % 3], second: Self.second(-3) + Int64(number) * 937,
                    visitor: UInt64(number % 41), country: number % 4 == 0 ? "FR" : "DE",
                    referrer: number % 5 == 0 ? nil : "h\(number % 7).example.com")
            }
            let start = Self.second(-3)
            for step in [900, 3_600, 86_400] as [Int64] {
                let filters: [[ClickField: Set<String?>]] = [[:], [.country: ["FR"]], [.referrerHost: [nil]]]
                for filter in filters {
                    let fields = filter.keys.first.map { [$0] } ?? [ClickField.platform, .country, .referrerHost]
                    let query = ClickReportQuery(
                        boundaries: Array(stride(from: start, through: start + 3 * 86_400, by: Int(step))),
                        interval: .day, applications: [try #require(ApplicationID("shop"))], filter: filter, by: fields,
                        top: filter.isEmpty ? [.countries, .referrers] : [])
                    let totals = try await page.fixture.site.service.report(query)
                    let counted = try await page.fixture.site.service.reportFromRecords(query)
                    var records = try #require(counted)
                    #expect(query.isAnsweredByTotals)
                    if !filter.isEmpty {
                        // Sketches are those of all clicks.
                        records.visitors = totals?.visitors
                        for index in records.points.indices {
                            records.points[index].visitors = totals?.points[index].visitors
                        }
                    }
                    #expect(totals == records)
                }
            }
        }
    }
}
