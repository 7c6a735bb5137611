import Foundation
import Testing
import WaymarkArchive
import WaymarkLinks
import WaymarkSQLite
import WaymarkStores

@Suite struct BackupTests {
    private let fixtures: StoreFixtures

    init() throws { fixtures = try StoreFixtures() }

    @Test func `a backup is of one moment while the store is written`() async throws {
        try await fixtures.fill("one", links: 3_000)
        let store = try SQLiteLinkStore(path: fixtures.path("one"))
        let archive = try SQLiteArchive(path: fixtures.path("one"), mode: .reading)
        let before = try fixtures.export("one")
        // Behind each piece that was copied the writing goes on: were the copy to follow, it would hold some of it.
        let writing = Task {
            for number in 0..<200 {
                _ = try await store.create([StoreFixtures.draft("later\(number)")], idempotency: nil)
            }
        }
        var steps = 0
        try archive.copy(into: fixtures.path("copy")) { done in
            #expect(done > 0)
            steps += 1
        }
        archive.close()
        try await writing.value
        await store.close()
        #expect(steps > 0)
        #expect(try fixtures.check("copy").problems.isEmpty)
        let lines = try fixtures.export("copy")
        // Those that were there all stand in the copy, as they were.
        let links = before.filter { $0.starts(with: Array(#"{"link":"#.utf8)) }
        #expect(Set(links).isSubset(of: Set(lines)))
        let reopened = try SQLiteLinkStore(path: fixtures.path("copy"))
        try await reopened.ping()
        await reopened.close()
    }
}
