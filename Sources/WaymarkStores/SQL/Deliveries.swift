package import WaymarkLinks

/// Messages and their deliveries.
extension SQLStore {
    package func publish(_ events: [OutboxEvent]) async throws(StoreError) {
        guard !events.isEmpty else { return }
        try await transact(as: nil, weight: events.count) { try $0.publish(events) }
    }

    package func outbox(limit: Int) async throws(StoreError) -> [(number: Int64, event: OutboxEvent)] {
        let oldest = SQLStatement("SELECT number, event FROM outbox ORDER BY number LIMIT $1", .number(limit))
        return try await read(as: nil, on: .background, oldest) { row in
            (number: try row.number(0), event: try? OutboxEvent(encoded: try row.bytes(1)))
        }
        .compactMap { row in row.event.map { (row.number, $0) } }
    }

    package func distribute(_ messages: [OutgoingMessage], at now: Timestamp) async throws(StoreError) {
        guard !messages.isEmpty else { return }
        try await transact(as: nil, weight: messages.count) { transaction in
            // Deliveries of a key must see each other, also those that another transaction ends.
            _ = try transaction.rows(SQLStatement("SELECT number FROM webhook ORDER BY number").lockingRows) { _ in }
            // Another server may have been the dispatcher a moment ago.
            let taken = try transaction.run(
                messages.map { SQLStatement("DELETE FROM outbox WHERE number = $1", .number($0.number)) })
            try transaction.run(zip(messages, taken).flatMap { $1 > 0 ? $0.insertions(at: now) : [] })
        }
    }

    package func send(
        _ message: OutgoingMessage, to webhook: String, at now: Timestamp
    ) async throws(StoreError) -> String? {
        try await transact { transaction in
            guard let endpoint = try transaction.number(ofWebhook: webhook) else { return nil }
            // Numbers are those of the outbox.
            let insertion = SQLStatement("INSERT INTO outbox (event) VALUES ($1) RETURNING number", .bytes([]))
            guard let number = try transaction.rows(insertion, { try $0.number(0) }).first else { return nil }
            var message = message
            message.number = number
            message.id += "_\(number)"
            // A key of its own: a test waits for nothing.
            message.orderKey = -number
            message.webhooks = [webhook]
            let removal = SQLStatement("DELETE FROM outbox WHERE number = $1", .number(number))
            try transaction.run([removal] + message.insertions(at: now))
            try transaction.audit(
                .webhookTested, AuditObject(.webhook, webhook), of: transaction.application(ofWebhook: endpoint))
            return message.id
        }
    }

    package func dueEndpoints(at now: Timestamp) async throws(StoreError) -> [String] {
        try await read(as: nil, on: .background, .dueEndpoints(at: now)) { try $0.text(0) }
    }

    package func dueDeliveries(
        to webhook: String, in lane: DeliveryLane, at now: Timestamp, limit: Int
    ) async throws(StoreError) -> [DueDelivery] {
        let due = SQLStatement.due(to: webhook, in: lane, at: now, limit: limit)
        return try await read(as: nil, on: .background, due) { row in
            DueDelivery(
                number: try row.number(0), orderKey: try row.number(1), messageID: try row.text(2),
                body: try row.bytes(3), attempts: try WebhookDelivery.Attempt.decode(try row.bytes(4)),
                round: try row.count(5))
        }
    }

