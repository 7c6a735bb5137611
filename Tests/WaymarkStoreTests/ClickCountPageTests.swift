import LinkStoreContract
import Testing
import WaymarkLinks
import WaymarkStores
import WaymarkTestSupport

@testable import WaymarkSQLite

/// Counts of links that share a row of the table.
@Suite struct ClickCountPageTests {
    private let folder: TemporaryFolder
    private let store: SQLiteLinkStore

    init() async throws {
        folder = try TemporaryFolder()
        store = try SQLiteLinkStore(path: ":memory:")
        try await SampleLinks.add(130, to: store)
    }

    private func clicks(_ id: Int64) async throws -> Int? { try await store.link(LinkID(rawValue: id))?.clicks }

    @Test func neighboursKeepTheirCountsApart() async throws {
        let counts = (1...130).map { (id: LinkID(rawValue: $0), count: Int($0) * 1_000_003) }
        try await store.addClicks(ClickCounts(rising: counts[...]))
        try await store.addClicks([LinkID(rawValue: 63): .max, LinkID(rawValue: 64): 1, LinkID(rawValue: 127): 0])
        for (id, count) in counts {
            let expected = id.rawValue == 63 ? Int.max : id.rawValue == 64 ? count + 1 : count
            #expect(try await clicks(id.rawValue) == expected)
        }
        let listed = try await store.list(LinkListing(limit: 200)).links
        #expect(listed.first { $0.id.rawValue == 128 }?.clicks == 128 * 1_000_003)
    }

    @Test func aLinkBeginsAtNothingWhateverWasCountedBefore() async throws {
        try await store.addClicks([LinkID(rawValue: 130): 1, LinkID(rawValue: 131): 5, LinkID(rawValue: 9_000): 5])
        _ = try await store.create([SampleLinks.draft("next")], idempotency: nil)
        #expect(try await clicks(131) == 0)
        #expect(try await clicks(130) == 1)
    }

    @Test func aDeletedLinksCountGoesWithIt() async throws {
        try await store.addClicks([LinkID(rawValue: 70): 3, LinkID(rawValue: 71): 4])
        #expect(try await store.delete(LinkID(rawValue: 70), expecting: nil) == .deleted)
        let stored = try await store.read { database in
            try database.rows("SELECT counts FROM click_count") { try $0.bytes(0) }
        }
        #expect(stored.map { $0.filter { $0 != 0 } } == [[4]])
    }

    /// What comes late for a deleted link is left over under its id, which only an import gives again.
    @Test(arguments: [0, 3])
    func anImportSaysWhatTheCountIs(_ count: Int) async throws {
        let path = folder.path("links.sqlite")
        let file = try SQLiteLinkStore(path: path)
        try await SampleLinks.add(1, to: file)
        let id = LinkID(rawValue: 1)
        try await file.addClicks([id: count])
        let archive = try SQLiteArchive(path: path, mode: .beside)
        guard case .link(let archived) = try archive.links(after: nil, limit: 1).first else {
            Issue.record("the link is read")
            return
        }
        #expect(try await file.delete(id, expecting: nil) == .deleted)
        try await file.addClicks([id: 5])
        try archive.add([.link(archived)], progress: StoredSecret(name: "progress", value: [1]), expecting: nil)
        archive.close()
        #expect(try await file.link(id)?.clicks == count)
        await file.close()
    }

    @Test(arguments: ["00", String(repeating: "FF", count: 512)])
    func damageIsToldAndNotAddedTo(counts: String) async throws {
        try await store.write {
            try $0.database.run("INSERT INTO click_count (page, counts) VALUES (0, x'\(counts)')")
        }
        await #expect(throws: StoreError.self) { try await clicks(5) }
        await #expect(throws: StoreError.self) { try await store.addClicks([LinkID(rawValue: 5): 1]) }
        #expect(try await clicks(64) == 0)
    }
}
