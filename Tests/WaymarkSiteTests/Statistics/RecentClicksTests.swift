import Testing
import WaymarkBytes
import WaymarkJSON
import WaymarkLinks
import WaymarkMetrics
import WaymarkSQLite
import WaymarkService
import WaymarkStores

/// `GET /api/v1/links?include=recentClicks`. It is 2026-11-21T10:00:00Z.
@Suite struct RecentClicksTests {
    private static let today = 20_778

    private static func write(_ store: SQLiteLinkStore, _ slug: String, day: Int, _ agents: [String]) async throws {
        let found = try await store.link(try #require(HostName("go.example.com")), try #require(Slug(slug)))
        let link = try #require(found).id
        let clicks = agents.enumerated().map { index, agent in
            Click(
                link: link, time: Timestamp(seconds: Int64(day) * 86_400 + 3_600), kind: UserAgent.classify(agent),
                destination: .web, subscriber: UInt64(index))
        }
        let salt = try #require(SipHash(key: [UInt8](0..<16)))
        try await store.append(ClickBatch(clicks).blocks(salts: [day: salt]) { 1 }.map(\.block))
    }

    private static func run(_ test: (SiteFixture, SQLiteLinkStore) async throws -> Void) async throws {
        let store = try SQLiteLinkStore(path: ":memory:")
        try await SiteFixture.run(.inProcess, store: store) { fixture in
            for slug in ["quiet", "old", "busy"] {
                _ = try await fixture.create(#"{"slug": "\#(slug)", "urls": {"web": "https://shop.example.com/"}}"#)
            }
            try await test(fixture, store)
        }
    }

    @Test func `a page has people's clicks of each day`() async throws {
        try await Self.run { fixture, store in
            try await Self.write(store, "busy", day: Self.today, [Agent.iphone, Agent.windows, Agent.crawler])
            try await Self.write(store, "busy", day: Self.today - 29, [Agent.iphone])
            try await Self.write(store, "busy", day: Self.today - 30, [Agent.iphone, Agent.iphone])
            try await Self.write(store, "old", day: Self.today - 2, [Agent.iphone])
            try await Self.write(store, "old", day: Self.today - 1, [Agent.crawler])
            let answer = try await fixture.call("GET", "/api/v1/links?include=recentClicks")
            #expect(answer.json["links"]?.array?.map { $0["slug"]?.string } == ["busy", "old", "quiet"])
            let recent = try #require(answer.json["recentClicks"], "\(answer.text)")
            #expect(recent["from"] == "2026-10-23" && recent["to"] == "2026-11-21")
            #expect(recent["timeZone"] == "UTC" && recent["complete"] == true)
            let links = try #require(recent["links"]?.array)
            let people = links.map { ($0["people"]?.array ?? []).map { $0.integer ?? -1 } }
            func days(_ clicks: [Int: Int]) -> [Int] { (0..<30).map { clicks[$0] ?? 0 } }
            #expect(people == [days([0: 1, 29: 2]), days([27: 1]), days([:])])
            #expect(links.map { $0["lastClicked"]?.string } == ["2026-11-21", "2026-11-19", nil])
        }
    }

    @Test func `a page without links has no clicks`() async throws {
        try await Self.run { fixture, _ in
            let answer = try await fixture.call("GET", "/api/v1/links?include=recentClicks&tag=none")
            #expect(answer.json["recentClicks"]?["links"]?.array?.isEmpty == true, "\(answer.text)")
            #expect(try await fixture.call("GET", "/api/v1/links").json["recentClicks"] == nil)
            #expect(try await fixture.call("GET", "/api/v1/links?include=").json["recentClicks"] == nil)
            for query in ["include=clicks", "include=recentClicks&include=recentClicks"] {
                #expect(try await fixture.call("GET", "/api/v1/links?\(query)").status == 422, "\(query)")
            }
        }
    }

    @Test func `the clicks of a page are one read`() async throws {
        try await Self.run { fixture, store in
            let links = (0..<197).map { #"{"slug": "l\#($0)", "urls": {"web": "https://shop.example.com/"}}"# }
            let made = try await fixture.call("POST", "/api/v1/links:batch", "[\(links.joined(separator: ","))]")
            #expect(made.status == 200, "\(made.text)")
            func count() -> Int {
                store.metrics.durationsByOperation.first { $0.operation == .clickTotals }?.metrics.count ?? 0
            }
            func reads(_ limit: Int) async throws -> Int {
                let before = count()
                let answer = try await fixture.call("GET", "/api/v1/links?include=recentClicks&limit=\(limit)")
                #expect(answer.json["recentClicks"]?["links"]?.array?.count == limit)
                return count() - before
            }
            let one = try await reads(1)
            #expect(one > 0)
            #expect(try await reads(200) == one)
        }
    }
}