    package func record(
        _ results: [DeliveryResult], of webhook: String, at url: String, failingSince: Timestamp?
    ) async throws(StoreError) {
        try await transact(as: nil, weight: results.count) { transaction in
            guard let (number, found) = try transaction.numberedWebhook(webhook) else { return }
            var endpoint = found
            // In one order everywhere, so that transactions don't wait for each other in a circle.
            let results = results.sorted { $0.number < $1.number }
            // Not what another server has stored since, or a replay: it counts.
            let changed = try transaction.run(
                results.map { result in
                    SQLStatement(
                        """
                        UPDATE webhook_delivery SET state = $1, next_attempt = $2, round = $3, attempts = $4
                        WHERE webhook = $5 AND message = $6 AND state = 0 AND round = $7
                        """, .number(Int64(result.state.rawValue)), .number(result.nextAttempt?.rawValue ?? 0),
                        .number(result.round), .bytes(WebhookDelivery.Attempt.encode(result.attempts)),
                        .number(number), .number(result.number), .number(result.round - 1))
                })
            try transaction.run(
                zip(results, changed).filter { $0.state != .waiting && $1 > 0 }
                    .map { result, _ in .release(firstWith: result.orderKey, of: number) })
            guard endpoint.failingSince != failingSince, endpoint.url == url else { return }
            endpoint.failingSince = failingSince
            try transaction.run(endpoint.update)
        }
    }

    package func deliveries(
        to webhook: String, before number: Int64?, state: WebhookDelivery.State?, limit: Int
    ) async throws(StoreError) -> [WebhookDelivery] {
        // A literal, by which the index of failed deliveries is found.
        let condition: SQLText =
            switch state {
            case nil: ""
            case .waiting: "AND delivery.state = 0 "
            case .delivered: "AND delivery.state = 1 "
            case .failed: "AND delivery.state = 2 "
            }
        let newest = SQLStatement(
            """
            SELECT delivery.message, message.id, message.type, message.at, delivery.state, delivery.next_attempt,
                delivery.attempts, delivery.held
            FROM webhook JOIN webhook_delivery AS delivery ON delivery.webhook = webhook.number
                JOIN message ON message.number = delivery.message
            WHERE webhook.id = $1 AND delivery.message < $2\u{20}
            """ + condition + "ORDER BY delivery.message DESC LIMIT $3", .text(webhook), .number(number ?? .max),
            .number(limit))
        return try await read(as: nil, on: .listings, newest) { row in
            let state = try row.present(WebhookDelivery.State(rawValue: UInt8(clamping: row.number(4))))
            return WebhookDelivery(
                number: try row.number(0), messageID: try row.text(1),
                type: try row.present(EventType(rawValue: UInt8(clamping: row.number(2)))),
                at: try row.timestamp(3), state: state,
                nextAttempt: try state == .waiting && row.number(7) == 0 ? row.timestamp(5) : nil,
                attempts: try WebhookDelivery.Attempt.decode(try row.bytes(6)))
        }
    }

    package func replay(
        to webhook: String, messages: [String], at now: Timestamp
    ) async throws(StoreError) -> Int {
        let known = Set(messages).compactMap { id in OutgoingMessage.number(ofID: id).map { (number: $0, id: id) } }
            .filter { !$0.id.utf8.contains(0) }
        return try await transact { transaction in
            // Locks the endpoint, as everything does that changes its deliveries.
            guard let endpoint = try transaction.number(ofWebhook: webhook) else { return 0 }
            var after = AuditValues()
            after.add("messages", known.count)
            try transaction.audit(replayed: webhook, endpoint, after)
            let changed = try transaction.run(
                known.map { message in
                    SQLStatement(
                        """
                        UPDATE webhook_delivery SET state = 0, next_attempt = $1, round = 0
                        WHERE webhook = $2 AND message = (SELECT number FROM message WHERE number = $3 AND id = $4)
                        """, .time(now), .number(endpoint), .number(message.number), .text(message.id))
                })
            for (message, count) in zip(known, changed) where count > 0 {
                try transaction.arrange(message.number, of: endpoint)
                try transaction.holdNext(after: message.number, of: endpoint)
            }
            return changed.reduce(0, +)
        }
    }

