package import WaymarkLinks

/// Notes are moved into the shipment that is under way, which is deleted when it has arrived: what is stored is what the other
/// database has yet to get, whatever the order in which transactions commit. Who composes, ends or notes again locks the first row
/// of `click_shipping`, which says that clicks are shipped. Each row has a part of the number of clicks that have not arrived, so
/// that transactions that add clicks don't wait for each other; what has arrived is taken off the first one.
extension SQLStore {
    package var clickShipments: any ClickShipmentStore { self }

    package func setShipsClicks(_ isOn: Bool) async throws(StoreError) {
        let wasOn = try await !read(SQLStatement("SELECT one FROM click_shipping")) { try $0.number(0) }.isEmpty
        if isOn {
            guard !wasOn else { return }
            try await admit { FormatNeed(.v0_3, "notes of clicks for another database") }
            try await forgetNotes()
            try await transact { transaction in
                // From the commit on, no transaction is under way that will have added clicks without a note.
                try transaction.lockClickTotals()
                try transaction.run(
                    SQLStatement("INSERT INTO click_shipping (one, clicks) VALUES (1, 0) ON CONFLICT DO NOTHING"))
            }
        } else {
            if wasOn {
                try await transact { transaction in
                    // None is under way that will have noted clicks either.
                    try transaction.lockClickTotals()
                    try transaction.run(SQLStatement("DELETE FROM click_shipping"))
                    try transaction.run(SQLStatement("DELETE FROM click_shipment"))
                }
            }
            try await forgetNotes()
        }
    }

    /// In pieces, because there may be a million. There are none but here while shipping is off.
    private func forgetNotes() async throws(StoreError) {
        let page = 500
        guard try await !read(SQLStatement("SELECT number FROM click_note LIMIT 1"), { try $0.number(0) }).isEmpty
        else { return }
        let removal = SQLStatement(
            """
            DELETE FROM click_note WHERE number IN (SELECT number FROM click_note ORDER BY number LIMIT $1)
                AND NOT EXISTS (SELECT 1 FROM click_shipping)
            """, .number(page))
        while try await run(removal) == page {}
    }

    package func shipment(limit: Int) async throws(StoreError) -> ClickShipment? {
        // Mostly there is nothing, and a transaction costs a commit.
        var found = try await read(as: nil, on: .background, StoredShipment.oldest) { try StoredShipment($0) }.first
        if found == nil {
            let note = SQLStatement("SELECT number FROM click_note LIMIT 1")
            guard try await !read(as: nil, on: .background, note, { try $0.number(0) }).isEmpty else { return nil }
            found = try await transact { try $0.composeShipment(limit: limit) }
        }
        guard let found else { return nil }
        let deleted = Set(found.note.deletedLinks)
        let keys = found.note.blocks.lazy.map(\.key).filter { !deleted.contains($0.link) }
        return ClickShipment(
            number: found.number, token: found.token, isRepeated: found.isRepeated,
            blocks: try await blocks(of: keys.inOrder),
            deletedLinks: deleted.sorted { $0.rawValue < $1.rawValue })
    }

    package func finishShipment(_ number: Int64) async throws(StoreError) {
        try await transact { transaction in
            guard try transaction.lockShipping() else { return }
            let shipment = SQLStatement("SELECT clicks FROM click_shipment WHERE number = $1", .number(number))
            guard let clicks = try transaction.rows(shipment, { try $0.number(0) }).first else { return }
            try transaction.run([
                SQLStatement("DELETE FROM click_shipment WHERE number = $1", .number(number)),
                SQLStatement("UPDATE click_shipping SET clicks = clicks - $1 WHERE one = 1", .number(clicks)),
            ])
        }
    }

    package func waitingShipments() async throws(StoreError) -> (clicks: Int, oldest: Timestamp?) {
        let waiting = SQLStatement(
            """
            SELECT (SELECT CAST(sum(clicks) AS bigint) FROM click_shipping), (SELECT min(at) FROM click_shipment),
                (SELECT at FROM click_note ORDER BY number LIMIT 1)
            FROM click_shipping WHERE one = 1
            """)
        let found = try await read(as: nil, on: .background, waiting) { row in
            (clicks: Int(max(0, try row.number(0))), oldest: try row.optionalTimestamp(1) ?? row.optionalTimestamp(2))
        }
        return found.first ?? (0, nil)
    }

    package func noteBlocks(_ keys: [ClickBlock.Key]) async throws(StoreError) {
        let page = 500
        let keys = keys.inOrder
        for start in stride(from: 0, to: keys.count, by: page) {
            // Before the notes are looked at: a block that is there has been noted by the same commit.
            let found = try await blocks(of: Array(keys[start...].prefix(page)))
            var note = ClickNote()
            for block in found { note.add(block.block) }
            let candidates = note
            guard !candidates.isEmpty else { continue }
            try await transact(as: nil, weight: page) { transaction in
                guard try transaction.lockShipping() else { return }
                let noted = try transaction.notedKeys(among: candidates)
                var note = candidates
                note.blocks.removeAll { noted.contains($0.key) }
                try transaction.add(note)
            }
        }
    }

    /// - Parameter keys: In their order.
    func blocks(of keys: [ClickBlock.Key]) async throws(StoreError) -> [ShippedBlock] {
        let page = 2_000
        var blocks: [ShippedBlock] = []
        for start in stride(from: 0, to: keys.count, by: page) {
            blocks += try await storedBlocks(Array(keys[start...].prefix(page)))
        }
        return blocks
    }
}

