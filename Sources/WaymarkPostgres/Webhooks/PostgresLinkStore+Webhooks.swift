#if PostgreSQL
    import WaymarkLinks
    package import WaymarkStores

    /// The endpoints.
    extension PostgresLinkStore: WebhookStore {
        package var webhooks: any WebhookStore { self }

        package func endpoints() async throws(StoreError) -> [Webhook] {
            try await read(.init(sql: "SELECT id, application, document, types FROM waymark.webhook ORDER BY number")) {
                result in
                try (0..<result.count).map { try Webhook(listed: result, $0) }
            }
        }

        package func endpoint(_ id: String) async throws(StoreError) -> Webhook? {
            let command = Connection.Command(
                sql: "SELECT id, application, document, types FROM waymark.webhook WHERE id = $1::text", .text(id))
            return try await read(command) { $0.count > 0 ? try Webhook(listed: $0, 0) : nil }
        }

        package func insert(
            _ webhook: Webhook, limit: Int, applicationLimit: Int
        ) async throws(StoreError) -> Bool {
            try await writeAlone { transaction in
                // Two insertions must not pass the limit together.
                _ = try transaction.run(.lock, .number(LockKey.registry))
                let count = try transaction.run(sql: "SELECT count(*) FROM waymark.webhook").number(0, 0)
                guard count < limit else { return false }
                if let id = webhook.application {
                    let own = try transaction.run(
                        sql: "SELECT count(*) FROM waymark.webhook WHERE application = $1::text", .text(id.text))
                    guard try own.number(0, 0) < applicationLimit,
                        try transaction.run(.application, .text(id.text)).count > 0
                    else { return false }
                }
                _ = try transaction.run(sql: Webhook.insertion, arguments: webhook.arguments)
                if webhook.activeTypes.contains(.linkExpired) {
                    _ = try transaction.run(
                        sql: """
                            INSERT INTO waymark.expiry_report (one, expires_at, link) VALUES (1, $1::int8, $2::int8)
                            ON CONFLICT (one) DO NOTHING
                            """, .number(webhook.createdAt.rawValue), .number(.max))
                }
                return true
            }
        }

        package func updateWebhook(
            _ id: String, event: OutboxEvent?, _ change: @escaping @Sendable (inout Webhook) -> Bool
        ) async throws(StoreError) -> Webhook? {
            try await writeAlone { transaction in
                guard var webhook = try transaction.webhook(id), change(&webhook) else { return nil }
                try transaction.save(webhook)
                if let event { try transaction.publish([event]) }
                return webhook
            }
        }

        package func deleteWebhook(_ id: String) async throws(StoreError) -> Bool {
            try await writeAlone { transaction in
                let removed = try transaction.run(
                    sql: """
                        WITH removed AS (DELETE FROM waymark.webhook WHERE id = $1::text RETURNING number)
                        INSERT INTO waymark.webhook_removed SELECT number FROM removed
                        """, .text(id))
                return removed.changed > 0
            }
        }

        package func holdsDispatch() async throws(StoreError) -> Bool {
            try await inBackground { connection, deadline in
                // Taken once per connection: PostgreSQL would count a second lock of the same session.
                let held = try connection.run(
                    .init(
                        sql: """
                            SELECT CASE WHEN EXISTS (
                                SELECT FROM pg_locks
                                WHERE locktype = 'advisory' AND pid = pg_backend_pid() AND objsubid = 1
                                    AND classid::int8 = $1::int8 >> 32 AND objid::int8 = $1::int8 & 4294967295
                                    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                            ) THEN true ELSE pg_try_advisory_lock($1::int8) END
                            """, .number(LockKey.dispatch)), by: deadline)
                return try held.number(0, 0) == 1
            }
        }
    }

    extension Transaction {
        /// An endpoint, locked against other changes.
        func webhook(_ id: String) throws -> Webhook? {
            let found = try run(
                sql: "SELECT id, application, document FROM waymark.webhook WHERE id = $1::text FOR UPDATE", .text(id))
            return found.count > 0 ? try Webhook(found, 0) : nil
        }

        func save(_ webhook: Webhook) throws {
            _ = try run(
                sql: "UPDATE waymark.webhook SET types = $1::int8, document = $2::bytea WHERE id = $3::text",
                .number(webhook.activeTypes.rawValue), .bytes(webhook.encoded), .text(webhook.id))
        }
    }

    extension Webhook {
        static let insertion = """
            INSERT INTO waymark.webhook (id, application, types, document)
            VALUES ($1::text, $2::text, $3::int8, $4::bytea)
            """

        /// Of `insertion`.
        var arguments: [Argument] {
            [
                .text(id), application.map { .text($0.text) } ?? .null, .number(activeTypes.rawValue), .bytes(encoded),
            ]
        }

        init(listed result: QueryResult, _ row: Int) throws {
            self.init(
                id: try result.text(row, 0), application: try result.optionalText(row, 1).flatMap { ApplicationID($0) },
                types: try result.number(row, 3), encoded: try result.bytes(row, 2))
        }

        init(_ result: QueryResult, _ row: Int) throws {
            try self.init(
                id: try result.text(row, 0), application: try result.optionalText(row, 1).flatMap { ApplicationID($0) },
                encoded: try result.bytes(row, 2))
        }
    }
#endif
