import Synchronization
import Testing
import WaymarkLinks
import WaymarkSQLite
import WaymarkStores

@testable import WaymarkService

/// The dispatcher over an SQLite store in memory, and a ClickHouse that fails as the test says.
@Suite(.timeLimit(.minutes(5))) struct ClickDispatcherTests {
    @Test func `clicks are shipped once with a token`() async throws {
        let fixture = try await ShippingFixture()
        let link = try await fixture.service.create("sale")
        let keys = try await fixture.append(link, days: fixture.today)
        _ = await fixture.dispatcher.turn()
        _ = await fixture.dispatcher.turn()
        #expect(try fixture.shipped() == Set(keys))
        let insertions = fixture.clickHouse.insertions
        let token = try #require(insertions.first?.token)
        #expect(insertions.map(\.queryID) == ["waymark-\(token)"])
        #expect(fixture.clickHouse.rows.map(\.shipment) == [token, token, token])
        #expect(fixture.clickHouse.rows.map(\.bot) == [nil, nil, "preview"])
        #expect(Array(fixture.clickHouse.rows[0].texts.prefix(4)) == ["shop", "go.example.com", "sale", "iphone"])
        #expect(try await fixture.waiting() == 0)
        #expect(fixture.dispatcher.metrics.shipped.load(ordering: .relaxed) == 3)
    }

    @Test func `the password is in no address`() async throws {
        let fixture = try await ShippingFixture()
        try await fixture.append(try await fixture.service.create("a"), days: fixture.today)
        _ = await fixture.dispatcher.turn()
        let heads = fixture.clickHouse.heads
        #expect(!heads.isEmpty)
        for head in heads {
            #expect(!head.prefix { $0 != "\r\n" }.contains(FakeClickHouse.password))
            #expect(head.contains("X-ClickHouse-User: waymark\r\n"))
        }
    }

    @Test func `a lost answer leads to no second insertion`() async throws {
        let fixture = try await ShippingFixture()
        let keys = try await fixture.append(try await fixture.service.create("a"), days: fixture.today)
        fixture.clickHouse.next(.answerLost)
        let delay = await fixture.dispatcher.turn()
        #expect((500...1_000).contains(delay))
        #expect(try await fixture.waiting() == 3)
        _ = await fixture.dispatcher.turn()
        #expect(fixture.clickHouse.insertions.count == 1)
        #expect(try fixture.shipped() == Set(keys))
        #expect(try await fixture.waiting() == 0)
    }

    @Test func `a server that takes over looks for clicks of today`() async throws {
        let fixture = try await ShippingFixture()
        let link = try await fixture.service.create("a")
        let keys = try await fixture.append(link, days: fixture.today)
        _ = await fixture.dispatcher.turn()
        // As a database that failed over, and has lost that they arrived.
        let blocks = try await fixture.store.clickShipments.shippedBlocks(of: fixture.today, after: nil, limit: 10)
        try await fixture.store.clickShipments.noteBlocks(blocks.map(\.block.key))
        fixture.clickHouse.forgetTokens()
        let next = fixture.neighbour()
        _ = await next.turn()
        #expect(fixture.clickHouse.insertions.count == 1)
        #expect(try await fixture.waiting() == 0)
        #expect(try fixture.shipped() == Set(keys))
        // What comes later is new.
        let later = try await fixture.append(link, days: fixture.today, number: 2)
        _ = await next.turn()
        #expect(try fixture.shipped() == Set(keys + later))
    }

    @Test func `only what is missing is sent again`() async throws {
        let fixture = try await ShippingFixture()
        let link = try await fixture.service.create("a")
        let keys = try await fixture.append(link, days: fixture.today - 70, fixture.today)
        fixture.clickHouse.next(.halfWritten)
        _ = await fixture.dispatcher.turn()
        #expect(try fixture.shipped().count == 1)
        _ = await fixture.dispatcher.turn()
        #expect(try fixture.shipped() == Set(keys))
        let insertions = fixture.clickHouse.insertions
        #expect(insertions.count == 2)
        let (first, second) = (try #require(insertions[0].token), try #require(insertions[1].token))
        #expect(second.hasPrefix(first + "-"))
        #expect(insertions[1].body.count < insertions[0].body.count)
    }

    @Test(arguments: [
        "Unknown setting %, e.what() = DB::Exception",
        "Setting % is neither a builtin setting nor started with the prefix 'custom_'",
    ])
    func `servers without tokens have each click once, too`(wording: String) async throws {
        let fixture = try await ShippingFixture()
        fixture.clickHouse.setWording(wording)
        let link = try await fixture.service.create("a")
        fixture.clickHouse.forget("insert_deduplication_token", "async_insert", "max_partitions_per_insert_block")
        var keys: [FakeClickHouse.Key] = []
        for number in 1...3 {
            keys += try await fixture.append(link, days: fixture.today, number: Int64(number))
            fixture.clickHouse.next(.answerLost)
            for _ in 0..<2 { _ = await fixture.dispatcher.turn() }
        }
        #expect(try fixture.shipped() == Set(keys))
        #expect(fixture.clickHouse.insertions.allSatisfy { $0.token == nil })
    }

    @Test(arguments: [
        (500, "Code: 241. DB::Exception: Memory limit exceeded. (MEMORY_LIMIT_EXCEEDED)"), (503, ""),
        (403, "Code: 497. DB::Exception: waymark: Not enough privileges. (ACCESS_DENIED)"),
        // A proxy's page, and an error behind a head that was sent too early.
        (200, "<html>Back soon</html>"), (200, "Code: 241. DB::Exception: Memory limit exceeded."),
    ])
    func `a refused batch is the same bytes later`(status: Int, text: String) async throws {
        let fixture = try await ShippingFixture()
        let keys = try await fixture.append(try await fixture.service.create("a"), days: fixture.today)
        fixture.clickHouse.next(.refused(status, text), .refused(status, text))
        let delays = [await fixture.dispatcher.turn(), await fixture.dispatcher.turn()]
        #expect(delays[1] >= 1_000)
        #expect(fixture.dispatcher.metrics.failedAttempts.load(ordering: .relaxed) == 2)
        _ = await fixture.dispatcher.turn()
        #expect(try fixture.shipped() == Set(keys))
        let insertions = fixture.clickHouse.insertions
        #expect(insertions.count == 3)
        #expect(Set(insertions.map(\.body)).count == 1)
        #expect(Set(insertions.map(\.token)).count == 1)
    }

    @Test func `a wrong password ships nothing and loses nothing`() async throws {
        let fixture = try await ShippingFixture(password: "wrong")
        let keys = try await fixture.append(try await fixture.service.create("a"), days: fixture.today)
        _ = await fixture.dispatcher.turn()
        #expect(fixture.clickHouse.insertions.isEmpty)
        #expect(try await fixture.waiting() == 3)
        _ = await fixture.neighbour().turn()
        #expect(try fixture.shipped() == Set(keys))
    }

    @Test func `a repetition waits for the earlier attempt`() async throws {
        let fixture = try await ShippingFixture()
        let keys = try await fixture.append(try await fixture.service.create("a"), days: fixture.today)
        fixture.clickHouse.next(.refused(500, ""))
        _ = await fixture.dispatcher.turn()
        fixture.clickHouse.setRunning(1)
        _ = await fixture.dispatcher.turn()
        #expect(fixture.clickHouse.insertions.count == 1)
        fixture.clickHouse.setRunning(0)
        _ = await fixture.dispatcher.turn()
        #expect(try fixture.shipped() == Set(keys))
    }

    @Test func `clicks of deleted links are deleted`() async throws {
        let fixture = try await ShippingFixture()
        let (kept, gone) = (try await fixture.service.create("a"), try await fixture.service.create("b"))
        let keys = try await fixture.append(kept, days: fixture.today)
        try await fixture.append(gone, days: fixture.today)
        _ = await fixture.dispatcher.turn()
        _ = try await fixture.store.delete(gone.id, expecting: nil, at: fixture.service.clock.now)
        _ = await fixture.dispatcher.turn()
        #expect(try fixture.shipped() == Set(keys))
    }

    @Test func `a deleted link without clicks costs no mutation`() async throws {
        let fixture = try await ShippingFixture()
        let link = try await fixture.service.create("a")
        _ = try await fixture.store.delete(link.id, expecting: nil, at: fixture.service.clock.now)
        _ = await fixture.dispatcher.turn()
        #expect(try await fixture.waiting() == 0)
        #expect(!fixture.clickHouse.statements.contains { $0.contains(" DELETE ") })
    }

    @Test(arguments: [
        ("1 2", true), ("0 65535", true), ("2 1", false), ("-1 2", false), ("1 65536", false), ("1", false),
        ("", false),
        ("1 9223372036854775807", false), ("1 x", false), ("1 2 3", false),
    ])
    func `an order that is damaged is none`(text: String, isOrder: Bool) {
        let secret = StoredSecret(name: BackfillOrder.secretName, value: Array(text.utf8))
        #expect((BackfillOrder(secret) != nil) == isOrder)
    }

    @Test(arguments: [(false, 1), (true, ClickHouseTables.version + 1)])
    func `tables that are not ours get no clicks`(exist: Bool, version: Int) async throws {
        let fixture = try await ShippingFixture()
        let keys = try await fixture.append(try await fixture.service.create("a"), days: fixture.today)
        fixture.clickHouse.setTables(exist: exist, version: version)
        // It has not asked for them yet.
        let next = fixture.neighbour()
        _ = await next.turn()
        #expect(fixture.clickHouse.insertions.isEmpty)
        fixture.clickHouse.setTables()
        _ = await next.turn()
        #expect(try fixture.shipped() == Set(keys))
    }

    @Test func `a backfill ships what is missing of earlier days`() async throws {
        let fixture = try await ShippingFixture()
        let link = try await fixture.service.create("a")
        let keys = try await fixture.append(link, days: fixture.today - 2, fixture.today - 1, fixture.today)
        _ = await fixture.dispatcher.turn()
        fixture.clickHouse.remove { $0.day == UInt16(fixture.today - 2) }
        let order = BackfillOrder(days: fixture.today - 5...fixture.today - 1)
        _ = try await fixture.store.secret(BackfillOrder.secretName) { order.secret.value }
        let next = fixture.neighbour()
        var turns = 0
        while try await !fixture.store.secrets(prefix: BackfillOrder.secretName).isEmpty, turns < 100 {
            _ = await next.turn()
            turns += 1
        }
        for _ in 0..<2 { _ = await next.turn() }
        #expect(try fixture.shipped() == Set(keys))
        #expect(try await fixture.waiting() == 0)
    }

    @Test func `a block that can't be read holds up nothing`() async throws {
        let fixture = try await ShippingFixture()
        let link = try await fixture.service.create("a")
        let damaged = ClickBlock(key: ClickBlock.Key(link: link.id, day: fixture.today, number: 9), bytes: [200])
        try await fixture.store.clickRecords.append([damaged])
        let keys = try await fixture.append(link, days: fixture.today)
        for _ in 0..<2 { _ = await fixture.dispatcher.turn() }
        #expect(try fixture.shipped() == Set(keys))
        #expect(fixture.dispatcher.metrics.unreadable.load(ordering: .relaxed) == 1)
    }

    @Test func `a stop does not wait for ClickHouse`() async throws {
        let fixture = try await ShippingFixture()
        try await fixture.append(try await fixture.service.create("a"), days: fixture.today)
        fixture.clickHouse.next(.silence)
        fixture.dispatcher.start()
        while fixture.clickHouse.insertions.isEmpty { await Task.yield() }
        await fixture.dispatcher.stop()
        #expect(try await fixture.waiting() == 3)
    }
}