    package func replay(
        to webhook: String, since start: Timestamp, after number: Int64?, limit: Int, at now: Timestamp
    ) async throws(StoreError) -> (count: Int, last: Int64?) {
        try await transact(as: nil, weight: limit) { transaction in
            guard let endpoint = try transaction.number(ofWebhook: webhook) else { return (0, nil) }
            // The first of the call's transactions.
            if number == nil {
                var after = AuditValues()
                after.add("since", start.rfc3339)
                try transaction.audit(replayed: webhook, endpoint, after)
            }
            // Numbers follow the times of events almost, but not always.
            let before = SQLStatement("SELECT min(number) - 1 FROM message WHERE at >= $1", .time(start))
            let first = try number ?? transaction.rows(before) { try $0.optionalNumber(0) }.first ?? nil
            guard let first else { return (0, nil) }
            let page = SQLStatement(
                """
                SELECT delivery.message FROM webhook_delivery AS delivery
                WHERE delivery.webhook = $1 AND delivery.message > $2
                    AND (SELECT at FROM message WHERE number = delivery.message) >= $3
                ORDER BY delivery.message LIMIT $4
                """, .number(endpoint), .number(first), .time(start), .number(limit))
            let messages = try transaction.rows(page) { try $0.number(0) }
            guard let last = messages.last else { return (0, nil) }
            try transaction.run(
                SQLStatement(
                    """
                    UPDATE webhook_delivery SET state = 0, next_attempt = $1, round = 0
                    WHERE webhook = $2 AND message > $3 AND message <= $4
                        AND (SELECT at FROM message WHERE number = webhook_delivery.message) >= $5
                    """, .time(now), .number(endpoint), .number(first), .number(last), .time(start)))
            try transaction.run(messages.flatMap { SQLStatement.arrange($0, of: endpoint) })
            return (messages.count, messages.count == limit ? last : nil)
        }
    }

    package func purgeDeliveries(before end: Timestamp, limit: Int) async throws(StoreError) -> Bool {
        try await transact { transaction in
            let gone = try transaction.rows(
                SQLStatement("SELECT webhook FROM webhook_removed ORDER BY webhook LIMIT 1")
            ) { try $0.number(0) }
            if let webhook = gone.first {
                let removal = SQLStatement(
                    """
                    DELETE FROM webhook_delivery WHERE (webhook, message) IN (
                        SELECT webhook, message FROM webhook_delivery WHERE webhook = $1 LIMIT $2)
                    """, .number(webhook), .number(limit))
                if try transaction.run(removal) < limit {
                    try transaction.run(
                        SQLStatement("DELETE FROM webhook_removed WHERE webhook = $1", .number(webhook)))
                }
                return true
            }
            // The lowest numbers are the oldest messages.
            let most = max(1, limit / (1 + (try transaction.count(SQLStatement("SELECT count(*) FROM webhook")))))
            let old = try transaction.rows(
                SQLStatement("SELECT number, at FROM message ORDER BY number LIMIT $1", .number(most))
            ) { (number: try $0.number(0), at: try $0.timestamp(1)) }.filter { $0.at < end }
            guard let last = old.last else { return false }
            // What waits for one of them is sent then.
            let endpoints = try transaction.rows(
                SQLStatement("SELECT number FROM webhook ORDER BY number").lockingRows
            ) { try $0.number(0) }
            let released = try endpoints.flatMap { endpoint in
                let keys = SQLStatement(
                    """
                    SELECT order_key FROM webhook_delivery
                    WHERE webhook = $1 AND lane = 0 AND state + 0 = 0 AND message <= $2
                    """, .number(endpoint), .number(last.number))
                return Set(try transaction.rows(keys) { try $0.number(0) })
                    .map { SQLStatement.release(firstWith: $0, of: endpoint) }
            }
            let removals = old.flatMap { message in
                [
                    SQLStatement(
                        """
                        DELETE FROM webhook_delivery
                        WHERE webhook IN (SELECT number FROM webhook) AND message = $1
                        """, .number(message.number)),
                    SQLStatement("DELETE FROM message WHERE number = $1", .number(message.number)),
                ]
            }
            try transaction.run(removals + released)
            return old.count == most
        }
    }

