import WaymarkLinks

extension SQLStore {
    package func waitingClicks(before day: Int) async throws(StoreError) -> (blocks: Int, clicks: Int) {
        var sum = (blocks: 0, clicks: 0)
        // Mostly there is no such block. Notes outlast the blocks that were deleted, so only those that are stored count.
        guard let first = try await nextClickDay(after: nil), first < day else { return sum }
        func add(_ notes: [[ClickNote.Block]]) async throws(StoreError) {
            var clicks: [ClickBlock.Key: Int] = [:]
            for block in notes.joined() where block.key.day < day { clicks[block.key] = block.clicks }
            for found in try await blocks(of: clicks.keys.inOrder) {
                sum.blocks += 1
                sum.clicks += clicks[found.block.key] ?? 0
            }
        }
        let shipments = SQLStatement("SELECT blocks FROM click_shipment")
        try await add(
            try await read(as: nil, on: .background, shipments) {
                try ClickNote(blocks: $0.bytes(0), deletedLinks: []).blocks
            })
        let start = ClickNote(
            blocks: [.init(key: ClickBlock.Key(link: LinkID(rawValue: .min), day: day, number: .min), clicks: 0)])
        let limit = 64
        var last = Int64.min
        while true {
            let page = SQLStatement(
                "SELECT number, blocks FROM click_note WHERE number > $1 AND first < $2 ORDER BY number LIMIT $3",
                .number(last), .bytes(start.first), .number(limit))
            let notes = try await read(as: nil, on: .background, page) { row in
                (number: try row.number(0), blocks: try ClickNote(blocks: row.bytes(1), deletedLinks: []).blocks)
            }
            try await add(notes.map(\.blocks))
            guard notes.count == limit, let end = notes.last else { return sum }
            last = end.number
        }
    }
}