extension Sequence<ClickBlock.Key> {
    /// In the order of the table, each once.
    var inOrder: [ClickBlock.Key] { Set(self).sorted { $0.order < $1.order } }
}

private struct StoredShipment {
    var number: Int64
    var token: String
    var note: ClickNote
    var isRepeated = true

    static let oldest = SQLStatement(
        "SELECT number, token, blocks, links FROM click_shipment ORDER BY number LIMIT 1")

    /// Reads a row of `oldest`.
    init(_ row: any SQLRow) throws {
        number = try row.number(0)
        token = try row.text(1)
        note = try ClickNote(blocks: row.bytes(2), deletedLinks: row.bytes(3))
    }

    init(number: Int64, note: ClickNote) {
        self.number = number
        token = note.token(of: number)
        self.note = note
        isRepeated = false
    }
}

extension SQLTransaction {
    /// - Returns: False if clicks are not shipped.
    fileprivate func lockShipping() throws -> Bool {
        try !rows(SQLStatement("SELECT one FROM click_shipping WHERE one = 1").lockingRows) { try $0.number(0) }.isEmpty
    }

    fileprivate func composeShipment(limit: Int) throws -> StoredShipment? {
        guard try lockShipping() else { return nil }
        // Another server may have composed one.
        if let stored = try rows(StoredShipment.oldest, { try StoredShipment($0) }).first { return stored }
        var taken = TakenNotes()
        while taken.wantsMore, try take(&taken, limit: limit) {}
        guard let at = taken.oldest else { return nil }
        let insertion = SQLStatement(
            """
            INSERT INTO click_shipment (token, at, clicks, blocks, links) VALUES ('', $1, $2, $3, $4) RETURNING number
            """, .number(at), .number(taken.note.clicks), .bytes(taken.note.encodedBlocks),
            .bytes(taken.note.encodedLinks))
        guard let number = try rows(insertion, { try $0.number(0) }).first else { return nil }
        let shipment = StoredShipment(number: number, note: taken.note)
        let naming = SQLStatement(
            "UPDATE click_shipment SET token = $1 WHERE number = $2", .text(shipment.token), .number(number))
        try run([naming] + taken.changes)
        return shipment
    }

    /// - Returns: Whether there may be more.
    private func take(_ taken: inout TakenNotes, limit: Int) throws -> Bool {
        let page = SQLStatement(
            "SELECT number, at, blocks, links FROM click_note WHERE number > $1 ORDER BY number LIMIT $2",
            .number(taken.last), .number(TakenNotes.page))
        let notes = try rows(page) { row in
            (
                number: try row.number(0), at: try row.number(1),
                note: try ClickNote(blocks: row.bytes(2), deletedLinks: row.bytes(3))
            )
        }
        for (number, at, note) in notes {
            guard taken.take(note, number: number, at: at, limit: limit) else { return false }
        }
        return notes.count == TakenNotes.page
    }

    /// Those of the note's blocks that wait already.
    fileprivate func notedKeys(among note: ClickNote) throws -> Set<ClickBlock.Key> {
        let wanted = Set(note.blocks.map(\.key))
        func wantedKeys(_ row: any SQLRow, _ column: Int) throws -> [ClickBlock.Key] {
            try ClickNote(blocks: row.bytes(column), deletedLinks: []).blocks.map(\.key).filter(wanted.contains)
        }
        let shipments = SQLStatement("SELECT blocks FROM click_shipment")
        var noted = Set(try rows(shipments) { try wantedKeys($0, 0) }.joined())
        var after = (last: note.first, number: Int64.min)
        while true {
            let page = SQLStatement(
                """
                SELECT last, number, blocks FROM click_note
                WHERE (last, number) > ($1, $2) AND first <= $3 ORDER BY last, number LIMIT $4
                """, .bytes(after.last), .number(after.number), .bytes(note.last), .number(TakenNotes.page))
            let notes = try rows(page) { row in
                (last: try row.bytes(0), number: try row.number(1), keys: try wantedKeys(row, 2))
            }
            for note in notes { noted.formUnion(note.keys) }
            guard notes.count == TakenNotes.page, let end = notes.last else { return noted }
            after = (end.last, end.number)
        }
    }
}

/// Notes that become a shipment.
private struct TakenNotes {
    static let page = 64
    private static let most = 1_000

    private(set) var note = ClickNote()
    private(set) var last = Int64.min
    private(set) var oldest: Int64?
    /// Statements that leave what was not taken.
    private(set) var changes: [SQLStatement] = []
    private var size = 0

    var wantsMore: Bool { changes.count < Self.most }

    /// - Returns: Whether all of it was taken.
    mutating func take(_ other: ClickNote, number: Int64, at: Int64, limit: Int) -> Bool {
        let before = size
        var rest = other
        let isWhole = note.take(from: &rest, limit: limit, size: &size)
        last = number
        if isWhole {
            changes.append(SQLStatement("DELETE FROM click_note WHERE number = $1", .number(number)))
        } else if size > before {
            changes.append(
                SQLStatement(
                    "UPDATE click_note SET clicks = $1, blocks = $2, links = $3, first = $4, last = $5 WHERE number = $6",
                    .number(rest.clicks), .bytes(rest.encodedBlocks), .bytes(rest.encodedLinks), .bytes(rest.first),
                    .bytes(rest.last), .number(number)))
        }
        if oldest == nil { oldest = at }
        return isWhole
    }
}
