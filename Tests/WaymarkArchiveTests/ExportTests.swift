import Testing
import WaymarkAPI
import WaymarkArchive
import WaymarkLinks
import WaymarkSQLite
import WaymarkStores

@Suite struct ExportTests {
    private let fixtures: StoreFixtures

    init() throws { fixtures = try StoreFixtures() }

    @Test func fixtureGivesEveryMember() throws {
        let full = LinkRequest(try StoreFixtures.full("full").content, metadata: Array("{}".utf8))
        // A password is exported as its hash.
        let others = ["disabled", "password"]
        for member in LinkRequest.members.members
        where !member.traits.contains(.isFixed) && !others.contains(member.name) {
            #expect(member.differs(full, LinkRequest()), "\(member.name)")
        }
    }

    @Test(arguments: [[1, 1, 1], [4_999, 2, 9_000], [5_000, 5_000, 1], [3, 12_000, 5_001]])
    func `pages of links have their long histories`(lengths: [Int]) async throws {
        try await fixtures.fill("one")
        let path = fixtures.path("one")
        try Tampering(path).run("DELETE FROM link_change")
        for (index, length) in lengths.enumerated() {
            try Tampering(path).run(
                """
                WITH RECURSIVE numbers (number) AS (
                    SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < \(length))
                INSERT INTO link_change SELECT \(index + 1), number, 0, NULL, NULL, 'tags', NULL, NULL FROM numbers
                """)
        }
        let archive = try SQLiteArchive(path: path, mode: .reading)
        defer { archive.close() }
        var histories: [Int] = []
        var last: LinkID?
        while case let page = try archive.links(after: last, limit: 500), let end = page.last {
            for case .link(let archived) in page { histories.append(archived.history.count) }
            last = end.id
        }
        #expect(Array(histories.prefix(3)) == lengths)
        #expect(histories.count == 6)
    }

    @Test func bringsEverythingIntoAnotherDatabaseAsItWas() async throws {
        try await fixtures.fill("one")
        let lines = try fixtures.export("one")
        try fixtures.importing(lines, into: "two")
        #expect(try fixtures.export("two") == lines)
        #expect(try fixtures.check("two").problems.isEmpty)

        let one = try SQLiteLinkStore(path: fixtures.path("one"))
        let two = try SQLiteLinkStore(path: fixtures.path("two"))
        let page = try await one.list(LinkListing())
        #expect(page.links.count == 6)
        #expect(try await two.list(LinkListing()) == page)
        for link in page.links {
            #expect(try await two.metadata(of: link.id) == one.metadata(of: link.id))
            #expect(try await two.eventCounts(of: link.id) == one.eventCounts(of: link.id))
            let blocks = try await one.blocks(of: link.id, days: 0...30_000, after: nil, limit: 100)
            #expect(try await two.blocks(of: link.id, days: 0...30_000, after: nil, limit: 100) == blocks)
            #expect(blocks.count == (link.id.rawValue <= 4 ? 3 : 0))
            let days = try await one.activity(of: link.id, days: 0..<30_000)
            #expect(try await two.activity(of: link.id, days: 0..<30_000) == days)
            #expect(days.count == [1: 2, 2: 1][link.id.rawValue, default: 0])
        }
        #expect(try await two.applications().map(\.archived) == one.applications().map(\.archived))
        #expect(try await two.use(of: StoreFixtures.shop()) == one.use(of: StoreFixtures.shop()))
        #expect(try await two.keys() == one.keys().filter { !$0.isSession })
        #expect(try await two.people.people() == one.people.people())
        let everything = AuditQuery(limit: 99)
        #expect(try await two.audit.auditEntries(everything) == one.audit.auditEntries(everything))
        #expect(try await two.audit.auditEntries(everything).entries.count == 2)
        #expect(try await two.secrets(prefix: "") == one.secrets(prefix: ""))
        #expect(try await two.endpoints() == one.endpoints())
        #expect(try await two.endpoints().count == 2)
        let query = ConversionQuery(applications: nil, days: 0..<30_000, by: .day)
        #expect(try await two.conversions(query) == one.conversions(query))
        #expect(try await two.conversions(query).count == 4)
        #expect(try await two.list(LinkListing(tag: "a\u{0}b")).links.count == 1)

        // The id of the link that was deleted last is not given again: old click ids would lead to another link.
        guard case .done(let outcomes) = try await two.create([StoreFixtures.draft("new")], idempotency: nil),
            case .created(let link) = outcomes.first
        else {
            Issue.record("a link is created")
            return
        }
        #expect(link.id.rawValue > (page.links.map(\.id.rawValue).max() ?? 0) + 1)
        await one.close()
        await two.close()
    }

    @Test func leavesOutWhatVisitorsAreToldApartWith() async throws {
        try await fixtures.fill("one")
        let lines = try fixtures.export("one")
        let one = try SQLiteLinkStore(path: fixtures.path("one"))
        _ = try await one.secret(StoredSecret.visitorsPrefix + "20778") { [1, 2, 3] }
        await one.close()
        #expect(try fixtures.export("one") == lines)
        try fixtures.importing(lines, into: "two")
        #expect(try fixtures.export("two") == lines)
    }

