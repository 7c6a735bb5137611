internal import GRDB
package import WaymarkLinks
package import WaymarkStores

/// Messages and their deliveries.
extension SQLiteLinkStore {
    package func publish(_ events: [OutboxEvent]) async throws(StoreError) {
        guard !events.isEmpty else { return }
        try await write(weight: events.count) { try $0.publish(events) }
    }

    package func outbox(limit: Int) async throws(StoreError) -> [(number: Int64, event: OutboxEvent)] {
        try await readBackground { database in
            try database.rows("SELECT number, event FROM outbox ORDER BY number LIMIT ?", [limit]) { row in
                (number: try row.number(0), event: try? OutboxEvent(encoded: try row.bytes(1)))
            }
            .compactMap { row in row.event.map { (row.number, $0) } }
        }
    }

    package func distribute(_ messages: [OutgoingMessage], at now: Timestamp) async throws(StoreError) {
        guard !messages.isEmpty else { return }
        try await write(weight: messages.count) { session in
            let database = session.database
            for message in messages {
                try database.run("DELETE FROM outbox WHERE number = ?", [message.number])
                guard database.changesCount > 0, !message.webhooks.isEmpty else { continue }
                try session.insert(message, at: now)
            }
        }
    }

    package func send(
        _ message: OutgoingMessage, to webhook: String, at now: Timestamp
    ) async throws(StoreError) -> String? {
        try await write { session in
            guard try session.number(ofWebhook: webhook) != nil else { return nil }
            // Numbers are those of the outbox.
            try session.database.run("INSERT INTO outbox (event) VALUES (zeroblob(0))")
            var message = message
            message.number = session.database.lastInsertedRowID
            message.id += "_\(message.number)"
            message.webhooks = [webhook]
            try session.database.run("DELETE FROM outbox WHERE number = ?", [message.number])
            try session.insert(message, at: now)
            return message.id
        }
    }

    package func reportExpiredLinks(at now: Timestamp, limit: Int) async throws(StoreError) -> Bool {
        try await write { try $0.reportExpiredLinks(at: now, limit: limit) }
    }

    package func dueEndpoints(at now: Timestamp) async throws(StoreError) -> [String] {
        try await readBackground { database in
            try database.rows(DeliveryRows.dueEndpoints, [now.rawValue]) { try $0.text(0) }
        }
    }

    package func dueDeliveries(
        to webhook: String, at now: Timestamp, limit: Int
    ) async throws(StoreError) -> [DueDelivery] {
        try await readBackground { database in
            try database.rows(DeliveryRows.due, [webhook, now.rawValue, limit]) { row in
                DueDelivery(
                    number: try row.number(0), messageID: try row.text(1), body: try row.bytes(2),
                    attempts: try WebhookDelivery.Attempt.decode(try row.bytes(3)), round: try row.count(4))
            }
        }
    }

    package func record(
        _ results: [DeliveryResult], of webhook: String, failingSince: Timestamp?
    ) async throws(StoreError) {
        try await write(weight: results.count) { session in
            guard let number = try session.number(ofWebhook: webhook), var endpoint = try session.webhook(webhook)
            else {
                return
            }
            for result in results {
                try session.database.run(
                    DeliveryRows.record,
                    [
                        Int64(result.state.rawValue), result.nextAttempt?.rawValue ?? 0, result.round,
                        WebhookDelivery.Attempt.encode(result.attempts).blob, number, result.number,
                    ])
            }
            guard endpoint.failingSince != failingSince else { return }
            endpoint.failingSince = failingSince
            try session.save(endpoint)
        }
    }

    package func deliveries(
        to webhook: String, before number: Int64?, state: WebhookDelivery.State?, limit: Int
    ) async throws(StoreError) -> [WebhookDelivery] {
        try await readListing { database in
            try database.rows(
                DeliveryRows.newest(state), [webhook, number ?? .max, limit]
            ) { row in
                guard let type = EventType(rawValue: UInt8(clamping: try row.number(2))),
                    let state = WebhookDelivery.State(rawValue: UInt8(clamping: try row.number(4)))
                else { throw Row.damaged }
                return WebhookDelivery(
                    number: try row.number(0), messageID: try row.text(1), type: type, at: try row.timestamp(3),
                    state: state, nextAttempt: state == .waiting ? try row.timestamp(5) : nil,
                    attempts: try WebhookDelivery.Attempt.decode(try row.bytes(6)))
            }
        }
    }

