import Foundation
import Logging
import Synchronization
import Testing
import WaymarkArchive
import WaymarkLinks
import WaymarkStores

@testable import WaymarkSQLite
@testable import WaymarkService

/// Databases of older versions: read as they are, brought up to date, and their clicks counted.
@Suite struct OlderSchemaTests {
    private let fixtures: StoreFixtures
    private let path: String

    init() throws {
        fixtures = try StoreFixtures()
        path = fixtures.path("one")
    }

    /// A database of the first version with a link.
    private func makeOld() throws {
        try Tampering(path).run(
            Schema.migrations[0] + """
                ;
                INSERT INTO application (name, document, version) VALUES ('shop', CAST('{}' AS BLOB), 3);
                INSERT INTO application_domain VALUES ('go.example.com', 1, 0), ('links.example.com', 1, 1);
                INSERT INTO host (name) VALUES ('go.example.com');
                INSERT INTO link VALUES (1, 1, 1, 'old', 1, 0, 0, 0, NULL, 0, 5, 5, x'\(Self.content)', NULL);
                INSERT INTO application_use VALUES (1, 1, 'go.example.com', 1);
                PRAGMA application_id = \(Schema.applicationID);
                PRAGMA user_version = 1
                """)
    }

    private static let content = LinkContentCodec.encode(LinkContent()).map { String(format: "%02X", $0) }.joined()

    @Test func checksAndExportsAnOlderFileWithoutChangingIt() throws {
        try makeOld()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let report = try fixtures.check("one")
        #expect(report.problems == [] && report.links == 1 && report.applications == 1)
        #expect(try fixtures.export("one").count > 2)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        try Tampering(path).run("UPDATE application_use SET links = 2")
        #expect(try fixtures.check("one").problems.count == 1)
        let archive = try SQLiteArchive(path: path, mode: .copying)
        try archive.copy(into: fixtures.path("two")) { _ in }
        archive.close()
        #expect(try fixtures.check("two").problems.count == 1)
        #expect(
            throws: StoreError.unavailable(
                "\(path): the database has schema 1, of an older version of this program, which has \(Schema.version); "
                    + "start the server once")
        ) {
            try SQLiteArchive(path: path, mode: .beside)
        }
    }

    @Test func reportsMigrationsOfOlderFilesOnly() async throws {
        for (from, expected) in [(1, 2), (0, 0)] {
            let name = fixtures.path("database\(from)")
            if from == 1 {
                try makeOld()
                try FileManager.default.copyItem(atPath: path, toPath: name)
            }
            var sentences: [String] = []
            let store = try SQLiteLinkStore(path: name) { change in
                #expect(change.from == from && change.to == Schema.version)
                if let sentence = change.sentence { sentences.append(sentence) }
            }
            await store.close()
            #expect(sentences.count == expected)
            for sentence in sentences { #expect(sentence.hasPrefix("schema 1 -> \(Schema.version)")) }
            let again = try SQLiteLinkStore(path: name) { _ in Issue.record("nothing is migrated again") }
            await again.close()
        }
    }

    @Test(arguments: [(1, true), (3, false)])
    func `only version 1 of an application is of any time`(version: Int, isOfAnyTime: Bool) async throws {
        try makeOld()
        try Tampering(path).run("UPDATE application SET version = \(version)")
        try await SQLiteLinkStore(path: path).close()
        for isForgotten in [false, true] {
            if isForgotten { try Tampering(path).run("DELETE FROM application_change") }
            let store = try SQLiteLinkStore(path: path)
            try await store.noteApplications(at: Timestamp(seconds: 1_900_000_000))
            let id = try #require(ApplicationID("shop"))
            let changes = try await store.changes(of: id, around: Timestamp(seconds: 1))
            #expect(changes.map(\.version) == [version])
            #expect(changes.map { $0.at == Timestamp(rawValue: 0) } == [isOfAnyTime])
            await store.close()
        }
    }

    @Test func countsEarlierClicksAndGoesOnAfterARestart() async throws {
        try await fixtures.fill("one", clicks: 40)
        let archive = try SQLiteArchive(path: path, mode: .beside)
        // A link that was deleted has left no records.
        _ = try TotalsRebuilding(archive).run()
        let before = (try archive.totals(after: nil, limit: 999), try archive.linkTotals(after: nil, limit: 999))
        archive.close()
        try Tampering(path).run(
            """
            DELETE FROM click_total; DELETE FROM click_total_link; INSERT INTO click_total_start (day) VALUES (20703)
            """)
        let store = try SQLiteLinkStore(path: path)
        // Ends after a day at the latest, and goes on.
        var runs = 0
        while try await store.earlierClicks() != nil {
            runs += 1
            let pages = StoppingPages(2)
            try await counter(of: store).run { pages.next() }
        }
        #expect(runs == 2, "two pages, for a day each, then the last day")
        await store.close()
        let after = try SQLiteArchive(path: path, mode: .reading)
        defer { after.close() }
        #expect(try after.totals(after: nil, limit: 999) == before.0)
        #expect(try after.linkTotals(after: nil, limit: 999) == before.1)
        #expect(try fixtures.check("one").problems == [])
    }

    @Test func countsADayAgainDuringWhichClicksWereRecorded() async throws {
        try await fixtures.fill("one")
        try Tampering(path).run(
            """
            DELETE FROM click_total; DELETE FROM click_total_link; INSERT INTO click_total_start (day) VALUES (20703)
            """)
        let store = try SQLiteLinkStore(path: path)
        let change = TotalsChange()
        try await store.beginSummary(ClickSummaryKey(span: ClickSummaryKey.applications, day: 20_700), token: [1])
        try await store.append([StoreFixtures.clicks(of: LinkID(rawValue: 1), day: 20_700, number: 999)])
        #expect(try await !store.replaceTotals(of: 20_700, by: change, token: [1]))
        try await counter(of: store).run { true }
        #expect(try await store.earlierClicks() == nil)
        await store.close()
        #expect(try fixtures.check("one").problems == [])
    }

    private func counter(of store: SQLiteLinkStore) -> EarlierClickCounter {
        let random = RandomBytes()
        return EarlierClickCounter(
            store,
            ServiceDependencies(
                now: { StoreFixtures.now }, randomBytes: { random.next(count: $0) }, sha256: StoreFixtures.digest),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }
}

/// Allows a number of pages.
private final class StoppingPages: Sendable {
    private let left: Mutex<Int>

    init(_ count: Int) { left = Mutex(count) }

    func next() -> Bool {
        left.withLock { left in
            left -= 1
            return left >= 0
        }
    }
}

/// Different ones each time.
private final class RandomBytes: Sendable {
    private let state = Mutex<UInt8>(0)

    func next(count: Int) -> [UInt8] {
        state.withLock { state in
            state &+= 1
            return [UInt8](repeating: state, count: count)
        }
    }
}
