package import WaymarkLinks

/// The order of deliveries, and the bound of what waits.
extension SQLStore {
    package func arrangeDeliveries(
        to webhook: String, after place: DeliveryPlace, limit: Int
    ) async throws(StoreError) -> DeliveryPlace? {
        let page = SQLStatement(
            """
            SELECT order_key, message, held, CASE WHEN order_key = 0 THEN (
                SELECT type FROM message WHERE message.number = webhook_delivery.message) END
            FROM webhook_delivery
            WHERE webhook = (SELECT number FROM webhook WHERE id = $1) AND lane = 0 AND state + 0 = 0
                AND (order_key, message) > ($2, $3)
            ORDER BY order_key, message LIMIT $4
            """, .text(webhook), .number(place.orderKey), .number(place.number), .number(limit))
        let found = try await read(as: nil, on: .background, page) { row in
            (
                place: DeliveryPlace(orderKey: try row.number(0), number: try row.number(1)),
                isHeld: try row.number(2) != 0, type: try row.optionalNumber(3)
            )
        }
        // Clicks that a server of an earlier version put among changes don't count.
        var previous = place.orderKey
        let wrong = found.enumerated().filter { index, row in
            let isClick = row.type == Int64(EventType.linkClicked.rawValue)
            let hasEarlier = row.place.orderKey == previous
            if !isClick { previous = row.place.orderKey }
            return isClick || row.isHeld != hasEarlier || index == 0 && row.isHeld
        }
        .map(\.element.place.number)
        if !wrong.isEmpty {
            try await transact(as: nil, weight: wrong.count) { transaction in
                guard let endpoint = try transaction.number(ofWebhook: webhook) else { return }
                try transaction.run(wrong.flatMap { SQLStatement.arrange($0, of: endpoint) })
            }
        }
        return found.count < limit ? nil : found.last?.place
    }

    package func excessDeliveries(
        to webhook: String, beyond backlog: Int, limit: Int
    ) async throws(StoreError) -> Int {
        let waiting = SQLStatement(
            """
            SELECT count(*) FROM (
                SELECT 1 FROM webhook_delivery
                WHERE webhook = (SELECT number FROM webhook WHERE id = $1) AND state + 0 = 0 LIMIT $2
            ) AS waiting
            """, .text(webhook), .number(backlog + limit))
        return max(0, (try await read(as: nil, on: .background, waiting) { try $0.count(0) }.first ?? 0) - backlog)
    }

    package func dropClicks(to webhook: String, count: Int) async throws(StoreError) -> Int {
        try await transact(as: nil, weight: count) { transaction in
            guard let endpoint = try transaction.number(ofWebhook: webhook) else { return 0 }
            let messages = try transaction.rows(.oldestClicks(to: endpoint, limit: count)) { try $0.number(0) }
            try transaction.run(
                messages.flatMap { message in
                    [
                        SQLStatement(
                            "DELETE FROM webhook_delivery WHERE webhook = $1 AND message = $2", .number(endpoint),
                            .number(message)),
                        SQLStatement(
                            """
                            DELETE FROM message WHERE number = $1 AND NOT EXISTS (
                                SELECT 1 FROM webhook_delivery
                                WHERE webhook IN (SELECT number FROM webhook) AND message = $1)
                            """, .number(message)),
                    ]
                })
            return messages.count
        }
    }
}

extension SQLStatement {
    // `state + 0`, as in the indexes: with statistics from a time without a backlog PostgreSQL would prefer others,
    // which are about `state`, and read all that waits. The first is found by `min`, because `EXISTS` becomes a join.

    package static func dueEndpoints(at now: Timestamp) -> SQLStatement {
        SQLStatement(
            """
            SELECT id FROM webhook WHERE types <> 0 AND (
                (SELECT min(next_attempt) FROM webhook_delivery AS delivery
                    WHERE delivery.webhook = webhook.number AND lane = 0 AND state + 0 = 0 AND held = 0) <= $1
                OR (SELECT min(next_attempt) FROM webhook_delivery AS delivery
                    WHERE delivery.webhook = webhook.number AND lane = 1 AND state + 0 = 0 AND held = 0) <= $1)
            """, .time(now))
    }

