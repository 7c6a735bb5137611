import Testing
import WaymarkArchive
import WaymarkLinks
import WaymarkSQLite
import WaymarkStores

/// Totals of clicks on their way from one store to another, and counted again.
@Suite struct TotalsTests {
    private let fixtures: StoreFixtures

    init() throws { fixtures = try StoreFixtures() }

    private static func totals(_ archive: any StoreArchive) throws -> ([ArchivedTotal], [LinkTotalsRow]) {
        (try archive.totals(after: nil, limit: 1_000), try archive.linkTotals(after: nil, limit: 1_000))
    }

    private func totals(_ name: String) throws -> ([ArchivedTotal], [LinkTotalsRow]) {
        let archive = try SQLiteArchive(path: fixtures.path(name), mode: .reading)
        defer { archive.close() }
        return try Self.totals(archive)
    }

    @Test func `an export carries totals`() async throws {
        try await fixtures.fill("one")
        let before = try totals("one")
        #expect(before.0.count == 3)
        #expect(before.1.count == 3)
        try fixtures.importing(fixtures.export("one"), into: "two")
        #expect(try totals("two") == before)
    }

    @Test func `an export carries clicks on long links`() async throws {
        try await fixtures.addLongLinkClicks("one")
        let before = try totals("one")
        #expect(before.0.count == 1 && before.1.count == 1)
        try fixtures.importing(fixtures.export("one"), into: "two")
        #expect(try totals("two") == before)
        #expect(try fixtures.check("two").problems == [])
        #expect(try fixtures.export("two") == fixtures.export("one"))
    }

    @Test func `an export goes on without clicks of numbers that it has not`() async throws {
        try await fixtures.fill("one", clicks: 0, activity: 0)
        // Up to its first link.
        let lines = try fixtures.export("one")
        let first = try #require(lines.firstIndex { $0.starts(with: Array(#"{"link":"#.utf8)) })
        try await fixtures.addLongLinkClicks("one")
        var writer = ExportWriter(sha256: StoreFixtures.digest)
        var whole = Array(lines[...first])
        var rest = whole[...]
        #expect(try writer.resume { rest.popFirst() })
        let archive = try SQLiteArchive(path: fixtures.path("one"), mode: .reading)
        defer { archive.close() }
        try archive.beginReading()
        try writer.run(archive, header: StoreFixtures.header, opening: nil) { whole.append($0) }
        try fixtures.importing(whole, into: "two")
    }

    @Test func `an export without totals is counted when imported`() async throws {
        try await fixtures.fill("one")
        // A link that was deleted has left no records.
        let archive = try SQLiteArchive(path: fixtures.path("one"), mode: .beside)
        defer { archive.close() }
        _ = try TotalsRebuilding(archive).run()
        var all = StoreEntries(archive)
        var entries: ArraySlice<ArchiveEntry> = []
        while let entry = try all.next() {
            switch entry {
            case .total, .linkTotals: break
            default: entries.append(entry)
            }
        }
        let target = try SQLiteArchive(path: fixtures.path("two"), mode: .alone)
        try StoreImport(into: target, keys: .none, source: "x").run {
            entries.popFirst()
        } progress: { _ in
        }
        target.close()
        #expect(try totals("two") == Self.totals(archive))
    }

    @Test func `rebuilding replaces wrong totals`() async throws {
        try await fixtures.fill("one")
        let archive = try SQLiteArchive(path: fixtures.path("one"), mode: .alone)
        defer { archive.close() }
        #expect(try TotalsRebuilding(archive).run() == 3)
        let before = try Self.totals(archive)
        let progress = StoredSecret(name: "x", value: [])
        try archive.add(
            before.0.map { .total(ArchivedTotal(key: $0.key, bytes: ClickTotal().encoded)) } + [.totalsStart(30_000)],
            progress: progress, expecting: nil)
        #expect(try Self.totals(archive) != before)
        #expect(try archive.totalsStart() == 30_000)
        #expect(try TotalsRebuilding(archive).run() == 3)
        #expect(try Self.totals(archive) == before)
        #expect(try archive.totalsStart() == nil)
    }
}
