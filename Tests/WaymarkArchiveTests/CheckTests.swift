import Foundation
import SealingTestSupport
import Testing
import WaymarkArchive
import WaymarkLinks
import WaymarkSQLite
import WaymarkStores

@Suite struct CheckTests {
    private let fixtures: StoreFixtures
    private let path: String

    init() throws {
        fixtures = try StoreFixtures()
        path = fixtures.path("one")
    }

    @Test func findsNothingWrongWithAStoreThatIsUsedMeanwhile() async throws {
        try await fixtures.fill("one", links: 700)
        let store = try SQLiteLinkStore(path: path)
        let report = try fixtures.check("one")
        #expect(report.problems.isEmpty)
        #expect(report.links == 703 && report.applications == 1 && report.records == 9)
        #expect(report.clickBlocks == 12 && report.activityDays == 3)
        await store.close()
    }

    @Test(arguments: [
        ("UPDATE link SET content = x'01FF' WHERE slug = 'gift'", "damaged"),
        ("UPDATE link SET redeem_limit = 9 WHERE slug = 'gift'", "redeem limit"),
        ("UPDATE link SET max_clicks = 9 WHERE slug = 'gift'", "maxClicks"),
        ("UPDATE link SET redeemed = 4 WHERE slug = 'gift'", "4 redeems were taken of 3"),
        ("UPDATE link SET reserved = 1001 WHERE slug = 'full'", "1001 clicks are reserved of 1000"),
        ("DELETE FROM link_metadata WHERE link = (SELECT id FROM link WHERE slug = 'gift')", "metadata is missing"),
        ("UPDATE link SET has_metadata = 0 WHERE slug = 'gift'", "metadata that nobody receives"),
        ("UPDATE link_metadata SET metadata = x'00' WHERE link = 2", "no JSON object"),
        ("UPDATE link SET version = 2 WHERE slug = 'full'", "identity"),
        ("UPDATE link SET version = 0 WHERE slug = 'fill1'", "version is 0"),
        ("UPDATE link SET slug = 'api' WHERE slug = 'gift'", "damaged"),
        ("DELETE FROM link_tag WHERE tag = 'autumn'", "is not found by its tag"),
        ("DELETE FROM link_tag WHERE tag LIKE char(1) || 'shop%'", "is not found by its folder"),
        ("UPDATE application_use SET links = 2 WHERE kind = 4", "are counted on"),
        ("UPDATE application_extra SET version = 0", "has the version 0"),
        ("INSERT INTO link_tag SELECT 'more', id FROM link WHERE slug = 'gift'", "tags are stored"),
        ("INSERT INTO link_tag VALUES ('more', 4711)", "belong to links that do not exist"),
        ("DELETE FROM link_alias WHERE slug = 'templated'", "is not found by its alias \"go.example.com/templated\""),
        ("UPDATE link_alias SET link = 1 WHERE slug = 'templated'", "is not found by its alias"),
        ("INSERT INTO link_alias SELECT 'more', host, id FROM link WHERE slug = 'gift'", "aliases are stored"),
        (
            "DROP TRIGGER link_alias_added; INSERT INTO link_alias SELECT 'gift', host, 1 FROM link WHERE slug = 'gift'",
            "visitors get the former; waymark check --repair-aliases"
        ),
        ("DELETE FROM link_folded WHERE slug = 'gift'", "is not found by \"go.example.com/gift\" in another case"),
        (
            "INSERT INTO link_change VALUES (4711, 2, 0, NULL, NULL, 'tags', NULL, NULL)",
            "link_change refers to nothing"
        ),
        ("UPDATE application_use SET links = links + 1 WHERE kind = 1 AND name = 'go.example.com'", "are counted on"),
        ("DELETE FROM application_use WHERE kind = 2", "are counted on"),
        ("UPDATE click_count SET counts = x'00'", "damaged"),
        ("INSERT INTO link_event VALUES (4711, 1, 1)", "link_event refers to nothing"),
        ("UPDATE link SET host = 99 WHERE slug = 'gift'", "damaged"),
        ("UPDATE sqlite_sequence SET seq = 1 WHERE name = 'link'", ""),
        ("UPDATE idempotency SET answer = x'09' WHERE kind = 2", "record 07… is damaged"),
        ("UPDATE click_block SET bytes = x'0101' WHERE number = 5", "they are damaged"),
        ("UPDATE click_block SET day = -1 WHERE number = 5", "-1 days after 1970-01-01"),
        ("UPDATE click_block SET day = 106751991167301 WHERE number = 5", "106751991167301 days after 1970-01-01"),
        ("UPDATE click_block SET day = -106751991167301 WHERE number = 5", "they are damaged"),
        ("UPDATE click_block SET link = 4711 WHERE number = 5", "1 blocks of clicks belong to links that do not exist"),
        (
            "INSERT INTO click_leftover VALUES (4711); INSERT INTO click_block SELECT day, 4711, 5, bytes FROM click_block WHERE number = 5",
            ""
        ),
        ("INSERT INTO link_activity VALUES (4711, 20700, 1, 0, 0, 0, 0, 0, 0)", "link_activity refers to nothing"),
        ("UPDATE link_activity SET day = -1 WHERE day = 20701", "activity of the link with the id 2: its day is -1"),
        ("UPDATE link_activity SET day = 106751991167301 WHERE day = 20701", "its day is 106751991167301"),
        ("UPDATE link_activity SET claims = -1 WHERE day = 20701", "link with the id 2 on the day 20701: a count"),
        ("UPDATE idempotency SET kind = 12 WHERE kind = 4", "is damaged"),
        ("UPDATE api_key SET digest = x'00' WHERE id = 'k1'", "key k1"),
        ("UPDATE host SET name = 'elsewhere.example.com' WHERE name = 'go.example.com'", "not one of the application"),
        ("DELETE FROM application_domain WHERE domain = 'links.example.com'", "names other domains"),
        (
            "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'slug, host', 'host, slug') WHERE name = 'link_address'",
            "the file:"
        ),
    ])
    func findsWhatMustNotBe(change: String, problem: String) async throws {
        try await fixtures.fill("one")
        try Tampering(path).run(change)
        let report = try fixtures.check("one")
        if problem.isEmpty {
            // SQLite looks at the highest id too, and what is left of deleted links goes later: these are harmless.
            #expect(report.problems.isEmpty)
        } else {
            #expect(report.problems.contains { $0.contains(problem) }, "\(report.problems)")
        }
    }