    /// Deliveries that may be sent.
    package static func due(
        to webhook: String, in lane: DeliveryLane, at now: Timestamp, limit: Int
    ) -> SQLStatement {
        // Literals, by which partial indexes are found. That nothing earlier waits is asked here, whatever `held` says:
        // it only spares the look at most of those that have to wait.
        let condition: SQLText =
            switch lane {
            case .clicks: "AND delivery.lane = 1 "
            case .changes:
                """
                AND delivery.lane = 0 AND delivery.message = (
                    SELECT min(message) FROM webhook_delivery AS first
                    WHERE first.webhook = delivery.webhook AND first.lane = 0 AND first.state + 0 = 0
                        AND first.order_key = delivery.order_key)\u{20}
                """
            }
        return SQLStatement(
            """
            SELECT delivery.message, delivery.order_key, message.id, message.body, delivery.attempts, delivery.round
            FROM webhook_delivery AS delivery JOIN message ON message.number = delivery.message
            WHERE delivery.webhook = (SELECT number FROM webhook WHERE id = $1)
                AND delivery.state + 0 = 0 AND delivery.held = 0 AND delivery.next_attempt <= $2\u{20}
            """ + condition + "ORDER BY delivery.next_attempt, delivery.message LIMIT $3", .text(webhook), .time(now),
            .number(limit))
    }

    package static func oldestClicks(to webhook: Int64, limit: Int) -> SQLStatement {
        SQLStatement(
            """
            SELECT message FROM webhook_delivery WHERE webhook = $1 AND lane = 1 AND order_key = 0 AND state + 0 = 0
            ORDER BY message LIMIT $2
            """, .number(webhook), .number(limit))
    }

    /// Puts a delivery that waits into the lane of its type, and holds it if it has to wait for another.
    package static func arrange(_ message: Int64, of webhook: Int64) -> [SQLStatement] {
        [
            SQLStatement(
                """
                UPDATE webhook_delivery SET lane = 1, order_key = 0, held = 0
                WHERE webhook = $1 AND message = $2 AND lane = 0 AND state + 0 = 0
                    AND (SELECT type FROM message WHERE message.number = webhook_delivery.message) = $3
                """, .number(webhook), .number(message), .number(Int64(EventType.linkClicked.rawValue))),
            SQLStatement(
                """
                UPDATE webhook_delivery SET held = 1 - held
                WHERE webhook = $1 AND message = $2 AND lane = 0 AND state + 0 = 0
                    AND held = CASE WHEN message = (
                        SELECT min(message) FROM webhook_delivery AS first
                        WHERE first.webhook = webhook_delivery.webhook AND first.lane = 0 AND first.state + 0 = 0
                            AND first.order_key = webhook_delivery.order_key) THEN 1 ELSE 0 END
                """, .number(webhook), .number(message)),
        ]
    }

    /// Lets the first delivery be sent that waits with an order key. The endpoint is locked.
    package static func release(firstWith orderKey: Int64, of webhook: Int64) -> SQLStatement {
        SQLStatement(
            """
            UPDATE webhook_delivery SET held = 0
            WHERE webhook = $1 AND held = 1 AND message = (
                SELECT min(message) FROM webhook_delivery
                WHERE webhook = $1 AND lane = 0 AND order_key = $2 AND state + 0 = 0)
            """, .number(webhook), .number(orderKey))
    }
}

extension SQLTransaction {
    /// `SQLStatement.arrange`. The endpoint is locked.
    func arrange(_ message: Int64, of webhook: Int64) throws {
        try run(SQLStatement.arrange(message, of: webhook))
    }

    /// Holds what waits for a message that is sent again. The endpoint is locked.
    func holdNext(after message: Int64, of webhook: Int64) throws {
        try run(
            SQLStatement(
                """
                UPDATE webhook_delivery SET held = 1
                WHERE webhook = $1 AND held = 0 AND message = (
                    SELECT min(message) FROM webhook_delivery
                    WHERE webhook = $1 AND lane = 0 AND state + 0 = 0 AND message > $2 AND order_key = (
                        SELECT order_key FROM webhook_delivery WHERE webhook = $1 AND message = $2 AND lane = 0))
                """, .number(webhook), .number(message)))
    }
}
