import Logging
import Testing
import WaymarkClient
import WaymarkLinks
import WaymarkSQLite
import WaymarkStores

@testable import WaymarkService

/// A database with clicks, a server that ships them, and ClickHouse.
struct ShippingFixture: Sendable {
    let service: ServiceFixture
    let clickHouse: FakeClickHouse
    let dispatcher: ClickDispatcher

    let store: SQLiteLinkStore
    var today: Int { service.clock.now.day }

    init(password: String = FakeClickHouse.password) async throws {
        service = try await ServiceFixture.withShop()
        store = try #require(service.store.inner as? SQLiteLinkStore)
        clickHouse = try FakeClickHouse()
        dispatcher = Self.dispatcher(service, store, clickHouse, password)
        // Switches shipping on.
        _ = await dispatcher.turn()
    }

    /// Of another server on the same database.
    func neighbour() -> ClickDispatcher { Self.dispatcher(service, store, clickHouse, FakeClickHouse.password) }

    private static func dispatcher(
        _ service: ServiceFixture, _ store: SQLiteLinkStore, _ clickHouse: FakeClickHouse, _ password: String
    ) -> ClickDispatcher {
        let settings = ClickHouseClient.Settings(
            url: clickHouse.url, database: "clicks", user: "waymark", password: password, retentionDays: 100)
        return ClickDispatcher(
            store: store, client: ClickHouseClient(settings, HTTPClient()),
            sha256: { ServiceFixture.digest($0) }, now: { [clock = service.clock] in clock.now },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    /// Stores a block of two people and a program for each day.
    ///
    /// - Returns: their keys as ClickHouse has them.
    @discardableResult
    func append(_ link: Link, days: Int..., number: Int64 = 1) async throws -> [FakeClickHouse.Key] {
        let blocks = days.flatMap { day in
            let time = Timestamp(seconds: Int64(day) * Timestamp.secondsOfDay + 3_600)
            let clicks = [
                Click.person(link.id, at: time), Click.person(link.id, at: time, subscriber: 2),
                Click.program(link.id, at: time),
            ]
            return ClickBatch(clicks).blocks(salts: [:]) { number }.map(\.block)
        }
        try await store.clickRecords.append(blocks)
        return blocks.map {
            FakeClickHouse.Key(link: $0.key.link.rawValue, day: UInt16($0.key.day), block: $0.key.number)
        }
    }

    func waiting() async throws -> Int { try await store.clickShipments.waitingShipments().clicks }

    /// How often each block's rows are there; an error where one is there twice, or a block only in part.
    func shipped() throws -> Set<FakeClickHouse.Key> {
        let rows = clickHouse.rows
        let groups = Dictionary(grouping: rows, by: \.key)
        for (key, rows) in groups { #expect(rows.map(\.place).sorted() == [0, 1, 2], "\(key)") }
        return Set(groups.keys)
    }
}
