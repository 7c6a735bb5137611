import Foundation
import GRDB
import Testing
import WaymarkLinks
import WaymarkStores
import WaymarkTestSupport

@testable import WaymarkSQLite

/// Slugs and aliases against other programs.
@Suite struct SQLiteUniqueNameTests {
    @Test(arguments: [
        "UPDATE link SET slug = 'old' WHERE slug = 'other'",
        "INSERT INTO link_alias SELECT 'other', host, id FROM link WHERE slug = 'new'",
        "UPDATE link_alias SET slug = 'other'",
    ])
    func refusesAnAddressOfTwoLinksWhateverProgramWrites(statement: String) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("links.sqlite")
        let store = try SQLiteLinkStore(path: path)
        try await SampleLinks.addApplication(to: store)
        let drafts = try ["old", "other"].map { try SampleLinks.draft($0) }
        _ = try await store.create(drafts, idempotency: nil)
        let link = try #require(try await store.link(drafts[0].domain, drafts[0].storedSlug))
        let other = try #require(try await store.link(drafts[1].domain, drafts[1].storedSlug))
        let slug = try #require(Slug("new"))
        _ = try await store.rename(link.id, expecting: nil, to: slug, by: nil, at: link.createdAt)
        let database = try DatabaseQueue(path: path)
        #expect(throws: DatabaseError.self) { try database.write { try $0.execute(sql: statement) } }
        try database.close()
        #expect(try await store.link(link.domain, link.slug)?.id == link.id)
        #expect(try await store.link(other.domain, other.slug) == other)
        await store.close()
    }
}