    package func waitingDeliveries(limit: Int) async throws(StoreError) -> Int {
        let waiting = SQLStatement(
            """
            SELECT (SELECT count(*) FROM (SELECT 1 FROM outbox LIMIT $1) AS events)
                + (SELECT count(*) FROM (SELECT 1 FROM webhook_delivery WHERE state + 0 = 0 LIMIT $1) AS deliveries)
            """, .number(limit))
        return try await read(as: nil, on: .background, waiting) { try $0.count(0) }.first ?? 0
    }

    package func firstDue() async throws(StoreError) -> Timestamp? {
        let first = SQLStatement(
            """
            SELECT due FROM (
                SELECT (SELECT min(next_attempt) FROM webhook_delivery AS delivery
                    WHERE delivery.webhook = webhook.number AND lane = 0 AND state + 0 = 0 AND held = 0) AS due
                FROM webhook WHERE types <> 0
                UNION ALL SELECT (SELECT min(next_attempt) FROM webhook_delivery AS delivery
                    WHERE delivery.webhook = webhook.number AND lane = 1 AND state + 0 = 0 AND held = 0)
                FROM webhook WHERE types <> 0
            ) AS first WHERE due IS NOT NULL ORDER BY due LIMIT 1
            """)
        return try await read(as: nil, on: .background, first) { try $0.timestamp(0) }.first
    }
}

extension OutgoingMessage {
    /// The message with its deliveries; nothing if nobody receives it.
    fileprivate func insertions(at now: Timestamp) -> [SQLStatement] {
        guard !webhooks.isEmpty else { return [] }
        let message = SQLStatement(
            "INSERT INTO message (number, id, type, at, body) VALUES ($1, $2, $3, $4, $5)", .number(number), .text(id),
            .number(Int64(type.rawValue)), .time(at), .bytes(body))
        // A power of two, the last one repeated, so that a database sees few texts: it parses each once.
        var places = 1
        while places < webhooks.count { places *= 2 }
        let receivers = webhooks + Array(repeating: webhooks[webhooks.count - 1], count: places - webhooks.count)
        let lane = DeliveryLane(of: type)
        let held: SQLText =
            switch lane {
            case .clicks: "1, $4, 0 "
            case .changes:
                """
                0, $4, CASE WHEN (
                    SELECT min(message) FROM webhook_delivery AS first
                    WHERE first.webhook = webhook.number AND first.lane = 0 AND first.state + 0 = 0
                        AND first.order_key = $4) < $1 THEN 1 ELSE 0 END\u{20}
                """
            }
        let deliveries = SQLStatement(
            """
            INSERT INTO webhook_delivery (webhook, message, state, next_attempt, round, attempts, lane, order_key, held)
            SELECT number, $1, 0, $2, 0, $3,\u{20}
            """ + held + "FROM webhook WHERE id IN (" + .places(5..<5 + places) + ") ON CONFLICT DO NOTHING",
            [.number(number), .time(now), .bytes([]), .number(lane == .clicks ? 0 : orderKey)]
                + receivers.map { .text($0) })
        return [message, deliveries]
    }
}

extension SQLTransaction {
    /// For the audit; not looked up if no entry is written.
    fileprivate func application(ofWebhook number: Int64) throws -> ApplicationID? {
        guard auditCall != nil else { return nil }
        let application = SQLStatement("SELECT application FROM webhook WHERE number = $1", .number(number))
        return try rows(application) { try $0.optionalText(0) }.first?.flatMap { ApplicationID($0) }
    }

    fileprivate func audit(replayed webhook: String, _ number: Int64, _ after: AuditValues) throws {
        try audit(
            .webhookReplayed, AuditObject(.webhook, webhook), of: application(ofWebhook: number), after: after)
    }
}
