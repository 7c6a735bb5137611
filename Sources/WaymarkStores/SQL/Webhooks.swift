import WaymarkLinks

/// The endpoints.
extension SQLStore {
    package var webhooks: any WebhookStore { self }

    package func endpoints() async throws(StoreError) -> [Webhook] {
        try await read(Webhook.all) { try Webhook(listed: $0) }
    }

    package func endpoint(_ id: String) async throws(StoreError) -> Webhook? {
        try await read(Webhook.one(id)) { try Webhook(listed: $0) }.first
    }

    package func insert(
        _ webhook: Webhook, limit: Int, applicationLimit: Int
    ) async throws(StoreError) -> Bool {
        try await admit { webhook.need }
        return try await transact { transaction in
            // Two insertions must not pass the limit together.
            try transaction.lockRegistry()
            guard try transaction.count(SQLStatement("SELECT count(*) FROM webhook")) < limit else { return false }
            if let id = webhook.application {
                let own = SQLStatement("SELECT count(*) FROM webhook WHERE application = $1", .text(id.text))
                guard try transaction.count(own) < applicationLimit,
                    try !transaction.rows(.number(of: id), { try $0.number(0) }).isEmpty
                else { return false }
            }
            try transaction.run(webhook.insertion)
            if webhook.activeTypes.contains(.linkExpired) {
                try transaction.run(
                    SQLStatement(
                        """
                        INSERT INTO expiry_report (one, expires_at, link) VALUES (1, $1, $2) ON CONFLICT (one) DO NOTHING
                        """, .time(webhook.createdAt), .number(Int64.max)))
            }
            try transaction.audit(
                .webhookCreated, AuditObject(.webhook, webhook.id), of: webhook.application, after: webhook.auditValues)
            return true
        }
    }

    package func updateWebhook(
        _ id: String, event: OutboxEvent?, need: FormatNeed?, _ change: @escaping @Sendable (inout Webhook) -> Bool
    ) async throws(StoreError) -> Webhook? {
        try await admit { need }
        return try await transact { transaction in
            guard let old = try transaction.webhook(id) else { return nil }
            var webhook = old
            guard change(&webhook) else { return nil }
            try transaction.run(webhook.update)
            if let event { try transaction.publish([event]) }
            guard webhook != old else { return webhook }
            try transaction.audit(
                webhook.secrets == old.secrets ? .webhookChanged : .webhookRotated, AuditObject(.webhook, id),
                of: webhook.application, from: old.auditValues, to: webhook.auditValues)
            return webhook
        }
    }

    package func addNewTypesToEndpoints() async throws(StoreError) {
        try await transact { transaction in
            let stored = try transaction.rows(Webhook.all.lockingRows) {
                (webhook: try Webhook(listed: $0), types: try $0.number(3))
            }
            let outdated = stored.filter { $0.webhook.unreadable == nil && $0.webhook.activeTypes.rawValue != $0.types }
            try transaction.run(outdated.map(\.webhook.update))
        }
    }

    package func deleteWebhook(_ id: String) async throws(StoreError) -> Bool {
        try await transact { transaction in
            guard let number = try transaction.number(ofWebhook: id) else { return false }
            // Also one that can't be read is deleted.
            let webhook = try transaction.rows(Webhook.one(id)) { try Webhook(listed: $0) }.first
            try transaction.run([
                SQLStatement("INSERT INTO webhook_removed (webhook) VALUES ($1)", .number(number)),
                SQLStatement("DELETE FROM webhook WHERE number = $1", .number(number)),
            ])
            try transaction.audit(
                .webhookDeleted, AuditObject(.webhook, id), of: webhook?.application, before: webhook?.auditValues)
            return true
        }
    }
}

extension SQLTransaction {
    /// An endpoint, locked against other changes.
    func webhook(_ id: String) throws -> Webhook? { try numberedWebhook(id)?.webhook }

    /// The same, with the number by which its deliveries are stored.
    func numberedWebhook(_ id: String) throws -> (number: Int64, webhook: Webhook)? {
        try rows(Webhook.one(id).lockingRows) { (number: try $0.number(4), webhook: try Webhook($0)) }.first
    }

    /// The same, if only its number matters.
    func number(ofWebhook id: String) throws -> Int64? {
        try rows(SQLStatement("SELECT number FROM webhook WHERE id = $1", .text(id)).lockingRows) {
            try $0.number(0)
        }.first
    }
}

extension SQLArchive {
    package func webhooks() throws(StoreError) -> [Webhook] { try rows(Webhook.all) { try Webhook($0) } }

    package func reseal(_ webhook: Webhook, as resealed: Webhook) throws(StoreError) -> Bool {
        // Decoded, because a row of an earlier version has other bytes.
        let found = try rows(Webhook.one(webhook.id)) { (webhook: try Webhook($0), bytes: try $0.bytes(2)) }
        guard let found = found.first, found.webhook == webhook else { return false }
        let update = SQLStatement(
            "UPDATE webhook SET document = $1 WHERE id = $2 AND document = $3", .bytes(resealed.encoded),
            .text(webhook.id), .bytes(found.bytes))
        return try run(update) > 0
    }
}

extension Webhook {
    private static let selection: SQLText = "SELECT id, application, document, types, number FROM webhook "

    fileprivate static let all = SQLStatement(selection + "ORDER BY number")

    fileprivate static func one(_ id: String) -> SQLStatement {
        SQLStatement(selection + "WHERE id = $1", .text(id))
    }

    fileprivate var insertion: SQLStatement {
        SQLStatement(
            "INSERT INTO webhook (id, application, types, document) VALUES ($1, $2, $3, $4)", .text(id),
            .text(application?.text), .number(activeTypes.rawValue), .bytes(encoded))
    }

    var update: SQLStatement {
        SQLStatement(
            "UPDATE webhook SET types = $1, document = $2 WHERE id = $3", .number(activeTypes.rawValue),
            .bytes(encoded), .text(id))
    }

    /// In place of one with the same ID.
    package var replacement: [SQLStatement] {
        [SQLStatement("DELETE FROM webhook WHERE id = $1", .text(id)), insertion]
    }

    fileprivate init(_ row: any SQLRow) throws {
        try self.init(
            id: row.text(0), application: row.optionalText(1).flatMap { ApplicationID($0) }, encoded: row.bytes(2))
    }

    /// Also one that this version can't read.
    fileprivate init(listed row: any SQLRow) throws {
        self.init(
            id: try row.text(0), application: try row.optionalText(1).flatMap { ApplicationID($0) },
            types: try row.number(3), encoded: try row.bytes(2))
    }
}