    @Test func namesNoMoreThanPeopleRead() async throws {
        try await fixtures.fill("one", links: 400)
        try Tampering(path).run("UPDATE link SET version = 0 WHERE slug LIKE 'fill%'")
        let report = try fixtures.check("one")
        #expect(report.problems.count == StoreCheck.mostProblems)
        // One of the links has a history besides.
        #expect(report.further == 301)
    }

    @Test func namesTheKeyThatIsMissing() async throws {
        try await fixtures.fill("one", keys: SealingKeys.keys(["a"]))
        let report = try fixtures.check("one")
        #expect(report.problems.first?.contains("the key \"a\" is missing") == true)
        #expect(report.problems.count == 5, "\(report.problems)")
    }

    @Test func findsADamagedPage() async throws {
        try await fixtures.fill("one", links: 2_000)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        for index in 4_096 * 20..<4_096 * 21 { bytes[index] = 0xA5 }
        try bytes.write(to: URL(fileURLWithPath: path))
        do {
            #expect(try !fixtures.check("one").problems.isEmpty)
        } catch let error as StoreError {
            #expect(error == .corrupt("the database file is damaged"))
        }
    }

    @Test func opensNothingThatIsNotThere() throws {
        #expect(throws: StoreError.unavailable("\(path): the file does not exist")) {
            try SQLiteArchive(path: path, mode: .reading)
        }
        #expect(!FileManager.default.fileExists(atPath: path))
        try Data().write(to: URL(fileURLWithPath: path))
        #expect(throws: StoreError.self) { try SQLiteArchive(path: path, mode: .reading) }
    }
}
