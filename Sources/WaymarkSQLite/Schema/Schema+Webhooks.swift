extension Schema {
    // 28: the lane of a delivery (DeliveryLane) and its order key: deliveries of a lane with the same key wait for each
    // other. held is 1 while an earlier one waits, so that what can be sent is found without a look at the others. The
    // indexes repeat what they are about, as an expression (SQLStatement.due) and as the column that it needs: else
    // SQLite prefers the primary key, with all that was ever sent.
    static let deliveryLanes = """
        ALTER TABLE webhook_delivery ADD COLUMN lane INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE webhook_delivery ADD COLUMN order_key INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE webhook_delivery ADD COLUMN held INTEGER NOT NULL DEFAULT 0;
        UPDATE webhook_delivery SET lane = 1
            WHERE state = 0 AND message IN (SELECT number FROM message WHERE type = 6);
        DROP INDEX webhook_delivery_due;
        CREATE INDEX webhook_delivery_order
            ON webhook_delivery (webhook, state + 0, lane, order_key, message, state) WHERE state + 0 = 0;
        UPDATE webhook_delivery SET held = 1
            WHERE state = 0 AND lane = 0 AND EXISTS (
                SELECT 1 FROM webhook_delivery AS earlier
                WHERE earlier.webhook = webhook_delivery.webhook AND earlier.lane = 0 AND earlier.order_key = 0
                    AND earlier.message < webhook_delivery.message AND earlier.state + 0 = 0);
        CREATE INDEX webhook_delivery_ready
            ON webhook_delivery (webhook, state + 0, held, lane, next_attempt, message, state)
            WHERE state + 0 = 0 AND held = 0;
        """
}
