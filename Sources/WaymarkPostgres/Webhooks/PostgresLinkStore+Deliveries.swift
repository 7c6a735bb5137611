#if PostgreSQL
    package import WaymarkLinks
    package import WaymarkStores

    /// Messages and their deliveries.
    extension PostgresLinkStore {
        package func publish(_ events: [OutboxEvent]) async throws(StoreError) {
            guard !events.isEmpty else { return }
            try await writeAlone { try $0.publish(events) }
        }

        package func outbox(limit: Int) async throws(StoreError) -> [(number: Int64, event: OutboxEvent)] {
            try await inBackground { connection, deadline in
                let result = try connection.run(
                    .init(
                        sql: "SELECT number, event FROM waymark.outbox ORDER BY number LIMIT $1::int8",
                        .number(Int64(limit))), by: deadline)
                return try (0..<result.count).compactMap { row in
                    let number = try result.number(row, 0)
                    let event = try? OutboxEvent(encoded: try result.bytes(row, 1))
                    return event.map { (number, $0) }
                }
            }
        }

        package func distribute(_ messages: [OutgoingMessage], at now: Timestamp) async throws(StoreError) {
            guard !messages.isEmpty else { return }
            try await writeAlone { transaction in
                // Another server may have been the dispatcher a moment ago.
                let taken = try transaction.run(
                    sql: "DELETE FROM waymark.outbox WHERE number = ANY ($1::int8[]) RETURNING number",
                    .numbers(messages.map(\.number)))
                let numbers = Set(try (0..<taken.count).map { try taken.number($0, 0) })
                try transaction.insert(messages.filter { numbers.contains($0.number) && !$0.webhooks.isEmpty }, at: now)
            }
        }

        package func send(
            _ message: OutgoingMessage, to webhook: String, at now: Timestamp
        ) async throws(StoreError) -> String? {
            try await writeAlone { transaction in
                guard try transaction.webhook(webhook) != nil else { return nil }
                // Numbers are those of the outbox.
                var message = message
                message.number = try transaction.run(
                    sql: "SELECT nextval(pg_get_serial_sequence('waymark.outbox', 'number'))"
                ).number(0, 0)
                message.id += "_\(message.number)"
                message.webhooks = [webhook]
                try transaction.insert([message], at: now)
                return message.id
            }
        }

        package func dueEndpoints(at now: Timestamp) async throws(StoreError) -> [String] {
            try await inBackground { connection, deadline in
                let result = try connection.run(
                    .init(sql: DeliverySQL.dueEndpoints, .number(now.rawValue)), by: deadline)
                return try (0..<result.count).map { try result.text($0, 0) }
            }
        }

        package func dueDeliveries(
            to webhook: String, at now: Timestamp, limit: Int
        ) async throws(StoreError) -> [DueDelivery] {
            try await inBackground { connection, deadline in
                let result = try connection.run(
                    .init(
                        sql: DeliverySQL.due, .text(webhook), .number(now.rawValue), .number(Int64(limit))),
                    by: deadline)
                return try (0..<result.count).map { row in
                    DueDelivery(
                        number: try result.number(row, 0), messageID: try result.text(row, 1),
                        body: try result.bytes(row, 2),
                        attempts: try WebhookDelivery.Attempt.decode(try result.bytes(row, 3)),
                        round: try result.count(row, 4))
                }
            }
        }

        package func record(
            _ results: [DeliveryResult], of webhook: String, failingSince: Timestamp?
        ) async throws(StoreError) {
            try await writeAlone { transaction in
                guard var endpoint = try transaction.webhook(webhook) else { return }
                if !results.isEmpty {
                    _ = try transaction.run(
                        sql: DeliverySQL.record, .text(webhook), .numbers(results.map(\.number)),
                        .numbers(results.map { Int64($0.state.rawValue) }),
                        .numbers(results.map { $0.nextAttempt?.rawValue ?? 0 }),
                        .numbers(results.map { Int64($0.round) }),
                        .byteStrings(results.map { WebhookDelivery.Attempt.encode($0.attempts) }))
                }
                guard endpoint.failingSince != failingSince else { return }
                endpoint.failingSince = failingSince
                try transaction.save(endpoint)
            }
        }

        package func deliveries(
            to webhook: String, before number: Int64?, state: WebhookDelivery.State?, limit: Int
        ) async throws(StoreError) -> [WebhookDelivery] {
            try await readListing { connection, deadline in
                let result = try connection.run(
                    .init(
                        sql: DeliverySQL.newest(state), .text(webhook), .number(number ?? .max), .number(Int64(limit))),
                    by: deadline)
                return try (0..<result.count).map { row in
                    guard let type = EventType(rawValue: UInt8(clamping: try result.number(row, 2))),
                        let state = WebhookDelivery.State(rawValue: UInt8(clamping: try result.number(row, 4)))
                    else { throw QueryResult.damaged }
                    return WebhookDelivery(
                        number: try result.number(row, 0), messageID: try result.text(row, 1), type: type,
                        at: try result.timestamp(row, 3), state: state,
                        nextAttempt: state == .waiting ? try result.timestamp(row, 5) : nil,
                        attempts: try WebhookDelivery.Attempt.decode(try result.bytes(row, 6)))
                }
            }
        }

        package func replay(
            to webhook: String, messages: [String], at now: Timestamp
        ) async throws(StoreError) -> Int {
            let known = Set(messages).compactMap { id in OutgoingMessage.number(ofID: id).map { (id, $0) } }
            return try await writeAlone { transaction in
                try transaction.run(
                    sql: DeliverySQL.replayMessages, .text(webhook), .number(now.rawValue), .numbers(known.map(\.1)),
                    .byteStrings(known.map { Array($0.0.utf8) })
                ).changed
            }
        }

        package func replay(
            to webhook: String, since start: Timestamp, after number: Int64?, limit: Int, at now: Timestamp
        ) async throws(StoreError) -> (count: Int, last: Int64?) {
            try await writeAlone { transaction in
                let replayed = try transaction.run(
                    sql: DeliverySQL.replaySince, .text(webhook), .number(now.rawValue), .number(start.rawValue),
                    number.map { .number($0) } ?? .null, .number(Int64(limit)))
                let count = try replayed.count(0, 0)
                return (count, count == limit ? try replayed.number(0, 1) : nil)
            }
        }

        package func purgeDeliveries(before end: Timestamp, limit: Int) async throws(StoreError) -> Bool {
            try await writeAlone { transaction in
                let gone = try transaction.run(
                    sql: "SELECT webhook FROM waymark.webhook_removed ORDER BY webhook LIMIT 1")
                if gone.count > 0 {
                    let webhook = Argument.number(try gone.number(0, 0))
                    let deleted = try transaction.run(sql: DeliverySQL.removal, webhook, .number(Int64(limit))).changed
                    if deleted < limit {
                        _ = try transaction.run(
                            sql: "DELETE FROM waymark.webhook_removed WHERE webhook = $1::int8", webhook)
                    }
                    return true
                }
                let endpoints = try transaction.run(sql: "SELECT count(*) FROM waymark.webhook").count(0, 0)
                let messages = max(1, limit / (1 + endpoints))
                return try transaction.run(
                    sql: DeliverySQL.removalOfMessages, .number(end.rawValue), .number(Int64(messages))
                ).changed == messages
            }
        }

        package func waitingDeliveries(limit: Int) async throws(StoreError) -> Int {
            try await inBackground { connection, deadline in
                try connection.run(.init(sql: DeliverySQL.waiting, .number(Int64(limit))), by: deadline).count(0, 0)
            }
        }

        package func firstDue() async throws(StoreError) -> Timestamp? {
            try await inBackground { connection, deadline in
                let result = try connection.run(.init(sql: DeliverySQL.firstDue), by: deadline)
                return try result.count == 0 ? nil : Timestamp(rawValue: result.number(0, 0))
            }
        }

        package func reportExpiredLinks(at now: Timestamp, limit: Int) async throws(StoreError) -> Bool {
            try await writeAlone { try $0.reportExpiredLinks(at: now, limit: limit) }
        }
    }

    extension Transaction {
        fileprivate func insert(_ messages: [OutgoingMessage], at now: Timestamp) throws {
            guard !messages.isEmpty else { return }
            let receivers = messages.flatMap { message in message.webhooks.map { (message.number, $0) } }
            _ = try run(
                sql: """
                    INSERT INTO waymark.message (number, id, type, at, body)
                    SELECT number, convert_from(id, 'UTF8'), type, at, body
                    FROM unnest($1::int8[], $2::bytea[], $3::int8[], $4::int8[], $5::bytea[])
                        AS given (number, id, type, at, body)
                    """, .numbers(messages.map(\.number)), .byteStrings(messages.map { Array($0.id.utf8) }),
                .numbers(messages.map { Int64($0.type.rawValue) }), .numbers(messages.map(\.at.rawValue)),
                .byteStrings(messages.map(\.body)))
            _ = try run(
                sql: """
                    INSERT INTO waymark.webhook_delivery (webhook, message, state, next_attempt, round, attempts)
                    SELECT webhook.number, given.message, 0, $3::int8, 0, ''
                    FROM unnest($1::int8[], $2::text[]) AS given (message, webhook)
                        JOIN waymark.webhook ON webhook.id = given.webhook
                    ON CONFLICT DO NOTHING
                    """, .numbers(receivers.map(\.0)), .texts(receivers.map(\.1)), .number(now.rawValue))
        }

        fileprivate func reportExpiredLinks(at now: Timestamp, limit: Int) throws -> Bool {
            let found = try run(sql: "SELECT expires_at, link FROM waymark.expiry_report FOR UPDATE")
            guard try EventSubscriptions(run(.subscriptions)).includes(.linkExpired) else {
                // Links that expire meanwhile are not reported when there is a subscriber again.
                if found.count > 0 { _ = try run(sql: "DELETE FROM waymark.expiry_report") }
                return false
            }
            guard found.count > 0 else {
                try saveExpiryReport(end: now.rawValue, link: .max)
                return false
            }
            let expired = try run(
                sql: DeliverySQL.expired, .number(try found.number(0, 0)), .number(try found.number(0, 1)),
                .number(now.rawValue), .number(Int64(limit)))
            guard expired.count > 0 else { return false }
            var ends: [LinkID: Int64] = [:]
            for row in 0..<expired.count {
                ends[LinkID(rawValue: try expired.number(row, 1))] = try expired.number(row, 0)
            }
            let links = try LinkRow.readable(run(.loadLinks, .numbers(ends.keys.map(\.rawValue))))
            try publish(
                links.sorted { $0.id.rawValue < $1.id.rawValue }.map { link in
                    OutboxEvent(.linkExpired, link, at: Timestamp(rawValue: ends[link.id] ?? now.rawValue))
                })
            let last = expired.count - 1
            try saveExpiryReport(end: try expired.number(last, 0), link: try expired.number(last, 1))
            return expired.count == limit
        }

        private func saveExpiryReport(end: Int64, link: Int64) throws {
            _ = try run(
                sql: """
                    INSERT INTO waymark.expiry_report (one, expires_at, link) VALUES (1, $1::int8, $2::int8)
                    ON CONFLICT (one) DO UPDATE SET expires_at = excluded.expires_at, link = excluded.link
                    """, .number(end), .number(link))
        }
    }

    private enum DeliverySQL {
        static let dueEndpoints = """
            SELECT id FROM waymark.webhook WHERE types <> 0 AND EXISTS (
                SELECT FROM waymark.webhook_delivery AS delivery
                WHERE delivery.webhook = webhook.number AND state = 0 AND next_attempt <= $1::int8
            )
            """
        static let firstDue = """
            SELECT first.at FROM waymark.webhook CROSS JOIN LATERAL (
                SELECT min(next_attempt) AS at FROM waymark.webhook_delivery
                WHERE webhook = webhook.number AND state = 0
            ) AS first
            WHERE types <> 0 AND first.at IS NOT NULL ORDER BY first.at LIMIT 1
            """
        static let due = """
            SELECT delivery.message, message.id, message.body, delivery.attempts, delivery.round
            FROM waymark.webhook JOIN waymark.webhook_delivery AS delivery ON delivery.webhook = webhook.number
                JOIN waymark.message ON message.number = delivery.message
            WHERE webhook.id = $1::text AND delivery.state = 0 AND delivery.next_attempt <= $2::int8
            ORDER BY delivery.next_attempt, delivery.message LIMIT $3::int8
            """
        static let record = """
            UPDATE waymark.webhook_delivery AS delivery
            SET state = given.state, next_attempt = given.next_attempt, round = given.round, attempts = given.attempts
            FROM unnest($2::int8[], $3::int8[], $4::int8[], $5::int8[], $6::bytea[])
                AS given (message, state, next_attempt, round, attempts)
            WHERE delivery.webhook = (SELECT number FROM waymark.webhook WHERE id = $1::text)
                AND delivery.message = given.message
            """
        static func newest(_ state: WebhookDelivery.State?) -> String {
            // A literal, by which the index of failed deliveries is found.
            let condition = state.map { "AND delivery.state = \($0.rawValue)" } ?? ""
            return """
                SELECT delivery.message, message.id, message.type, message.at, delivery.state, delivery.next_attempt,
                    delivery.attempts
                FROM waymark.webhook JOIN waymark.webhook_delivery AS delivery ON delivery.webhook = webhook.number
                    JOIN waymark.message ON message.number = delivery.message
                WHERE webhook.id = $1::text AND delivery.message < $2::int8 \(condition)
                ORDER BY delivery.message DESC LIMIT $3::int8
                """
        }
        static let replaySince = """
            WITH endpoint AS (SELECT number FROM waymark.webhook WHERE id = $1::text),
            page AS (
                SELECT delivery.webhook, delivery.message
                FROM endpoint JOIN waymark.webhook_delivery AS delivery ON delivery.webhook = endpoint.number
                    JOIN waymark.message ON message.number = delivery.message
                -- Numbers follow the times of events almost, but not always.
                WHERE delivery.message
                        > coalesce($4::int8, (SELECT min(number) - 1 FROM waymark.message WHERE at >= $3::int8))
                    AND message.at >= $3::int8
                ORDER BY delivery.message LIMIT $5::int8
            ), replayed AS (
                UPDATE waymark.webhook_delivery AS delivery SET state = 0, next_attempt = $2::int8, round = 0
                FROM page WHERE delivery.webhook = page.webhook AND delivery.message = page.message
                RETURNING delivery.message
            )
            SELECT count(*), coalesce(max(message), 0) FROM replayed
            """
        static let replayMessages = """
            UPDATE waymark.webhook_delivery AS delivery SET state = 0, next_attempt = $2::int8, round = 0
            FROM waymark.message JOIN unnest($3::int8[], $4::bytea[]) AS given (number, id)
                ON message.number = given.number AND convert_to(message.id, 'UTF8') = given.id
            WHERE delivery.webhook = (SELECT number FROM waymark.webhook WHERE id = $1::text)
                AND delivery.message = message.number
            """
        static let removal = """
            DELETE FROM waymark.webhook_delivery WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM waymark.webhook_delivery WHERE webhook = $1::int8 LIMIT $2::int8
            ))
            """
        /// The lowest numbers are the oldest messages.
        static let removalOfMessages = """
            WITH old AS (
                SELECT number FROM (SELECT number, at FROM waymark.message ORDER BY number LIMIT $2::int8) AS first
                WHERE at < $1::int8
            ), deliveries AS (
                DELETE FROM waymark.webhook_delivery AS delivery USING old, waymark.webhook
                WHERE delivery.webhook = webhook.number AND delivery.message = old.number
            )
            DELETE FROM waymark.message USING old WHERE message.number = old.number
            """
        static let waiting = """
            SELECT (SELECT count(*) FROM (SELECT FROM waymark.outbox LIMIT $1::int8) AS events)
                + (SELECT count(*) FROM (
                    SELECT FROM waymark.webhook_delivery WHERE state = 0 LIMIT $1::int8
                ) AS deliveries)
            """
        static let expired = """
            SELECT expires_at, link FROM waymark.link_expiry
            WHERE (expires_at, link) > ($1::int8, $2::int8) AND expires_at <= $3::int8
            ORDER BY expires_at, link LIMIT $4::int8
            """
    }
#endif
