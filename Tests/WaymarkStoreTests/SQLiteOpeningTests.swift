import Foundation
import GRDB
import Testing
import WaymarkLinks
import WaymarkStores
import WaymarkTestSupport

@testable import WaymarkSQLite

/// What can stand in the way when a database is opened: each is one clear sentence, and never a crash.
@Suite struct SQLiteOpeningTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("links.sqlite")
    }

    private func refusal(_ path: String) -> StoreError? {
        do {
            _ = try SQLiteLinkStore(path: path)
            return nil
        } catch {
            return error
        }
    }

    @Test func writesThroughToTheDiskBeforeItAcknowledges() async throws {
        let store = try SQLiteLinkStore(path: path)
        #expect(try await store.setting("synchronous") == "2")
        #expect(try await store.setting("journal_mode") == "wal")
        #expect(try await store.setting("foreign_keys") == "1")
        await store.close()
    }

    @Test func makesTheFileAndItsFoldersForTheirOwnerOnly() async throws {
        let path = folder.path("new/folders/links.sqlite")
        let store = try SQLiteLinkStore(path: path)
        await store.close()
        for (name, mode) in [("new", 0o700), ("new/folders", 0o700), ("new/folders/links.sqlite", 0o600)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
            #expect(attributes[.posixPermissions] as? Int == mode, "\(name)")
        }
    }

    @Test func keepsASecondServerAwayUntilTheFirstCloses() async throws {
        let first = try SQLiteLinkStore(path: path)
        #expect(refusal(path) == .unavailable("\(path): the database is locked by another server"))
        let other = folder.path("other-name.sqlite")
        try FileManager.default.createSymbolicLink(atPath: other, withDestinationPath: path)
        #expect(refusal(other) == .unavailable("\(other): the database is locked by another server"))
        await first.close()
        let second = try SQLiteLinkStore(path: path)
        try await second.ping()
        await second.close()
    }

    @Test func keepsASecondServerAwayWhereTheLockFileWasDeleted() async throws {
        let first = try SQLiteLinkStore(path: path)
        try FileManager.default.removeItem(atPath: path + ".lock")
        #expect(refusal(path) == .unavailable("\(path): the database is locked by another server"))
        await first.close()
        let second = try SQLiteLinkStore(path: path)
        await second.close()
    }

    @Test func aLinkToAMissingFileHasTheLockOfTheFile() async throws {
        let link = folder.path("link.sqlite")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        let first = try SQLiteLinkStore(path: link)
        #expect(FileManager.default.fileExists(atPath: path + ".lock"))
        #expect(!FileManager.default.fileExists(atPath: link + ".lock"))
        for name in [link, path] {
            #expect(refusal(name) == .unavailable("\(name): the database is locked by another server"))
        }
        await first.close()
    }

    @Test func opensADatabaseOfTheFirstVersion() async throws {
        let old = try DatabaseQueue(path: path)
        try await old.write { database in
            try database.execute(sql: Schema.migrations[0])
            try database.execute(
                sql: """
                    INSERT INTO application (name, document, version) VALUES ('shop', CAST('{}' AS BLOB), 3);
                    INSERT INTO application_domain (domain, application, place) VALUES ('go.example.com', 1, 0);
                    INSERT INTO api_key (id, name, digest, scopes, created_at) VALUES ('k', '', x'01', 'links', 5);
                    PRAGMA application_id = \(Schema.applicationID);
                    PRAGMA user_version = 1
                    """)
        }
        try old.close()
        let store = try SQLiteLinkStore(path: path)
        let applications = try await store.applications()
        #expect(applications.flatMap(\.domains).map(\.text) == ["go.example.com"])
        #expect(applications.map(\.otherHosts) == [[]])
        #expect(try await store.keys().map(\.id) == ["k"])
        try await store.addClicks(
            [LinkID(rawValue: 1): 1], as: WriteID(writer: [1], batch: 1, expiresAt: Timestamp(rawValue: 1)))
        #expect(try await store.purge(at: Timestamp(rawValue: 1), limit: 9) == 1)
        await store.close()
    }

    @Test func releasesTheFileOfAStoreThatIsJustDropped() throws {
        for _ in 0..<3 { _ = try SQLiteLinkStore(path: path) }
    }

    @Test func refusesAFileThatIsNoDatabase() throws {
        try Data("This is a letter, and no database at all. ".utf8 + Array(repeating: 46, count: 4_000))
            .write(to: URL(fileURLWithPath: path))
        #expect(refusal(path) == .corrupt("\(path): the file is not an SQLite database"))
    }

    @Test func opensAnEmptyFileAsANewDatabase() async throws {
        try Data().write(to: URL(fileURLWithPath: path))
        let store = try SQLiteLinkStore(path: path)
        #expect(try await store.applications().isEmpty)
        await store.close()
    }

    @Test(arguments: [
        ("user_version", 9_999, "the database was made by a newer version of this program"),
        ("application_id", 4_711, "the database belongs to another program"),
    ])
    func refusesADatabaseThatItDoesNotUnderstand(setting: String, value: Int, sentence: String) async throws {
        let store = try SQLiteLinkStore(path: path)
        #expect(try await store.setting(setting, to: value) == String(value))
        await store.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(refusal(path) == .corrupt("\(path): \(sentence)"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before, "the file is left as it is")
    }

    @Test func refusesPathsThatCannotBeFiles() throws {
        try Data().write(to: URL(fileURLWithPath: folder.path("file")))
        for path in ["", folder.path, folder.path("file/links.sqlite"), "/proc/none/links.sqlite"] {
            guard case .unavailable(let sentence) = refusal(path) else {
                Issue.record("\(path) is refused")
                continue
            }
            #expect(sentence.hasPrefix("\(path): "))
            #expect(!sentence.contains("\n"))
        }
    }

    @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
    func refusesAFolderThatMayNotBeWritten() throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path) }
        #expect(refusal(path) == .unavailable("\(path): the database file or its folder may not be written"))
    }

    @Test(.enabled(if: TemporaryMount.isPossible, "needs the right to mount"))
    func refusesAReadOnlyDisk() async throws {
        let disk = try TemporaryMount(on: folder, bytes: 4_000_000)
        let path = disk.path + "/links.sqlite"
        let store = try SQLiteLinkStore(path: path)
        await store.close()
        try disk.makeReadOnly()
        #expect(refusal(path) == .unavailable("\(path): the database file or its folder is read-only"))
    }

    @Test func answersADamagedDatabaseWithAnError() async throws {
        let store = try SQLiteLinkStore(path: path)
        try await SampleLinks.add(200, to: store)
        await store.close()
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        for index in stride(from: 4_096 * 2, to: bytes.count, by: 3) { bytes[index] = 0xA5 }
        try bytes.write(to: URL(fileURLWithPath: path))
        // Opening touches little: the damage may be seen then or later.
        do {
            let damaged = try SQLiteLinkStore(path: path)
            await #expect(throws: StoreError.self) {
                _ = try await damaged.list(LinkListing())
                _ = try await damaged.applications()
                _ = try await damaged.keys()
            }
            await damaged.close()
        } catch {
            guard case .corrupt = error else { throw error }
        }
    }

    @Test func answersADamagedRowWithAnErrorAndTheOthersAsEver() async throws {
        let store = try SQLiteLinkStore(path: path)
        try await SampleLinks.add(3, to: store)
        let id = try #require(try await store.list(LinkListing(limit: 1)).links.first?.id)
        try await store.write { session in
            try session.database.run("UPDATE link SET content = x'01FF' WHERE id = \(id.rawValue)")
        }
        await #expect(throws: StoreError.corrupt("the stored content of a link is damaged")) {
            try await store.link(id)
        }
        #expect(try await store.list(LinkListing(after: LinkPosition(id))).links.count == 2)
        await store.close()
    }
}
