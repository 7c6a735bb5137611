import Testing
import WaymarkArchive
import WaymarkJSON
import WaymarkLinks
import WaymarkSQLite
import WaymarkService
import WaymarkStores

@Suite struct ClickLinesTests {
    private let fixtures: StoreFixtures

    init() throws { fixtures = try StoreFixtures() }

    private func lines(
        _ format: ClickLines.Format, days: ClosedRange<Int> = 20_700...20_701, of application: String? = nil
    ) throws -> [String] {
        let archive = try SQLiteArchive(path: fixtures.path("one"), mode: .reading)
        defer { archive.close() }
        try archive.beginReading()
        var lines: [String] = []
        var clicks = ClickLines(format, of: try application.map { try #require(ApplicationID($0)) })
        try clicks.run(archive, days: days) { lines.append(String(decoding: $0, as: UTF8.self)) }
        #expect(clicks.unreadable == 0)
        return lines
    }

    @Test func writesEachClickOfTheDaysWithoutItsVisitor() async throws {
        try await fixtures.fill("one")
        try await fixtures.addLongLinkClicks("one")
        let clicks = try lines(.jsonl).map { try JSONValue(parsing: Array($0.utf8)) }
        // Two clicks in each of four blocks a day, one of them of a long link. The deleted link has none.
        #expect(clicks.count == 18)
        let times = clicks.compactMap { $0["at"]?.string }
        #expect(times.map { $0.prefix(10) } == times.map { $0.prefix(10) }.sorted())
        #expect(Set(times.map { $0.prefix(10) }) == ["2026-09-04", "2026-09-05"])
        for click in clicks {
            let names = click.object?.members.map(\.name)
            #expect(names == ["at", "app", "domain", "slug"] + ClickField.allCases.map(\.name))
            #expect(click["app"] == "shop" && click["campaign"] == "autumn \u{1F342}")
        }
        #expect(clicks.count { $0["bot"] == .null } == 9)
        #expect(clicks.count { $0["slug"] == .null } == 2)
        #expect(Set(clicks.compactMap { $0["slug"]?.string }) == ["full", "gift", "fill0", "fill1"])
        #expect(try lines(.jsonl, days: 20_710...30_000) == [])
        #expect(try lines(.jsonl, of: "other") == [])
        #expect(try lines(.jsonl, of: "shop").count == 18)
    }

    @Test func writesCellsThatNoSpreadsheetRuns() async throws {
        try await fixtures.fill("one", clicks: 0)
        let store = try SQLiteLinkStore(path: fixtures.path("one"))
        let gift = try #require(try await store.link(StoreFixtures.host(), StoreFixtures.slug("gift")))
        let time = Timestamp(seconds: 20_700 * Timestamp.secondsOfDay + 61)
        let click = Click(
            link: gift.id, time: time, kind: UserAgent.classify("Mozilla/5.0 (Windows NT 10.0; Win64; x64)"),
            destination: .web, campaign: Click.Name("=1+1,\"x\""), subscriber: 1)
        try await store.append(ClickBatch([click]).blocks(salts: [:]) { 7 }.map(\.block))
        await store.close()
        #expect(
            try lines(.csv) == [
                "at,app,domain,slug,platform,device,browser,inApp,bot,language,country,referrerHost,campaign,"
                    + "destination,rule,variant\r",
                "2026-09-04T00:01:01Z,shop,go.example.com,gift,windows,desktop,,,,,,,\"'=1+1,\"\"x\"\"\",web,,\r",
            ])
    }
}