    package func replay(
        to webhook: String, messages: [String], at now: Timestamp
    ) async throws(StoreError) -> Int {
        try await write { session in
            guard let number = try session.number(ofWebhook: webhook) else { return 0 }
            var count = 0
            for id in Set(messages) {
                guard let message = OutgoingMessage.number(ofID: id) else { continue }
                try session.database.run(DeliveryRows.replayOne, [now.rawValue, number, message, id])
                count += session.database.changesCount
            }
            return count
        }
    }

    package func replay(
        to webhook: String, since start: Timestamp, after number: Int64?, limit: Int, at now: Timestamp
    ) async throws(StoreError) -> (count: Int, last: Int64?) {
        try await write(weight: limit) { session in
            let database = session.database
            guard let endpoint = try session.number(ofWebhook: webhook) else { return (0, nil) }
            let first =
                try number
                // Numbers follow the times of events almost, but not always.
                ?? database.row("SELECT min(number) - 1 FROM message WHERE at >= ?", [start.rawValue]) {
                    try $0.optionalNumber(0)
                } ?? nil
            guard let first else { return (0, nil) }
            let messages = try database.rows(DeliveryRows.since, [endpoint, first, start.rawValue, limit]) {
                try $0.number(0)
            }
            guard let last = messages.last else { return (0, nil) }
            try database.run(DeliveryRows.replaySince, [now.rawValue, endpoint, first, last, start.rawValue])
            return (messages.count, messages.count == limit ? last : nil)
        }
    }

    package func purgeDeliveries(before end: Timestamp, limit: Int) async throws(StoreError) -> Bool {
        try await write { session in
            let database = session.database
            var left = limit
            while left > 0 {
                let gone = try database.row("SELECT min(webhook) FROM webhook_removed", []) {
                    try $0.optionalNumber(0)
                }
                guard let gone = gone ?? nil else { break }
                try database.run(DeliveryRows.removal, [gone, left])
                left -= database.changesCount
                if left > 0 { try database.run("DELETE FROM webhook_removed WHERE webhook = ?", [gone]) }
            }
            guard left > 0 else { return true }
            // The lowest numbers are the oldest messages.
            let numbers = try database.rows("SELECT number, at FROM message ORDER BY number LIMIT ?", [left]) {
                (try $0.number(0), try $0.timestamp(1))
            }
            .prefix { $0.1 < end }.map(\.0)
            for number in numbers {
                guard left > 0 else { return true }
                try database.run(DeliveryRows.removalOfMessage, [number])
                left -= database.changesCount + 1
                try database.run("DELETE FROM message WHERE number = ?", [number])
            }
            return left <= 0
        }
    }

    package func waitingDeliveries(limit: Int) async throws(StoreError) -> Int {
        try await readBackground { database in
            try database.row(DeliveryRows.waiting, [limit, limit]) { try $0.count(0) } ?? 0
        }
    }

    package func firstDue() async throws(StoreError) -> Timestamp? {
        try await readBackground { database in
            try database.row(DeliveryRows.firstDue, []) { try $0.timestamp(0) }
        }
    }
}

extension WriteSession {
    fileprivate func insert(_ message: OutgoingMessage, at now: Timestamp) throws {
        try database.run(
            "INSERT INTO message (number, id, type, at, body) VALUES (?, ?, ?, ?, ?)",
            [message.number, message.id, Int64(message.type.rawValue), message.at.rawValue, message.body.blob])
        for webhook in message.webhooks {
            try database.run(DeliveryRows.insertion, [message.number, now.rawValue, webhook])
        }
    }

    fileprivate func reportExpiredLinks(at now: Timestamp, limit: Int) throws -> Bool {
        let last = try database.row("SELECT expires_at, link FROM expiry_report", []) {
            (end: try $0.number(0), link: try $0.number(1))
        }
        guard try subscriptions().includes(.linkExpired) else {
            // Links that expire meanwhile are not reported when there is a subscriber again.
            if last != nil { try database.run("DELETE FROM expiry_report") }
            return false
        }
        guard let last else {
            try database.run(DeliveryRows.saveExpiryReport, [now.rawValue, Int64.max])
            return false
        }
        let expired = try database.rows(DeliveryRows.expired, [last.end, last.link, now.rawValue, limit]) {
            (end: try $0.number(0), link: try $0.number(1))
        }
        for (end, id) in expired {
            guard let link = try database.readableLink(LinkID(rawValue: id)) else { continue }
            try report(.linkExpired, link, at: Timestamp(rawValue: end), [])
        }
        guard let next = expired.last else { return false }
        try database.run(DeliveryRows.saveExpiryReport, [next.end, next.link])
        return expired.count == limit
    }
}