    @Test func keepsARedeemsAnswerForItsIdempotencyKey() async throws {
        try await fixtures.fill("one")
        try fixtures.importing(try fixtures.export("one"), into: "two")
        let two = try SQLiteLinkStore(path: fixtures.path("two"))
        let gift = try #require(try await two.links(slug: StoreFixtures.slug("gift"), limit: 1).first)
        #expect(gift.redeemed == 2)
        let answer = try await two.redeem(
            gift.id, at: StoreFixtures.now, taking: true, ignoringMaxClicks: false,
            idempotency: RedeemIdempotency(scope: [7], fingerprint: [6], expiresAt: StoreFixtures.now))
        guard case .answered(let link, .some, let redeem, _) = answer else {
            Issue.record("the redeem is answered again")
            return
        }
        #expect(redeem.used == 1 && link.redeemed == 2)
        await two.close()
    }

    @Test func writesEachEntryOnALineOfItsOwn() async throws {
        try await fixtures.fill("one")
        for line in try fixtures.export("one") {
            #expect(!line.contains(UInt8(ascii: "\n")))
            #expect(line.first == UInt8(ascii: "{") && line.last == UInt8(ascii: "}"))
        }
    }

    @Test func goesOnWithWhatWasInterruptedAfterAnyLine() async throws {
        try await fixtures.fill("one", links: 40)
        let lines = try fixtures.export("one")
        let archive = try SQLiteArchive(path: fixtures.path("one"), mode: .reading)
        defer { archive.close() }
        for end in 1..<lines.count {
            var rest = lines[..<end]
            var writer = ExportWriter(sha256: StoreFixtures.digest)
            let hasLinks = try writer.resume { rest.popFirst() }
            #expect(hasLinks == lines[..<end].contains { $0.starts(with: Array(#"{"link":"#.utf8)) })
            guard hasLinks else { continue }
            var whole = Array(lines[..<end])
            try archive.beginReading()
            try writer.run(archive, header: StoreFixtures.header, opening: nil) { whole.append($0) }
            archive.endReading()
            #expect(whole == lines, "after line \(end)")
        }
    }

    @Test func writesActivityByNameAndWithoutZeros() async throws {
        try await fixtures.fill("one", activity: 1)
        #expect(
            try fixtures.export("one").map { String(decoding: $0, as: UTF8.self) }.contains(
                #"{"activity":{"link":1,"day":20700,"opens":20700,"resolves":20701,"redeems":7,"claims":\#(Int.max),"#
                    + #""androidInstallEvents":2,"androidInstalls":20702}}"#)
        )
    }

    @Test func leavesOutActivityOfLinksMadeAfterTheFirstPart() async throws {
        try await fixtures.fill("one")
        let lines = try fixtures.export("one")
        let store = try SQLiteLinkStore(path: fixtures.path("one"))
        guard case .done(let outcomes) = try await store.create([StoreFixtures.draft("new")], idempotency: nil),
            case .created(let link) = outcomes.first
        else {
            Issue.record("a link is created")
            return
        }
        try await store.addActivity([StoreFixtures.activity(of: link.id, day: 20_700)], as: StoreFixtures.write(5))
        await store.close()
        let archive = try SQLiteArchive(path: fixtures.path("one"), mode: .reading)
        defer { archive.close() }
        // Behind the first line of activity.
        var rest = lines.dropLast(3)
        var whole = Array(rest)
        var writer = ExportWriter(sha256: StoreFixtures.digest)
        #expect(try writer.resume { rest.popFirst() })
        try archive.beginReading()
        try writer.run(archive, header: StoreFixtures.header, opening: nil) { whole.append($0) }
        archive.endReading()
        #expect(whole == lines)
    }

    @Test func doesNotGoOnWithAFileOfAnOlderFormat() async throws {
        try await fixtures.fill("one")
        var lines = try fixtures.export("one").dropLast()
        lines[0] =
            Array(String(decoding: lines[0], as: UTF8.self).replacing(#""format":10"#, with: #""format":1"#).utf8)
        var writer = ExportWriter(sha256: StoreFixtures.digest)
        #expect(throws: ArchiveFailure("was begun by an older version; delete it and export again")) {
            try writer.resume { lines.popFirst() }
        }
    }

    @Test(arguments: ["opens = -1", "day = 106751991166 + 1"])
    func refusesDamagedActivity(change: String) async throws {
        try await fixtures.fill("one")
        try Tampering(fixtures.path("one")).run("UPDATE link_activity SET \(change) WHERE day = 20701")
        #expect(throws: ArchiveFailure.self) { try fixtures.export("one") }
    }

    @Test func doesNotGoOnWithAnotherFileOrAWholeExport() async throws {
        try await fixtures.fill("one")
        let lines = try fixtures.export("one")
        for wrong in [lines, [Array("{}".utf8)], [lines[0], Array("letters".utf8)]] {
            var rest = wrong[...]
            var writer = ExportWriter(sha256: StoreFixtures.digest)
            #expect(throws: ArchiveFailure.self) { try writer.resume { rest.popFirst() } }
        }
    }

    @Test func refusesALinkWhoseRowIsDamagedInsteadOfLeavingItOut() async throws {
        try await fixtures.fill("one")
        try Tampering(fixtures.path("one")).run("UPDATE link SET content = x'01FF' WHERE slug = 'gift'")
        #expect(throws: ArchiveFailure.self) { try fixtures.export("one") }
    }
}
