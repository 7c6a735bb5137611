import Testing
import WaymarkArchive
import WaymarkLinks
import WaymarkSQLite
import WaymarkStores

@Suite struct ImportTests {
    private let fixtures: StoreFixtures

    init() throws { fixtures = try StoreFixtures() }

    private struct Interruption: Error {}

    @Test(arguments: [1, 3, 400, 700, 1_200, 1_499])
    func goesOnWhereItWasInterrupted(after links: Int) async throws {
        try await fixtures.fill("one", links: 1_500)
        let lines = try fixtures.export("one")
        let archive = try SQLiteArchive(path: fixtures.path("two"), mode: .alone)
        let work = StoreImport(into: archive, keys: .none, source: "export 0123")
        let next = try StoreFixtures.entries(lines)
        var count = 0
        #expect(throws: Interruption.self) {
            try work.run {
                guard let entry = try next() else { return nil }
                if case .link = entry { count += 1 }
                if count > links { throw Interruption() }
                return entry
            } progress: { _ in
            }
        }
        let there = try archive.linkCount()
        #expect(there <= links && there > links - 500)
        #expect(try archive.secrets().contains { $0.name == ImportProgress.secretName })
        archive.close()

        try fixtures.importing(lines, into: "two")
        #expect(try fixtures.export("two") == lines)
        #expect(try fixtures.check("two").problems.isEmpty)
    }

    @Test func refusesALinkWhoseSlugIsAnAliasOfAnother() async throws {
        try await fixtures.fill("one")
        let next = try StoreFixtures.entries(fixtures.export("one"))
        let archive = try SQLiteArchive(path: fixtures.path("two"), mode: .alone)
        defer { archive.close() }
        let slug = try StoreFixtures.slug("twice")
        // The first link is on another domain.
        let alias = LinkAlias(slug, on: try StoreFixtures.host())
        var hasAlias = false
        #expect(throws: StoreError.corrupt("go.example.com/twice is the slug of a link and the alias of another")) {
            try StoreImport(into: archive, keys: .none, source: "export 0123").run {
                let entry = try next()
                guard case .link(var archived)? = entry else { return entry }
                if hasAlias { archived.link.slug = slug } else { archived.link.content.aliases = [alias] }
                hasAlias = true
                return .link(archived)
            } progress: { _ in
            }
        }
    }

    @Test(arguments: [0, 1, 499, 500, 501, 1_100, 1_199])
    func goesOnWithClicksWhereItWasInterrupted(after blocks: Int) async throws {
        try await fixtures.fill("one", clicks: 1_200)
        let lines = try fixtures.export("one")
        let archive = try SQLiteArchive(path: fixtures.path("two"), mode: .alone)
        let next = try StoreFixtures.entries(lines)
        var count = 0
        #expect(throws: Interruption.self) {
            try StoreImport(into: archive, keys: .none, source: "export 0123").run {
                guard let entry = try next() else { return nil }
                if case .clicks = entry { count += 1 }
                if count > blocks { throw Interruption() }
                return entry
            } progress: { _ in
            }
        }
        let there = try archive.clickBlocks(after: nil, limit: 10_000).count
        #expect(there <= blocks && there > blocks - 501)
        archive.close()

        try fixtures.importing(lines, into: "two")
        #expect(try fixtures.export("two") == lines)
        #expect(try fixtures.check("two").problems.isEmpty)
    }

    @Test(arguments: [0, 1, 499, 500, 501, 1_100, 1_199])
    func goesOnWithActivityWhereItWasInterrupted(after days: Int) async throws {
        try await fixtures.fill("one", activity: 1_200)
        let lines = try fixtures.export("one")
        let archive = try SQLiteArchive(path: fixtures.path("two"), mode: .alone)
        let next = try StoreFixtures.entries(lines)
        var count = 0
        #expect(throws: Interruption.self) {
            try StoreImport(into: archive, keys: .none, source: "export 0123").run {
                guard let entry = try next() else { return nil }
                if case .activity = entry { count += 1 }
                if count > days { throw Interruption() }
                return entry
            } progress: { _ in
            }
        }
        let there = try archive.activity(after: nil, limit: 10_000).count
        #expect(there <= days && there > days - 501)
        archive.close()

        try fixtures.importing(lines, into: "two")
        #expect(try fixtures.export("two") == lines)
        #expect(try fixtures.check("two").problems.isEmpty)
    }

    /// What a version wrote that kept activity out of its exports.
    @Test func readsTheFormatWithoutActivity() async throws {
        try await fixtures.fill("one", activity: 0)
        let lines = StoreFixtures.sealed(try fixtures.export("one").dropLast(), format: 1)
        try fixtures.importing(lines, into: "two")
        #expect(try fixtures.export("two").dropLast().dropFirst() == lines.dropLast().dropFirst())
    }

    @Test func takesNoOtherExportIntoAnUnfinishedOne() async throws {
        try await fixtures.fill("one")
        let lines = try fixtures.export("one")
        let archive = try SQLiteArchive(path: fixtures.path("two"), mode: .alone)
        try StoreImport(into: archive, keys: .none, source: "export 4567").run(from: StoreFixtures.entries(lines)) {
            _ in
        }
        #expect(
            throws: ArchiveFailure(
                "the database holds a part of another import; finish that one, or give an empty database")
        ) {
            try StoreImport(into: archive, keys: .none, source: "export 0123").run(from: StoreFixtures.entries(lines)) {
                _ in
            }
        }
        archive.close()
        #expect(try fixtures.check("two").problems == ["an import into the database is not finished"])
    }

    @Test func changesNothingThatIsThereAlready() async throws {
        try await fixtures.fill("one")
        try await fixtures.fill("two", links: 1)
        let lines = try fixtures.export("one")
        let before = try fixtures.export("two")
        #expect(throws: ArchiveFailure("the database holds something already; an import needs an empty one")) {
            try fixtures.importing(lines, into: "two")
        }
        #expect(try fixtures.export("two") == before)
    }

    /// What may become of a file on its way.
    static let damages: [(name: String, change: @Sendable ([[UInt8]]) -> [[UInt8]])] = [
        ("the end is missing", { Array($0.dropLast()) }),
        ("the file ends in the middle", { Array($0.prefix($0.count / 2)) }),
        ("a line is cut short", { $0.dropLast() + [Array($0[$0.count - 1].dropLast(3))] }),
        ("a link is missing", { lines in lines.enumerated().filter { $0.offset != lines.count - 3 }.map(\.element) }),
        (
            "a link is there twice",
            { lines in Array(lines.dropLast(2)) + [lines[lines.count - 3]] + Array(lines.suffix(2)) }
        ),
        (
            "links have changed places",
            { lines in
                var lines = lines
                lines.swapAt(lines.count - 2, lines.count - 3)
                return lines
            }
        ),
        (
            "a count was changed",
            { lines in
                lines.map { line in
                    Array(
                        String(decoding: line, as: UTF8.self).replacing(#""redeemed":2"#, with: #""redeemed":1"#).utf8)
                }
            }
        ),
        (
            "a member is unknown",
            { lines in
                lines.map { line in
                    Array(
                        String(decoding: line, as: UTF8.self).replacing(#"{"link":{"#, with: #"{"link":{"new":1,"#).utf8
                    )
                }
            }
        ),
        (
            "clicks are no base64",
            { lines in
                lines.map { line in
                    Array(String(decoding: line, as: UTF8.self).replacing(#""bytes":""#, with: #""bytes":"?"#).utf8)
                }
            }
        ),
        (
            "a count of activity is negative",
            { lines in
                lines.map { line in
                    Array(String(decoding: line, as: UTF8.self).replacing(#""opens":2"#, with: #""opens":-2"#).utf8)
                }
            }
        ),
        ("something follows the end", { $0 + [Array("{}".utf8)] }),
        ("it is empty", { _ in [] }),
        ("it is no export", { _ in [Array("{}".utf8)] }),
        (
            "its format is newer",
            { lines in
                [Array(#"{"waymark":"export","format":3,"id":"0"}"#.utf8)] + lines.dropFirst()
            }
        ),
    ]

    @Test(arguments: damages.indices)
    func refusesAFileThatIsNotWhole(damage: Int) async throws {
        try await fixtures.fill("one")
        let lines = Self.damages[damage].change(try fixtures.export("one"))
        #expect(throws: (any Error).self, "\(Self.damages[damage].name)") {
            try fixtures.importing(lines, into: "two")
        }
        // Whatever has arrived, no server takes it for a whole one.
        let archive = try SQLiteArchive(path: fixtures.path("two"), mode: .alone)
        #expect(try archive.isEmpty() || archive.secrets().contains { $0.name == ImportProgress.secretName })
        archive.close()
    }

    @Test func findsWhatArrivedAsSomethingElse() async throws {
        try await fixtures.fill("one")
        let lines = try fixtures.export("one")
        for change in [
            "UPDATE link SET redeemed = redeemed + 1 WHERE slug = 'gift'",
            "UPDATE link_metadata SET metadata = CAST('{}' AS BLOB) WHERE link = (SELECT id FROM link WHERE slug = 'gift')",
            "DELETE FROM link WHERE slug = 'full'", "DELETE FROM api_key WHERE id = 'k2'",
            "UPDATE person SET name = 'Eve'", "DELETE FROM passkey", "DELETE FROM membership WHERE role = 'admin'",
            "UPDATE secret SET value = x'00' WHERE name = 'click-id'", "DELETE FROM idempotency WHERE kind = 3",
            "DELETE FROM click_block WHERE number = 5", "UPDATE click_block SET bytes = x'01' WHERE number = 5",
            "UPDATE click_block SET day = day + 1 WHERE number = 5",
            "INSERT INTO click_block VALUES (20700, 1, 99, x'01')",
            "UPDATE link_activity SET claims = 1 WHERE day = 20701", "DELETE FROM link_activity WHERE day = 20701",
            "INSERT INTO link_activity VALUES (3, 20700, 1, 0, 0, 0, 0, 0, 0)",
            "UPDATE application SET version = 9", "INSERT INTO secret VALUES ('other', x'00')",
        ] {
            let name = "two\(change.hashValue)"
            let archive = try SQLiteArchive(path: fixtures.path(name), mode: .alone)
            let work = StoreImport(into: archive, keys: .none, source: "export 0123")
            try work.run(from: StoreFixtures.entries(lines)) { _ in }
            try Tampering(fixtures.path(name)).run("PRAGMA foreign_keys = ON; " + change)
            #expect(throws: ArchiveFailure.self, "\(change)") {
                try work.verify(from: StoreFixtures.entries(lines)) { _ in }
            }
            archive.close()
        }
    }

    @Test func letsNobodyElseImportMeanwhile() async throws {
        try await fixtures.fill("one")
        let archive = try SQLiteArchive(path: fixtures.path("two"), mode: .alone)
        #expect(throws: StoreError.self) { try SQLiteArchive(path: fixtures.path("two"), mode: .alone) }
        #expect(throws: StoreError.self) { try SQLiteLinkStore(path: fixtures.path("two")) }
        let progress = StoredSecret(name: ImportProgress.secretName, value: [1])
        try archive.add([], progress: progress, expecting: nil)
        #expect(throws: StoreError.unavailable("somebody else imports into the same database")) {
            try archive.add([.lastID(9)], progress: progress, expecting: [2])
        }
        #expect(try archive.lastID() == 0)
        archive.close()
    }
}
