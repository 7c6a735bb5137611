import Testing
import WaymarkJSON
import WaymarkLinks
import WaymarkSQLite
import WaymarkService
import WaymarkStores

/// What visits leave behind.
@Suite struct ClickRecordTests {
    private static func run(
        _ transportKind: TransportKind, applications: [String] = [SiteFixture.shop],
        _ test: (SiteFixture, SQLiteLinkStore) async throws -> Void
    ) async throws {
        let store = try SQLiteLinkStore(path: ":memory:")
        try await SiteFixture.run(transportKind, applications: applications, store: store) {
            try await test($0, store)
        }
    }

    private static func records(_ fixture: SiteFixture, _ store: SQLiteLinkStore) async throws -> [ClickRecord] {
        try await fixture.service.flushRecords()
        let blocks = try await store.blocks(of: LinkID(rawValue: 1), days: 0...100_000, after: nil, limit: 1_000)
        return try blocks.flatMap { try #require($0.contents).records }
    }

    /// The first visit asks the store, the second one decides on the loop, all further ones find their answer ready.
    @Test(arguments: TransportKind.allCases)
    func eachLaneKeepsTheSameOfAClick(transportKind: TransportKind) async throws {
        try await Self.run(transportKind) { fixture, store in
            let answer = try await fixture.create(
                #"{"urls": {"web": "https://a.example/"}, "campaign": {"name": "autumn"}}"#)
            let slug = try #require(answer["slug"]?.string)
            let fields = [
                ("Accept-Language", "pt-br,pt;q=0.8"), ("Referer", "https://news.example.com/page?who=ana"),
            ]
            for agent in [Agent.windows, Agent.iphone] {
                for _ in 0..<4 {
                    #expect(try await fixture.visit("/\(slug)", as: agent, headers: fields).status == 302)
                }
            }
            let records = try await Self.records(fixture, store)
            #expect(records.count == 8)
            for (platform, device) in [("windows", "desktop"), ("iphone", "phone")] {
                let of = records.filter { $0.profile[.platform] == platform }
                #expect(of.count == 4 && Set(of.map(\.profile)).count == 1 && Set(of.map(\.visitor)).count == 1)
                let record = try #require(of.first)
                #expect(record.visitor != nil && record.isPersons)
                #expect(record.profile[.device] == device)
                #expect(record.profile[.language] == "pt-BR")
                #expect(record.profile[.referrerHost] == "news.example.com")
                #expect(record.profile[.campaign] == "autumn")
                #expect(record.profile[.destination] == "web")
            }
        }
    }

    @Test(arguments: TransportKind.allCases, ["DNT", "Sec-GPC"])
    func eachLaneKeepsNothingOfWhoAsksNotToBeFollowed(transportKind: TransportKind, field: String) async throws {
        try await Self.run(transportKind) { fixture, store in
            let slug = try #require(
                try await fixture.create(#"{"urls": {"web": "https://a.example/"}}"#)["slug"]?.string)
            for _ in 0..<4 {
                _ = try await fixture.visit(
                    "/\(slug)",
                    headers: [(field, "1"), ("Accept-Language", "de"), ("Referer", "https://news.example.com/")])
            }
            let records = try await Self.records(fixture, store)
            #expect(records.count == 4)
            #expect(records.allSatisfy { $0.profile == ClickRecord.Profile() && $0.visitor == nil })
            #expect(records.allSatisfy { $0.time.seconds % 3_600 == 0 })
        }
    }

    /// The strictest level of application and link holds, in each lane.
    @Test(arguments: [
        ("full", "noVisitors", 4), ("noVisitors", "full", 4), ("countOnly", "full", 0), ("noVisitors", "countOnly", 0),
    ])
    func `the level of detail decides what is recorded`(application: String, link: String, count: Int) async throws {
        let shop = SiteFixture.shop.replacing(
            #""name": "Shop","#, with: #""name": "Shop", "clickDetail": "\#(application)","#)
        for transportKind in TransportKind.allCases {
            try await Self.run(transportKind, applications: [shop]) { fixture, store in
                let answer = try await fixture.create(
                    #"{"slug": "a", "urls": {"web": "https://a.example/"}, "clickDetail": "\#(link)"}"#)
                #expect(answer["clickDetail"]?.string == link)
                for _ in 0..<4 { #expect(try await fixture.visit("/a", as: Agent.windows).status == 302) }
                let records = try await Self.records(fixture, store)
                #expect(records.count == count)
                #expect(records.allSatisfy { $0.visitor == nil && $0.profile[.platform] == "windows" })
                try await fixture.service.clicks.flush()
                #expect(try await store.link(LinkID(rawValue: 1))?.clicks == 4)
            }
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `a visit that is not a click leaves no record`(transportKind: TransportKind) async throws {
        let shop = SiteFixture.shop.replacing(
            "\"baseURL\": \"https://go.example.com\",",
            with: "\"baseURL\": \"https://go.example.com\", \"openHost\": \"open.example.com\",")
        try await Self.run(transportKind, applications: [shop]) { fixture, store in
            let slug = try #require(try await fixture.create(SiteFixture.product)["slug"]?.string)
            for _ in 0..<4 {
                _ = try await fixture.visit("/\(slug)", method: "HEAD")
                _ = try await fixture.visit("/\(slug)", headers: [("Sec-Purpose", "prefetch")])
                _ = try await fixture.visit("/\(slug)+")
                _ = try await fixture.visit("/\(slug)?_hk_cid=x", as: Agent.iphone, host: "open.example.com")
                _ = try await fixture.visit("/\(slug)x")
            }
            #expect(try await Self.records(fixture, store).isEmpty)
        }
    }

    @Test(arguments: [
        (#""forwardQuery": true"#, "winter"), (#""forwardQuery": false"#, nil),
        (#""forwardQuery": true, "campaign": {"name": "autumn"}"#, "autumn"),
    ])
    func aClicksOwnCampaignIsKeptWhereItIsPassedOn(_ members: String, _ campaign: String?) async throws {
        try await Self.run(.inProcess) { fixture, store in
            let answer = try await fixture.create(#"{"urls": {"web": "https://a.example/"}, \#(members)}"#)
            let slug = try #require(answer["slug"]?.string)
            for _ in 0..<3 { _ = try await fixture.visit("/\(slug)?utm_campaign=winter&utm_source=mail") }
            let records = try await Self.records(fixture, store)
            #expect(records.map { $0.profile[.campaign] } == Array(repeating: campaign, count: 3))
        }
    }
}
