package import WaymarkLinks
package import WaymarkStores

/// An operator's order to ship days again of which ClickHouse lacks blocks. A command writes it into the database, and the server
/// that ships carries it out between its shipments: nobody else knows what is under way.
package struct BackfillOrder: Sendable, Equatable {
    package static let secretName = "clickhouse-backfill"

    /// In days since 1970.
    package var days: ClosedRange<Int>

    package init(days: ClosedRange<Int>) { self.days = days }

    package var secret: StoredSecret {
        StoredSecret(name: Self.secretName, value: Array("\(days.lowerBound) \(days.upperBound)".utf8))
    }

    /// Nil if the text is not an order, or names days that ClickHouse cannot store.
    package init?(_ secret: StoredSecret) {
        let numbers = String(decoding: secret.value, as: UTF8.self).split(separator: " ").map { Int($0) }
        guard secret.name == Self.secretName, numbers.count == 2, let first = numbers[0], let last = numbers[1],
            first <= last, ClickRows.days.contains(first), ClickRows.days.contains(last)
        else { return nil }
        days = first...last
    }

    /// The last day whose blocks are looked for in ClickHouse before they are shipped, and that can be backfilled: today's blocks are
    /// shipped without a look, so one that arrives in this moment would be sent twice.
    package static func lastDay(now: Timestamp) -> Int { now.day - 1 }
}

/// An order that is being carried out.
struct Backfill: Sendable {
    /// Blocks that are looked at in one step.
    private static let page = 2_000

    let order: BackfillOrder
    private var day: Int
    private var last: ClickBlock.Key?
    /// Blocks that were noted.
    private(set) var noted = 0

    init(_ order: BackfillOrder) {
        self.order = order
        day = order.days.lowerBound
    }

    var isAtEnd: Bool { day > order.days.upperBound }

    /// Notes those of the next blocks that ClickHouse does not have.
    ///
    /// - Throws: `StoreError`, `ClickHouseFailure`; then it can be repeated.
    mutating func step(_ store: any ClickShipmentStore, _ shipper: ClickShipper, now: Timestamp) async throws {
        guard day <= min(order.days.upperBound, BackfillOrder.lastDay(now: now)) else {
            day = order.days.upperBound + 1
            return
        }
        let blocks = try await store.shippedBlocks(of: day, after: last, limit: Self.page)
        let present = try await shipper.present(blocks.map(\.block.key))
        let missing = blocks.map(\.block.key).filter { present[$0] == nil }
        if !missing.isEmpty { try await store.noteBlocks(missing) }
        noted += missing.count
        last = blocks.last?.block.key
        guard blocks.isEmpty else { return }
        day += 1
        last = nil
    }
}
