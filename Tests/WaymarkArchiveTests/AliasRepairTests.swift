import SealingTestSupport
import Testing
import WaymarkLinks
import WaymarkSQLite
import WaymarkStores

@testable import WaymarkArchive

@Suite struct AliasRepairTests {
    /// As a version without aliases could make it beside one with them.
    @Test func givesAnAddressBackToTheLinkThatHadItFirst() async throws {
        let fixtures = try StoreFixtures()
        try await fixtures.fill("one")
        let path = fixtures.path("one")
        // `full` has the alias `templated`.
        try Tampering(path).run(
            """
            DROP TRIGGER link_slug_changed; UPDATE link SET slug = 'templated' WHERE slug = 'gift';
            CREATE TRIGGER link_slug_changed AFTER UPDATE OF slug, host ON link
            WHEN EXISTS (SELECT 1 FROM link_alias WHERE slug = NEW.slug AND host = NEW.host)
            BEGIN SELECT RAISE(ABORT, ''); END
            """)
        #expect(try fixtures.check("one").problems.count { $0.contains("--repair-aliases") } == 1)
        let archive = try SQLiteArchive(path: path, mode: .alone)
        let report = try AliasRepair(archive).run(at: StoreFixtures.now)
        let change = try #require(report.changes.first)
        #expect(report.changes.count == 1 && change.slug?.text == "templated-2")
        #expect(try AliasRepair(archive).run(at: StoreFixtures.now) == AliasRepair.Report())
        archive.close()
        #expect(try fixtures.check("one").problems == [])
        let store = try SQLiteLinkStore(path: path)
        #expect(try await store.link(change.clash.domain, change.clash.slug)?.id == change.clash.owner)
        let taker = try #require(try await store.link(change.clash.taker))
        #expect(taker.slug.text == "templated-2")
        #expect(try await store.changes(of: taker.id, through: .max, limit: 1).first?.fields == ["slug"])
        #expect(try await store.metadata(of: taker.id) != nil)
        await store.close()
    }

    @Test func namesBothLinksOfAnAddress() async throws {
        let clash = AliasClash(
            domain: try StoreFixtures.host(), slug: try StoreFixtures.slug("a"), owner: LinkID(rawValue: 3),
            taker: LinkID(rawValue: 7))
        #expect(clash.sentence.contains("go.example.com/a is the slug of the link with the id 7"))
        #expect(clash.sentence.contains("earlier slug of the link with the id 3"))
    }
}
