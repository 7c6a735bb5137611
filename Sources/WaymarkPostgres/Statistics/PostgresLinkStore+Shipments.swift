#if PostgreSQL
    import WaymarkLinks
    package import WaymarkStores

    extension PostgresLinkStore {
        package func holdsShipping() async throws(StoreError) -> Bool { try await holds(LockKey.shipping) }

        package func storedBlocks(_ keys: [ClickBlock.Key]) async throws(StoreError) -> [ShippedBlock] {
            guard !keys.isEmpty else { return [] }
            return try await inBackground { connection, deadline in
                let result = try connection.run(
                    .init(
                        sql: ShipmentSQL.blocks, .numbers(keys.map { Int64($0.day) }),
                        .numbers(keys.map(\.link.rawValue)), .numbers(keys.map(\.number))), by: deadline)
                return try ShippedBlock.all(of: result)
            }
        }

        package func shippedBlocks(
            of day: Int, after: ClickBlock.Key?, limit: Int
        ) async throws(StoreError) -> [ShippedBlock] {
            let start = ClickBlock.Key(link: LinkID(rawValue: .min), day: day, number: .min)
            let after = after ?? start
            guard after.day <= day, limit > 0 else { return [] }
            let last = after.day < day ? start : after
            return try await inBackground { connection, deadline in
                let result = try connection.run(
                    .init(
                        sql: ShipmentSQL.blocksOfDay, .number(Int64(day)), .number(last.link.rawValue),
                        .number(last.number), .number(Int64(limit))), by: deadline)
                return try ShippedBlock.all(of: result)
            }
        }
    }

    extension ShippedBlock {
        fileprivate static func all(of result: QueryResult) throws -> [ShippedBlock] {
            try (0..<result.count).map { row in
                guard let application = ApplicationID(try result.text(row, 4)),
                    let domain = HostName(try result.text(row, 5))
                else { throw QueryResult.damaged }
                let key = ClickBlock.Key(
                    link: LinkID(rawValue: try result.number(row, 1)), day: Int(try result.number(row, 0)),
                    number: try result.number(row, 2))
                return ShippedBlock(
                    block: ClickBlock(key: key, bytes: try result.bytes(row, 3)), application: application,
                    domain: domain, slug: try result.optionalText(row, 6))
            }
        }
    }

    extension Transaction {
        func lockClickTotals() throws { _ = try run(.lock, .number(LockKey.totals)) }

        func add(_ note: ClickNote) throws {
            guard !note.isEmpty else { return }
            _ = try exchange([.init(note)])
        }
    }

    extension Connection.Command {
        /// Notes it if clicks are shipped.
        ///
        /// - Parameter statement: `addClickNote` is the last change of its transaction: it locks a row that all change.
        init(_ note: ClickNote, _ statement: Statement = .addClickNote) {
            self.init(
                statement, .number(Int64(note.clicks)), .bytes(note.first), .bytes(note.last),
                .bytes(note.encodedBlocks), .bytes(note.encodedLinks))
        }
    }

    extension Statement {
        static let addingClickNote = addingClickNote(
            """
            UPDATE waymark.click_shipping SET clicks = clicks + $1::int8 WHERE one = 1 RETURNING one
            """)

        /// Under the share's lock.
        static let addingClickNoteOfShare = addingClickNote(
            """
            INSERT INTO waymark.click_shipping AS shipping (one, clicks)
            SELECT 1 + \(share), $1::int8 FROM waymark.click_shipping WHERE one = 1
            ON CONFLICT (one) DO UPDATE SET clicks = shipping.clicks + excluded.clicks RETURNING one
            """)

        /// - Parameter counting: Returns a row if clicks are shipped.
        private static func addingClickNote(_ counting: String) -> String {
            """
            WITH shipping AS (\(counting))
            INSERT INTO waymark.click_note (at, clicks, first, last, blocks, links)
            SELECT floor(extract(epoch FROM now()) * 1000)::int8, $1::int8, $2::bytea, $3::bytea, $4::bytea, $5::bytea
            FROM shipping
            """
        }
    }

    enum ShipmentSQL {
        /// Joins the owner of each `block`, which long links have no slug of.
        private static let owner = """
            CROSS JOIN LATERAL (
                SELECT application, host, slug FROM waymark.link WHERE link.id = block.link
                UNION ALL
                SELECT application, host, NULL FROM waymark.long_link WHERE long_link.number = block.link
            ) AS owner
            JOIN waymark.application ON application.number = owner.application
            JOIN waymark.host ON host.number = owner.host
            ORDER BY block.day, block.link, block.number
            """
        private static let columns = """
            SELECT block.day, block.link, block.number, block.bytes, application.name, host.name, owner.slug
            """
        static let blocks = """
            \(columns)
            FROM unnest($1::int8[], $2::int8[], $3::int8[]) AS given (day, link, number)
                JOIN waymark.click_block AS block
                    ON block.day = given.day AND block.link = given.link AND block.number = given.number
            \(owner)
            """
        static let blocksOfDay = """
            \(columns)
            FROM (
                SELECT * FROM waymark.click_block AS block
                WHERE day = $1::int8 AND (link, number) > ($2::int8, $3::int8) AND \(Statement.isOwned("block"))
                ORDER BY link, number LIMIT $4::int8
            ) AS block
            \(owner)
            """
    }
#endif
