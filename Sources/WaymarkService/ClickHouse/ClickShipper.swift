import WaymarkLinks
import WaymarkStores

/// Sends a shipment so that each of its clicks is in ClickHouse once, whatever happened before.
///
/// The token keeps a batch that arrives twice from counting twice, but only where ClickHouse knows tokens and still has this
/// one. So a batch that may have been sent before is compared with what is there.
struct ClickShipper: Sendable {
    /// Blocks that one query asks for, and links that one statement deletes: their numbers stay below the 256 KiB that ClickHouse
    /// reads of a statement.
    private static let page = 3_000
    private static let deletions = 10_000

    let client: ClickHouseClient
    let tables: ClickHouseTables
    let sha256: @Sendable ([UInt8]) -> [UInt8]

    /// What was sent.
    struct Sending {
        var clicks = 0
        var unreadable: [ClickBlock.Key] = []
    }

    /// - Parameters:
    ///   - today: in days since 1970. Blocks of earlier days may have been sent by another shipment, because
    ///     `waymark clickhouse backfill` notes such blocks again.
    ///   - isDoubted: Whether any block may have been sent by another shipment.
    func ship(
        _ shipment: ClickShipment, today: Int, isDoubted: Bool = false
    ) async throws(ClickHouseFailure) -> Sending {
        let queryID = Self.queryID(of: shipment.token)
        var blocks = shipment.blocks
        if shipment.isRepeated {
            guard
                try await client.number(
                    tables.running(queryID), options: tables.cluster == nil ? [] : [("skip_unavailable_shards", "1")])
                    == 0
            else { throw .underWay }
        }
        let suspects = blocks.lazy.filter { shipment.isRepeated || isDoubted || $0.block.key.day < today }.map(
            \.block.key)
        if !suspects.isEmpty {
            let present = try await self.present(Array(suspects))
            blocks.removeAll { present[$0.block.key] != nil }
        }
        let rows = ClickRows(blocks, shipment: shipment.token)
        if rows.count > 0 {
            // On a cluster a replica may not know yet what another one has; both share the tokens, for each shard and partition.
            let isWhole = blocks.count == shipment.blocks.count || tables.cluster != nil
            let token = isWhole ? shipment.token : shipment.token + "-" + digest(blocks)
            let options: [ClickHouseClient.Option] = tables.cluster == nil ? [] : [("insert_distributed_sync", "1")]
            try await client.insert(
                rows.bytes, by: tables.insertion, token: token, queryID: Self.queryID(of: token), options: options)
        }
        var links = shipment.deletedLinks[...]
        while !links.isEmpty {
            // A deletion rewrites parts of the table, and most deleted links have no clicks.
            let clicked = try await client.rows(tables.clicked(among: links.prefix(Self.deletions))).compactMap {
                $0.first.flatMap { Int64($0) }.map { LinkID(rawValue: $0) }
            }
            if !clicked.isEmpty {
                try await client.execute(
                    tables.deletion(of: clicked),
                    options: tables.cluster == nil ? [] : [("distributed_ddl_task_timeout", "0")])
            }
            try await deleteActivity(of: links.prefix(Self.deletions))
            links = links.dropFirst(Self.deletions)
        }
        return Sending(clicks: rows.count, unreadable: rows.unreadable)
    }

    /// Conversions outlive their link, here as in the database.
    private func deleteActivity(of links: ArraySlice<LinkID>) async throws(ClickHouseFailure) {
        let counted: [LinkID]
        do throws(ClickHouseFailure) {
            counted = try await client.rows(DailyCounterTable.activity.counted(in: tables, among: links)).compactMap {
                $0.first.flatMap { Int64($0) }.map { LinkID(rawValue: $0) }
            }
        } catch {
            // Clicks are shipped without the tables of counters, too.
            guard error.isOfMissingTables else { throw error }
            return
        }
        guard !counted.isEmpty else { return }
        try await client.execute(
            DailyCounterTable.activity.deletion(in: tables, of: counted),
            options: tables.cluster == nil ? [] : [("distributed_ddl_task_timeout", "0")])
    }

    /// Letters, digits and hyphens.
    static func queryID(of token: String) -> String {
        "waymark-" + token.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    }

    /// Which of the blocks are there, with the number of their rows.
    func present(_ keys: [ClickBlock.Key]) async throws(ClickHouseFailure) -> [ClickBlock.Key: Int] {
        var present: [ClickBlock.Key: Int] = [:]
        var rest = keys[...]
        while !rest.isEmpty {
            for row in try await client.rows(tables.presence(of: rest.prefix(Self.page))) where row.count == 4 {
                guard let link = Int64(row[0]), let day = Int(row[1]), let block = Int64(row[2]),
                    let count = Int(row[3])
                else { continue }
                present[ClickBlock.Key(link: LinkID(rawValue: link), day: day, number: block)] = count
            }
            rest = rest.dropFirst(Self.page)
        }
        return present
    }

    private func digest(_ blocks: [ShippedBlock]) -> String {
        var writer = RowBinaryWriter()
        for shipped in blocks {
            writer.number(shipped.block.key.link.rawValue)
            writer.number(shipped.block.key.day)
            writer.number(shipped.block.key.number)
        }
        return sha256(writer.bytes).prefix(8).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
