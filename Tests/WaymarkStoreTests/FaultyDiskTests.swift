import Foundation
import Testing
import WaymarkLinks
import WaymarkStores
import WaymarkTestSupport

@testable import WaymarkSQLite

/// What a disk and those who tidy it up can do to a database that is open: nothing that was acknowledged is lost, and
/// nothing is acknowledged that would be.
@Suite struct FaultyDiskTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("links.sqlite")
    }

    private func slug(_ text: String) throws -> Slug { try #require(Slug(text)) }

    private func create(_ slug: String, in store: SQLiteLinkStore) async throws {
        _ = try await store.create([SampleLinks.draft(slug)], idempotency: nil)
    }

    @Test(arguments: ["links.sqlite", "links.sqlite-wal"])
    func acknowledgesNothingOnceAFileWasDeletedUnderneath(name: String) async throws {
        let store = try SQLiteLinkStore(path: path)
        try await SampleLinks.add(5, to: store)
        try FileManager.default.removeItem(atPath: folder.path(name))
        await #expect(throws: StoreError.self) { try await create("lost", in: store) }
        await #expect(throws: StoreError.self) { try await store.ping() }
        await #expect {
            try await create("again", in: store)
        } throws: { error in
            guard case .unavailable(let sentence) = error as? StoreError else { return false }
            return sentence.contains("deleted")
        }
        await store.close()
    }

    @Test func acknowledgesNothingOnceTheFileWasReplaced() async throws {
        let store = try SQLiteLinkStore(path: path)
        try await SampleLinks.add(5, to: store)
        let other = folder.path("other.sqlite")
        let newcomer = try SQLiteLinkStore(path: other)
        try await SampleLinks.add(2, to: newcomer)
        await newcomer.close()
        #expect(rename(other, path) == 0)
        await #expect(
            throws: StoreError.unavailable("the database file was deleted or replaced while it was open; start again")
        ) { try await create("lost", in: store) }
        await store.close()
    }

    @Test func answersWhatStandsOnOtherPagesThanADamagedOne() async throws {
        let first = try SQLiteLinkStore(path: path)
        try await SampleLinks.add(2_000, to: first)
        await first.close()
        // A leaf of the links' own table, of which the file holds the most.
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let word = try #require(bytes.range(of: Data("products/fill1000".utf8)))
        let page = word.lowerBound / 4_096 * 4_096
        for index in page..<page + 4_096 { bytes[index] = 0xA5 }
        try bytes.write(to: URL(fileURLWithPath: path))

        let store = try SQLiteLinkStore(path: path)
        let host = try #require(HostName("go.example.com"))
        var answered = 0
        var damaged = 0
        for number in stride(from: 0, to: 2_000, by: 7) {
            do {
                if try await store.link(host, slug("fill\(number)")) != nil { answered += 1 }
            } catch {
                #expect(error as? StoreError == .corrupt("the database file is damaged"))
                damaged += 1
            }
        }
        #expect(damaged > 0 && answered > 200)
        await #expect(throws: StoreError.corrupt("the database file is damaged")) {
            try await store.link(host, slug("fill1000"))
        }
        try await create("later", in: store)
        #expect(try await store.link(host, slug("later")) != nil)
        await store.close()
    }

    @Test(.enabled(if: TemporaryMount.isPossible, "needs the right to mount"))
    func saysThatADiskBecameReadOnlyAndLosesNothing() async throws {
        let disk = try TemporaryMount(on: folder, bytes: 8_000_000)
        let path = disk.path + "/links.sqlite"
        let store = try SQLiteLinkStore(path: path)
        try await SampleLinks.add(5, to: store)
        await store.close()
        try disk.makeReadOnly()
        // As a backup on a read-only disk is looked at: nothing can be made beside it.
        #expect(throws: StoreError.self) { try SQLiteArchive(path: path, mode: .alone) }
    }

    @Test(.enabled(if: TemporaryMount.isPossible, "needs the right to mount"))
    func leavesNoHalfCopyBehindOnAFullDisk() async throws {
        let store = try SQLiteLinkStore(path: path)
        try await SampleLinks.add(8_000, to: store)
        let disk = try TemporaryMount(on: folder, bytes: 400_000)
        let archive = try SQLiteArchive(path: path, mode: .reading)
        #expect(archive.byteCount > 600_000)
        #expect(throws: StoreError.diskFull) {
            try archive.copy(into: disk.path + "/copy") { _ in }
        }
        archive.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path).filter { $0 != "copy" }.isEmpty)
        try await create("later", in: store)
        await store.close()
    }
}
