internal import GRDB
import WaymarkLinks
package import WaymarkStores

/// The endpoints.
extension SQLiteLinkStore: WebhookStore {
    package var webhooks: any WebhookStore { self }

    package func endpoints() async throws(StoreError) -> [Webhook] {
        try await read { try $0.rows(WebhookRows.all) { try WebhookRows.listed($0) } }
    }

    package func endpoint(_ id: String) async throws(StoreError) -> Webhook? {
        try await read { try $0.row(WebhookRows.one, [id]) { try WebhookRows.listed($0) } }
    }

    package func insert(
        _ webhook: Webhook, limit: Int, applicationLimit: Int
    ) async throws(StoreError) -> Bool {
        try await write { session in
            let count = try session.database.row("SELECT count(*) FROM webhook", []) { try $0.count(0) } ?? 0
            if let id = webhook.application {
                let own = try session.database.rows(WebhookRows.all) { try WebhookRows.listed($0) }
                    .count(where: { $0.application == id })
                guard try session.application(id) != nil, own < applicationLimit else { return false }
            }
            guard count < limit else { return false }
            try session.add(webhook)
            if webhook.activeTypes.contains(.linkExpired) {
                try session.database.run(
                    "INSERT OR IGNORE INTO expiry_report (one, expires_at, link) VALUES (1, ?, ?)",
                    [webhook.createdAt.rawValue, Int64.max])
            }
            session.knownSubscriptions = nil
            return true
        }
    }

    package func updateWebhook(
        _ id: String, event: OutboxEvent?, _ change: @escaping @Sendable (inout Webhook) -> Bool
    ) async throws(StoreError) -> Webhook? {
        try await write { session in
            guard var webhook = try session.webhook(id), change(&webhook) else { return nil }
            try session.save(webhook)
            if let event { try session.publish([event]) }
            return webhook
        }
    }

    package func deleteWebhook(_ id: String) async throws(StoreError) -> Bool {
        try await write { session in
            try session.database.run("INSERT INTO webhook_removed SELECT number FROM webhook WHERE id = ?", [id])
            try session.database.run("DELETE FROM webhook WHERE id = ?", [id])
            session.knownSubscriptions = nil
            return session.database.changesCount > 0
        }
    }

    /// Always: no other server uses the file.
    package func holdsDispatch() async throws(StoreError) -> Bool { true }
}

extension WriteSession {
    func webhook(_ id: String) throws -> Webhook? {
        try database.row(WebhookRows.one, [id]) { try WebhookRows.webhook($0) }
    }

    func add(_ webhook: Webhook) throws {
        try database.run(
            "INSERT INTO webhook (id, application, types, document) VALUES (?, ?, ?, ?)",
            [webhook.id, webhook.application?.text, webhook.activeTypes.rawValue, webhook.encoded.blob])
    }

    func save(_ webhook: Webhook) throws {
        try database.run(
            "UPDATE webhook SET types = ?, document = ? WHERE id = ?",
            [webhook.activeTypes.rawValue, webhook.encoded.blob, webhook.id])
        knownSubscriptions = nil
    }

    func number(ofWebhook id: String) throws -> Int64? {
        try database.row("SELECT number FROM webhook WHERE id = ?", [id]) { try $0.number(0) }
    }
}

enum WebhookRows {
    static let all = "SELECT id, application, document, types FROM webhook ORDER BY number"
    static let one = "SELECT id, application, document, types FROM webhook WHERE id = ?"

    static func listed(_ row: Row) throws -> Webhook {
        Webhook(
            id: try row.text(0), application: try row.optionalText(1).flatMap { ApplicationID($0) },
            types: try row.number(3), encoded: try row.bytes(2))
    }

    static func webhook(_ row: Row) throws -> Webhook {
        try Webhook(
            id: try row.text(0), application: try row.optionalText(1).flatMap { ApplicationID($0) },
            encoded: try row.bytes(2))
    }
}
