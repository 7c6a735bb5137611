import Foundation
import Testing
import WaymarkLinks
import WaymarkStores
import WaymarkTestSupport

@testable import WaymarkService

/// Records that the store does not take, in files beside it.
@Suite struct ClickSpoolTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var path: String { folder.path("links.sqlite.clicks") }

    private var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0 != "disk" }.sorted() }
    }

    private func spool(limit: Int = 1 << 30, minimumFree: Int = 0, identity: UInt64 = 7) -> ClickSpool {
        ClickSpool(path: path, limit: limit, minimumFree: minimumFree, identity: identity)
    }

    private func block(_ number: Int, size: Int = 100) -> PackedBlock {
        let key = ClickBlock.Key(link: LinkID(rawValue: Int64(number)), day: 20_000, number: Int64(number))
        return (ClickBlock(key: key, bytes: [UInt8](repeating: UInt8(number % 251), count: size)), number)
    }

    private func taken(from spool: ClickSpool, limit: Int = 3) -> [PackedBlock] {
        var blocks: [PackedBlock] = []
        while let page = spool.next(limit: limit) {
            blocks += page.blocks
            spool.settle(page)
        }
        return blocks
    }

    private func fixture(
        spoolBytes: Int = 1 << 30, at path: String? = nil, pendingBytes: Int = 64 << 20
    ) async throws -> ServiceFixture {
        var configuration = ServiceConfiguration()
        configuration.clickSpool = path ?? self.path
        configuration.clickSpoolBytes = spoolBytes
        configuration.pendingClickBytes = pendingBytes
        configuration.minimumFreeDisk = 0
        let fixture = try await ServiceFixture.withShop(configuration: configuration)
        fixture.service.openSpool()
        return fixture
    }

    private func records(of link: Link, in fixture: ServiceFixture) async throws -> [ClickRecord] {
        let blocks = try await fixture.store.inner.clickRecords.blocks(
            of: link.id, days: 0...100_000, after: nil, limit: 10_000)
        return try blocks.flatMap { try #require($0.contents).records }
    }

    private func visit(_ link: Link, times: Int = 1, in fixture: ServiceFixture) {
        for number in 0..<times {
            fixture.service.clicks.record(.person(link.id, at: fixture.clock.now, subscriber: UInt64(number)))
        }
    }

    @Test func `blocks come back in order and leave no file`() throws {
        let spool = spool()
        let sizes = [0, 1, 100, 3_000_000, 40_000, 40_000]
        let blocks = sizes.enumerated().map { block($0 + 1, size: $1) }
        #expect(spool.append(Array(blocks[..<2])) && spool.append(Array(blocks[2...])))
        #expect(try files == ["links.sqlite.clicks-1"])
        let mode = try FileManager.default.attributesOfItem(atPath: path + "-1")[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let taken = taken(from: spool)
        #expect(taken.map(\.block) == blocks.map(\.block))
        #expect(taken.map(\.count) == [1, 2, 3, 4, 5, 6])
        #expect(try files.isEmpty && spool.bytes == 0)
    }

    /// So many bytes cut from a file with three blocks of 140 bytes, or changed at that distance from its end; and how many
    /// blocks are left.
    @Test(
        arguments: [
            (cut: 0, changed: nil, left: 3), (1, nil, 2), (139, nil, 2), (140, nil, 2), (141, nil, 1), (0, 1, 2),
            (0, 130, 2), (0, 140, 2), (0, 141, 1), (420, nil, 0), (430, nil, 0),
        ] as [(cut: Int, changed: Int?, left: Int)])
    func `of a torn file the whole blocks are kept`(cut: Int, changed: Int?, left: Int) throws {
        do {
            let spool = spool()
            #expect(spool.append((1...3).map { block($0) }))
        }
        let url = URL(fileURLWithPath: path + "-1")
        var bytes = try Data(contentsOf: url)
        #expect(bytes.count == 24 + 3 * 140)
        bytes.removeLast(cut)
        if let changed { bytes[bytes.count - changed] ^= 0x40 }
        try bytes.write(to: url)
        let next = spool()
        #expect(next.adopt().isEmpty)
        #expect(taken(from: next).map(\.count) == Array((1...3).prefix(left)))
        #expect(next.takeLosses().count == (cut % 140 == 0 && changed == nil || cut > 420 ? 0 : 1))
        #expect(try files.isEmpty)
    }

    @Test func `the last of the disk is left to the database`() throws {
        let spool = spool(minimumFree: 1 << 60)
        #expect(!spool.append([block(1)]))
        #expect(spool.problem == "the disk is full")
        #expect(try files.isEmpty && spool.isEmpty)
    }

    @Test func `a file that can't be made is a problem and no crash`() throws {
        let spool = ClickSpool(path: folder.path("nowhere/clicks"), limit: 1 << 30, minimumFree: 0, identity: 7)
        #expect(spool.adopt().isEmpty && !spool.append([block(1)]))
        #expect(spool.problem == "No such file or directory")
    }

    /// Clicks of 24 bytes, in a memory of 9,600: a quarter and three eighths of it.
    @Test(
        arguments: [(clicks: 99, pressure: nil), (100, .write), (149, .write), (150, .spill)]
            as [(Int, ClickRecordQueue.Pressure?)])
    func `waiting clicks are written before their turn`(clicks: Int, pressure: ClickRecordQueue.Pressure?) {
        var queue = ClickRecordQueue(limit: 9_600)
        let waiting = (0..<clicks).map { Click.person(LinkID(rawValue: Int64($0))) }
        queue.take(waiting.span)
        #expect(queue.takePressure() == pressure)
        #expect(queue.takePressure() == nil, "it is known")
    }

    @Test func `two processes do not share a file`() throws {
        let one = spool()
        let other = spool()
        #expect(one.append([block(1)]) && other.append([block(2)]))
        #expect(other.adopt().isEmpty)
        #expect(try files.count == 2)
        #expect(taken(from: other).map(\.count) == [2])
        #expect(taken(from: one).map(\.count) == [1])
        #expect(other.append([block(3)]))
        #expect(try files.count == 1)
    }

    @Test func `a start takes over what all others have left`() throws {
        do {
            let one = spool()
            let other = spool()
            #expect(one.append([block(1)]) && other.append([block(2)]))
        }
        let next = spool()
        #expect(next.adopt().isEmpty && next.append([block(3)]))
        #expect(taken(from: next).map(\.count) == [1, 2, 3])
    }

    @Test func `files that are not this database's are left alone`() throws {
        do { #expect(spool(identity: 8).append([block(1)])) }
        try folder.write("waymark notes: what to buy", to: "links.sqlite.clicks-2")
        let spool = spool()
        let sentences = spool.adopt()
        #expect(sentences.count == 2)
        #expect(sentences.first?.contains("another database") == true)
        #expect(spool.append([block(3)]) && taken(from: spool).map(\.count) == [3])
        #expect(try files == ["links.sqlite.clicks-1", "links.sqlite.clicks-2"])
    }

    @Test func `stored files make room before all is stored`() throws {
        let spool = spool(limit: 16_000)
        for number in 1...12 { #expect(spool.append([block(number, size: 1_000)])) }
        #expect(try files.count > 5)
        for number in 13...30 where spool.append([block(number, size: 1_000)]) {}
        #expect(spool.problem?.contains("16000 bytes") == true)
        let page = try #require(spool.next(limit: 1))
        spool.settle(page)
        #expect(spool.append([block(31, size: 900)]), "its file is gone")
        #expect(spool.problem == nil)
    }

    @Test func `records survive a crash while the store is away`() async throws {
        let fixture = try await fixture()
        let links = [try await fixture.create("one"), try await fixture.create("two")]
        fixture.store.fail(.appendClicks)
        for turn in 1...3 {
            for link in links { visit(link, times: 1_000 * turn, in: fixture) }
            await #expect(throws: StoreError.self) { try await fixture.service.flushRecords() }
        }
        let recordWriter = try #require(fixture.service.recordWriter)
        #expect(recordWriter.metrics.waiting == 0 && recordWriter.waitingBytes == 0 && recordWriter.spooledBytes > 0)
        // What a crash leaves: the process still holds the lock of its own files.
        let left = folder.path("left")
        try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: false)
        for file in try files where file != "left" {
            try FileManager.default.copyItem(atPath: folder.path(file), toPath: left + "/" + file)
        }
        var configuration = fixture.service.configuration
        configuration.clickSpool = left + "/links.sqlite.clicks"
        fixture.store.fail(.appendClicks, false)
        let next = fixture.neighbour(configuration)
        try await next.load()
        next.openSpool()
        await next.replayRecords()
        for link in links { #expect(try await records(of: link, in: fixture).count == 6_000) }
        #expect(next.recordWriter?.spooledBytes == 0)
        // Had only the answer been lost.
        await fixture.service.replayRecords()
        for link in links { #expect(try await records(of: link, in: fixture).count == 6_000) }
        let report = try await fixture.store.inner.clickTotals.linkTotals(
            pages: [LinkTotals.page(of: links[0].id)], days: fixture.clock.now.day..<fixture.clock.now.day + 1)
        let row = try #require(report.first)
        let totals = try LinkTotals(encoded: row.bytes)
        #expect(report.count == 1 && totals[links[0].id] == ClickCount(people: 6_000))
        #expect(try files == ["left"])
    }

    @Test(.enabled(if: TemporaryMount.isPossible, "needs the right to mount"))
    func `a full disk keeps records in memory, then drops them`() async throws {
        let disk = try TemporaryMount(on: folder, bytes: 100_000)
        let fixture = try await fixture(
            at: disk.path + "/clicks", pendingBytes: 60_000 * ClickBatch.clickBytes)
        let link = try await fixture.create("one")
        fixture.store.fail(.appendClicks)
        let recordWriter = try #require(fixture.service.recordWriter)
        for _ in 0..<10 {
            visit(link, times: 10_000, in: fixture)
            await #expect(throws: StoreError.self) { try await fixture.service.flushRecords() }
        }
        #expect(recordWriter.currentSpool?.problem == "No space left on device")
        let metrics = recordWriter.metrics
        #expect(metrics.waiting > 50_000 && metrics.dropped > 0)
        #expect(recordWriter.waitingBytes <= 60_000 * ClickBatch.clickBytes + 5_000)
        #expect(recordWriter.takeDropped() == metrics.dropped)
        try disk.resize(to: 10_000_000)
        await #expect(throws: StoreError.self) { try await fixture.service.flushRecords() }
        #expect(recordWriter.metrics.waiting == 0 && recordWriter.currentSpool?.problem == nil)
        fixture.store.fail(.appendClicks, false)
        await fixture.service.replayRecords()
        #expect(try await records(of: link, in: fixture).count == 100_000 - metrics.dropped)
        #expect(recordWriter.spooledBytes == 0)
    }

    @Test func `beyond both bounds records are dropped and counted`() async throws {
        let fixture = try await fixture(spoolBytes: 20_000, pendingBytes: 2_000 * ClickBatch.clickBytes)
        let link = try await fixture.create("one")
        fixture.store.fail(.appendClicks)
        for _ in 0..<100 {
            visit(link, times: 100, in: fixture)
            await #expect(throws: StoreError.self) { try await fixture.service.flushRecords() }
        }
        let metrics = try #require(fixture.service.recordWriter?.metrics)
        #expect(metrics.waiting > 1_800 && metrics.dropped > 1_000)
        fixture.store.fail(.appendClicks, false)
        try await fixture.service.flushRecords()
        await fixture.service.replayRecords()
        try await fixture.service.clicks.flush()
        #expect(try await records(of: link, in: fixture).count == 10_000 - metrics.dropped)
        #expect(try await fixture.store.inner.link(link.id)?.clicks == 10_000)
    }

    @Test func `a store that keeps writers waiting holds up no clicks`() async throws {
        let fixture = try await fixture(pendingBytes: 10_000 * ClickBatch.clickBytes)
        let link = try await fixture.create("one")
        let recordWriter = try #require(fixture.service.recordWriter)
        let gate = Gate()
        fixture.store.before(.appendClicks) { await gate.pass() }
        visit(link, times: 100, in: fixture)
        let flush = Task { try await fixture.service.flushRecords() }
        await gate.waitForArrivals()
        for _ in 0..<10 {
            visit(link, times: 5_000, in: fixture)
            await recordWriter.spillWaiting()
        }
        #expect(recordWriter.metrics.waiting == 100 && recordWriter.metrics.dropped == 0)
        gate.open()
        try await flush.value
        await fixture.service.replayRecords()
        #expect(try await records(of: link, in: fixture).count == 50_100)
    }

    @Test func `many waiting clicks are written or spooled early`() async throws {
        let fixture = try await fixture(pendingBytes: 10_000 * ClickBatch.clickBytes)
        let link = try await fixture.create("one")
        let recordWriter = try #require(fixture.service.recordWriter)
        let gate = Gate()
        fixture.store.before(.appendClicks) { await gate.pass() }
        recordWriter.beginRelief()
        visit(link, times: 3_000, in: fixture)
        fixture.service.clicks.gather()
        await gate.waitForArrivals()
        visit(link, times: 5_000, in: fixture)
        fixture.service.clicks.gather()
        while recordWriter.spooledBytes == 0 { await Task.yield() }
        await recordWriter.endRelief()
        // Those at the gate, and too few to press.
        #expect(recordWriter.metrics.waiting < 3_000 + 3_750 && recordWriter.metrics.dropped == 0)
        gate.open()
        try await fixture.service.flushRecords()
        await fixture.service.replayRecords()
        #expect(try await records(of: link, in: fixture).count == 8_000)
    }

    @Test func `a spool of no bytes only gives what it has`() throws {
        do { #expect(spool().append([block(1)])) }
        let spool = spool(limit: 0)
        #expect(spool.adopt().isEmpty && !spool.isWritable && !spool.append([block(2)]))
        #expect(taken(from: spool).map(\.count) == [1])
    }

    @Test func `names that no spool gives are left alone`() throws {
        let names = ["0", "01", "+1", "-1", "1000000001", "\(Int.max)"].map { "links.sqlite.clicks-" + $0 }
        for name in names { try folder.write("", to: name) }
        let spool = spool()
        #expect(spool.adopt().isEmpty && spool.append([block(1)]))
        #expect(taken(from: spool).map(\.count) == [1])
        #expect(try files == names.sorted())
    }

    @Test func `visitors of days without the store are told apart`() async throws {
        let fixture = try await fixture()
        let link = try await fixture.create("one")
        fixture.clock.advance(milliseconds: 3 * 86_400_000)
        fixture.store.fail(.appendClicks)
        fixture.store.fail(.secret)
        visit(link, times: 10, in: fixture)
        await #expect(throws: StoreError.self) { try await fixture.service.flushRecords() }
        #expect(fixture.service.recordWriter?.metrics.waiting == 0)
        fixture.store.fail(.appendClicks, false)
        fixture.store.fail(.secret, false)
        visit(link, times: 10, in: fixture)
        try await fixture.service.flushRecords()
        await fixture.service.replayRecords()
        let records = try await records(of: link, in: fixture)
        #expect(records.count == 20 && Set(records.compactMap(\.visitor)).count == 10)
        let salt = try await fixture.store.inner.secret("visitors-\(fixture.clock.now.day)") { [] }
        #expect(salt.count == 16, "the store has the salt of that day")
    }

    @Test func `records of a link that was deleted meanwhile are gone`() async throws {
        let fixture = try await fixture()
        let links = [try await fixture.create("one"), try await fixture.create("two")]
        fixture.store.fail(.appendClicks)
        for link in links { visit(link, times: 10, in: fixture) }
        await #expect(throws: StoreError.self) { try await fixture.service.flushRecords() }
        _ = try await fixture.store.inner.delete(
            [LinkRemoval(id: links[0].id, expecting: nil, at: fixture.clock.now)])
        fixture.store.fail(.appendClicks, false)
        await fixture.service.replayRecords()
        #expect(try await records(of: links[0], in: fixture).isEmpty)
        #expect(try await records(of: links[1], in: fixture).count == 10)
        #expect(try files.isEmpty)
    }

    @Test func `records of days that were deleted stay away`() async throws {
        let fixture = try await fixture()
        let link = try await fixture.create("one")
        fixture.store.fail(.appendClicks)
        for _ in 0..<2 {
            visit(link, times: 10, in: fixture)
            await #expect(throws: StoreError.self) { try await fixture.service.flushRecords() }
            fixture.clock.advance(milliseconds: 86_400_000)
        }
        fixture.store.fail(.appendClicks, false)
        try await fixture.service.recordWriter?.replay(from: fixture.clock.now.day - 1)
        #expect(try await records(of: link, in: fixture).count == 10)
        #expect(try files.isEmpty)
    }

    @Test func `a stop without the store leaves records to the next start`() async throws {
        let fixture = try await fixture()
        let link = try await fixture.create("one")
        fixture.store.fail(.appendClicks)
        visit(link, times: 10, in: fixture)
        await fixture.service.stop()
        #expect(fixture.service.recordWriter?.metrics.waiting == 0)
        #expect(try files.count == 1)
    }
}