private enum DeliveryRows {
    static let insertion = """
        INSERT OR IGNORE INTO webhook_delivery (webhook, message, state, next_attempt, round, attempts)
        SELECT number, ?, 0, ?, 0, x'' FROM webhook WHERE id = ?
        """
    static let dueEndpoints = """
        SELECT id FROM webhook WHERE types <> 0 AND EXISTS (
            SELECT 1 FROM webhook_delivery WHERE webhook = webhook.number AND state = 0 AND next_attempt <= ?)
        """
    static let firstDue = """
        SELECT first FROM (
            SELECT (
                SELECT min(next_attempt) FROM webhook_delivery WHERE webhook = webhook.number AND state = 0
            ) AS first FROM webhook WHERE types <> 0
        ) WHERE first IS NOT NULL ORDER BY first LIMIT 1
        """
    static let due = """
        SELECT delivery.message, message.id, message.body, delivery.attempts, delivery.round
        FROM webhook CROSS JOIN webhook_delivery AS delivery ON delivery.webhook = webhook.number
            CROSS JOIN message ON message.number = delivery.message
        WHERE webhook.id = ? AND delivery.state = 0 AND delivery.next_attempt <= ?
        ORDER BY delivery.next_attempt, delivery.message LIMIT ?
        """
    static let record = """
        UPDATE webhook_delivery SET state = ?, next_attempt = ?, round = ?, attempts = ? WHERE webhook = ? AND message = ?
        """
    static func newest(_ state: WebhookDelivery.State?) -> String {
        // A literal, by which the index of failed deliveries is found.
        let condition = state.map { "AND delivery.state = \($0.rawValue)" } ?? ""
        return """
            SELECT delivery.message, message.id, message.type, message.at, delivery.state, delivery.next_attempt,
                delivery.attempts
            FROM webhook CROSS JOIN webhook_delivery AS delivery ON delivery.webhook = webhook.number
                CROSS JOIN message ON message.number = delivery.message
            WHERE webhook.id = ?1 AND delivery.message < ?2 \(condition)
            ORDER BY delivery.message DESC LIMIT ?3
            """
    }
    static let since = """
        SELECT message FROM webhook_delivery
        WHERE webhook = ?1 AND message > ?2 AND (SELECT at FROM message WHERE number = webhook_delivery.message) >= ?3
        ORDER BY message LIMIT ?4
        """
    static let replaySince = """
        UPDATE webhook_delivery SET state = 0, next_attempt = ?1, round = 0
        WHERE webhook = ?2 AND message > ?3 AND message <= ?4
            AND (SELECT at FROM message WHERE number = webhook_delivery.message) >= ?5
        """
    static let replayOne = """
        UPDATE webhook_delivery SET state = 0, next_attempt = ?, round = 0
        WHERE webhook = ? AND message = (SELECT number FROM message WHERE number = ? AND id = ?)
        """
    static let removal = """
        DELETE FROM webhook_delivery WHERE (webhook, message) IN (
            SELECT webhook, message FROM webhook_delivery WHERE webhook = ? LIMIT ?)
        """
    static let removalOfMessage = """
        DELETE FROM webhook_delivery WHERE webhook IN (SELECT number FROM webhook) AND message = ?
        """
    static let waiting = """
        SELECT (SELECT count(*) FROM (SELECT 1 FROM outbox LIMIT ?))
            + (SELECT count(*) FROM (SELECT 1 FROM webhook_delivery WHERE state = 0 LIMIT ?))
        """
    static let saveExpiryReport = "INSERT OR REPLACE INTO expiry_report (one, expires_at, link) VALUES (1, ?, ?)"
    static let expired = """
        SELECT expires_at, link FROM link_expiry WHERE (expires_at, link) > (?, ?) AND expires_at <= ?
        ORDER BY expires_at, link LIMIT ?
        """
}
