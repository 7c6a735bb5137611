import Foundation
import Testing
import WaymarkBytes
import WaymarkJSON
import WaymarkLinks
import WaymarkSQLite
import WaymarkService
import WaymarkStores

/// Periods, days and zones of `GET /api/v1/clicks`. It is 2026-11-21T10:00:00Z.
@Suite struct ClickReportTimeTests {
    private static let iPhone = UserAgent.classify(
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1"
    )

    /// A site with clicks of people at these times.
    private static func run(
        clicks: [String] = [], salted: Set<String> = [], _ test: (SiteFixture) async throws -> Void
    ) async throws {
        let store = try SQLiteLinkStore(path: ":memory:")
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.shop], store: store) { fixture in
            _ = try await fixture.create(#"{"app": "shop", "slug": "s", "urls": {"web": "https://shop.example.com/"}}"#)
            let (host, slug) = (try #require(HostName("go.example.com")), try #require(Slug("s")))
            let found = try await store.link(host, slug)
            let link = try #require(found)
            let times = try clicks.map { try #require(Timestamp(rfc3339: $0)) }
            let batch = ClickBatch(
                times.map { Click(link: link.id, time: $0, kind: iPhone, destination: .web, subscriber: 1) })
            let salt = try #require(SipHash(key: [UInt8](0..<16)))
            let days = try salted.map { (try #require(Timestamp(rfc3339: $0 + "T00:00:00Z")).day, salt) }
            try await store.append(
                batch.blocks(salts: Dictionary(uniqueKeysWithValues: days)) { .random(in: 0...(.max)) }.map(\.block))
            try await test(fixture)
        }
    }

    private static func get(_ fixture: SiteFixture, _ query: String) async throws -> JSONValue {
        let answer = try await fixture.call("GET", "/api/v1/clicks?" + query.replacing("+", with: "%2B"))
        try #require(answer.status == 200, "\(answer.text)")
        return answer.json
    }

    @Test(arguments: [
        // Clocks of Berlin went forward on 29 March and back on 25 October.
        ("from=2026-03-30&to=2026-03-30&timeZone=Europe/Berlin", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"),
        ("from=2026-03-24&to=2026-03-30&timeZone=Europe/Berlin", "2026-03-16T23:00:00Z", "2026-03-23T23:00:00Z"),
        ("from=2026-10-26&to=2026-11-01&timeZone=Europe/Berlin", "2026-10-18T22:00:00Z", "2026-10-25T23:00:00Z"),
        (
            "from=2026-10-26&to=2026-10-26&interval=hour&timeZone=Europe/Berlin", "2026-10-24T22:00:00Z",
            "2026-10-25T23:00:00Z"
        ),
        // At midnight, so that the day starts at 01:00.
        ("from=2026-09-07&to=2026-09-07&timeZone=America/Santiago", "2026-09-06T04:00:00Z", "2026-09-07T03:00:00Z"),
        ("from=2026-09-06&to=2026-09-06&timeZone=America/Santiago", "2026-09-05T04:00:00Z", "2026-09-06T04:00:00Z"),
        // Periods that are not over.
        ("from=2026-11-21&to=2026-11-21", "2026-11-20T00:00:00Z", "2026-11-20T10:15:00Z"),
        ("from=2026-11-21&to=2026-11-21&interval=hour", "2026-11-20T00:00:00Z", "2026-11-20T10:15:00Z"),
        ("from=2026-11-15&interval=total", "2026-11-08T00:00:00Z", "2026-11-14T10:15:00Z"),
        ("from=2026-11-16&to=2026-11-22", "2026-11-09T00:00:00Z", "2026-11-14T10:15:00Z"),
        ("from=2026-10-25&to=2026-11-21&timeZone=Europe/Berlin", "2026-09-26T22:00:00Z", "2026-10-24T09:15:00Z"),
        ("from=2026-11-21&to=2026-11-21&timeZone=Asia/Kathmandu", "2026-11-19T18:15:00Z", "2026-11-20T10:15:00Z"),
        ("from=2026-11-20&to=2026-11-20", "2026-11-19T00:00:00Z", "2026-11-20T00:00:00Z"),
        ("from=2026-12-01&to=2026-12-02", "2026-11-29T00:00:00Z", "2026-12-01T00:00:00Z"),
        // Parts of days.
        (
            "from=2026-11-10T06:00:00Z&to=2026-11-10T12:00:00Z&interval=hour", "2026-11-09T06:00:00Z",
            "2026-11-09T12:00:00Z"
        ),
        (
            "from=2026-03-29T12:00:00Z&to=2026-03-30T12:00:00Z&interval=total&timeZone=Europe/Berlin",
            "2026-03-28T13:00:00Z", "2026-03-29T12:00:00Z"
        ),
    ])
    func `compares with as many days before`(query: String, from: String, to: String) async throws {
        try await Self.run { fixture in
            let compared = try #require(try await Self.get(fixture, query + "&compare=previous")["compared"])
            #expect(compared["from"]?.string == from)
            #expect(compared["to"]?.string == to)
        }
    }

    @Test(arguments: [
        ("from=2026-11-21&to=2026-11-21", "2025-11-21T00:00:00Z", "2025-11-21T10:15:00Z"),
        ("from=2026-03-29&to=2026-03-29&timeZone=Europe/Berlin", "2025-03-28T23:00:00Z", "2025-03-29T23:00:00Z"),
        ("from=2026-04-01&to=2026-04-30&timeZone=Europe/Berlin", "2025-03-31T22:00:00Z", "2025-04-30T22:00:00Z"),
        ("from=2024-02-28&to=2024-02-28", "2023-02-28T00:00:00Z", "2023-03-01T00:00:00Z"),
        ("from=2024-02-29&to=2024-02-29", "2023-02-28T00:00:00Z", "2023-03-01T00:00:00Z"),
        ("from=2025-02-01&to=2025-02-28", "2024-02-01T00:00:00Z", "2024-02-29T00:00:00Z"),
    ])
    func `compares with the dates a year before`(query: String, from: String, to: String) async throws {
        try await Self.run { fixture in
            let compared = try #require(try await Self.get(fixture, query + "&compare=year")["compared"])
            #expect(compared["from"]?.string == from)
            #expect(compared["to"]?.string == to)
        }
    }

    @Test(arguments: [
        ("2026-04-05", "2026-04-04T13:00:00Z", "2026-04-05T13:30:00Z", 25),
        ("2026-10-04", "2026-10-03T13:30:00Z", "2026-10-04T13:00:00Z", 24),
        ("2026-06-01", "2026-05-31T13:30:00Z", "2026-06-01T13:30:00Z", 24),
    ])
    func `hours end with the day`(date: String, from: String, to: String, count: Int) async throws {
        // In the half hour that two days share if hours are not cut.
        try await Self.run(clicks: ["2026-04-05T13:15:00Z", "2026-04-05T13:45:00Z"]) { fixture in
            let zone = "&interval=hour&timeZone=Australia/Lord_Howe"
            let answer = try await Self.get(fixture, "from=\(date)&to=\(date)" + zone)
            #expect(answer["from"]?.string == from)
            #expect(answer["to"]?.string == to)
            #expect(answer["series"]?.array?.count == count)
            #expect(answer["total"]?["people"]?.integer == (date == "2026-04-05" ? 1 : 0))
        }
    }

    @Test func `hours of the next day start with it`() async throws {
        try await Self.run { fixture in
            let query = "from=2026-04-05T12:30:00Z&to=2026-04-05T14:00:00Z&interval=hour&timeZone=Australia/Lord_Howe"
            let series = try await Self.get(fixture, query)["series"]?.array
            #expect(
                series?.compactMap { $0["start"]?.string }
                    == ["2026-04-05T12:00:00Z", "2026-04-05T13:00:00Z", "2026-04-05T13:30:00Z"])
        }
    }

    @Test(arguments: [
        "GMT", "CET", "EST", "EST5EDT", "Japan", "GB", "GB-Eire", "GMT+0", "W-SU", "UTC", "Zulu", "Etc/GMT-14",
        "US/Eastern",
        "America/Argentina/Ushuaia", "Factory",
    ])
    func `takes names of the time zone database`(zone: String) async throws {
        try await Self.run { fixture in
            let answer = try await Self.get(fixture, "timeZone=\(zone)")
            #expect(answer["timeZone"]?.string == zone)
        }
    }

    @Test(arguments: [
        "PST", "IST", "CEST", "GMT%2B3", "gb", "Etc/Unknown", "Etc/GMT%2B99", "SystemV/PST8PDT", "Europe/",
        "Europe/Nowhere",
        "/Berlin", "", "Japan%00", "../Japan",
    ])
    func `refuses other names of zones`(zone: String) async throws {
        try await Self.run { fixture in
            let answer = try await fixture.call("GET", "/api/v1/clicks?timeZone=\(zone)")
            #expect(answer.status == 422)
            #expect(answer.json["errors"]?.array?.compactMap { $0["field"]?.string } == ["timeZone"])
        }
    }

    @Test(arguments: [
        ("interval=day&timeZone=Europe/Berlin&from=2026-11-20&to=2026-11-20", "2026-11-20"),
        ("interval=day&timeZone=America/Los_Angeles&from=2026-11-20&to=2026-11-20", "2026-11-20"),
        ("interval=day&from=2026-11-20&to=2026-11-20", "2026-11-20"),
        (
            "interval=hour&timeZone=Europe/Berlin&from=2026-11-20T08:00:00Z&to=2026-11-20T09:00:00Z",
            "2026-11-20T09:00:00+01:00"
        ),
        (
            "interval=hour&timeZone=America/St_Johns&from=2026-11-20T08:30:00Z&to=2026-11-20T09:30:00Z",
            "2026-11-20T05:00:00-03:30"
        ),
        ("interval=hour&from=2026-11-20T08:00:00Z&to=2026-11-20T09:00:00Z", "2026-11-20T08:00:00Z"),
        ("interval=total&timeZone=Europe/Berlin&from=2026-11-20&to=2026-11-21", "2026-11-20T00:00:00+01:00"),
    ])
    func `dates in CSV are the zone's`(query: String, start: String) async throws {
        try await Self.run(clicks: ["2026-11-20T08:45:00Z"]) { fixture in
            let answer = try await fixture.call("GET", "/api/v1/clicks?format=csv&" + query)
            #expect(answer.text == "start,people,bots,visitors\r\n\(start),1,0,\r\n")
            let byField = try await fixture.call("GET", "/api/v1/clicks?format=csv&by=platform&" + query)
            #expect(byField.text == "start,platform,people,bots\r\n\(start),iphone,1,0\r\n")
        }
    }

    @Test func `visitors of a period are known if those of each day are`() async throws {
        let clicks = ["2026-11-18T08:00:00Z", "2026-11-19T08:00:00Z", "2026-11-19T21:00:00Z", "2026-11-19T23:30:00Z"]
        try await Self.run(clicks: clicks, salted: ["2026-11-19"]) { fixture in
            for (query, visitors) in [
                ("from=2026-11-18&to=2026-11-20", nil), ("from=2026-11-19&to=2026-11-20", 1),
                ("from=2026-11-18&to=2026-11-20&interval=total", nil),
                ("from=2026-11-18&to=2026-11-20&interval=hour", nil),
                ("from=2026-11-19&to=2026-11-20&interval=hour", 1), ("from=2026-11-20&to=2026-11-20", 0),
                // All of 20 November in Berlin is of 19 November in UTC.
                ("from=2026-11-20&to=2026-11-20&timeZone=Europe/Berlin", 1),
            ] as [(String, Int?)] {
                for link in ["", "&link=go.example.com/s"] {
                    let answer = try await Self.get(fixture, query + link)
                    #expect(answer["total"]?["visitors"]?.integer == visitors, "\(query + link)")
                    if query.hasSuffix("total") {
                        #expect(answer["series"]?.array?.first?["visitors"]?.integer == visitors)
                    }
                }
                guard !query.contains("timeZone"), !query.contains("total") else { continue }
                let ofLink = try await fixture.call("GET", "/api/v1/links/go.example.com/s/clicks?" + query)
                #expect(ofLink.json["total"]?["visitors"]?.integer == visitors, "\(query)")
            }
        }
    }

    @Test func `keeps probes apart from unknown addresses`() async throws {
        try await Self.run { fixture in
            for path in ["/apple-touch-icon.png", "/wp-login.php", "/.env", "/.git/config", "/Ads.txt", "/sommer-sale"]
            {
                #expect(try await fixture.visit(path, as: Agent.windows).status == 404)
            }
            let top = try #require(try await Self.get(fixture, "top=unknown,probes")["top"])
            #expect(top["unknown"]?.array?.compactMap { $0["value"]?.string } == ["go.example.com/sommer-sale"])
            let probes = Set(top["probes"]?.array?.compactMap { $0["value"]?.string } ?? [])
            #expect(probes.isSuperset(of: ["go.example.com/apple-touch-icon.png", "go.example.com/wp-login.php"]))
            #expect(!probes.contains("go.example.com/sommer-sale"))
            #expect(try await fixture.call("GET", "/api/v1/clicks?top=probes&platform=iphone").status == 422)
        }
    }
}
