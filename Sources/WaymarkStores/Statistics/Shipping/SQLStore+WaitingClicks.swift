import WaymarkLinks

extension SQLStore {
    package func waitingClicks(before day: Int) async throws(StoreError) -> (blocks: Int, clicks: Int) {
        var sum = (blocks: 0, clicks: 0)
        // Mostly there is no such block. Notes outlast the blocks that were deleted, so only those that are stored count.
        guard let first = try await nextClickDay(after: nil), first < day else { return sum }
        func add(_ notes: [[ClickNote.Block]]) async throws(StoreError) {
            var clicks: [ClickBlock.Key: Int] = [:]
            for block in notes.joined() where block.key.day < day { clicks[block.key] = block.clicks }
            for key in try await storedKeys(among: clicks.keys.inOrder) {
                sum.blocks += 1
                sum.clicks += clicks[key] ?? 0
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

    /// Those of the blocks that are stored and whose link exists, without what is in them.
    private func storedKeys(among keys: [ClickBlock.Key]) async throws(StoreError) -> [ClickBlock.Key] {
        let page = 300
        var stored: [ClickBlock.Key] = []
        for start in stride(from: 0, to: keys.count, by: page) {
            let wanted = keys[start...].prefix(page)
            var rows: SQLText = "("
            var values: [SQLValue] = []
            for key in wanted {
                let places = values.count + 1..<values.count + 4
                rows = rows + (values.isEmpty ? "VALUES (" : ", (") + .places(places) + ")"
                values += [.number(key.day), .number(key.link.rawValue), .number(key.number)]
            }
            let statement = SQLStatement(
                "SELECT day, block.link, block.number FROM click_block AS block WHERE (day, block.link, block.number) IN "
                    + rows
                        + """
                        ) AND (EXISTS (SELECT 1 FROM link WHERE link.id = block.link)
                            OR EXISTS (SELECT 1 FROM long_link WHERE long_link.number = block.link))
                        """, values)
            stored += try await read(as: nil, on: .background, statement) { row in
                ClickBlock.Key(
                    link: LinkID(rawValue: try row.number(1)), day: Int(try row.number(0)), number: try row.number(2))
            }
        }
        return stored
    }
}
