#if PostgreSQL
    extension Schema {
        /// From 11 on: webhooks, conversions, documents.
        static let webhookMigrations: [[String]] = [
            // 11: endpoints of webhooks; events of committed changes, which the dispatcher turns into messages and one
            // delivery for each endpoint; and which links are known to have expired. types are those of an endpoint
            // that is not disabled, as bits; state and type are raw values of WebhookDelivery and EventType. Numbers of
            // messages are those of the outbox.
            [
                """
                CREATE TABLE waymark.webhook (
                    number int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                    id text NOT NULL UNIQUE,
                    application text,
                    types int8 NOT NULL,
                    document bytea NOT NULL
                )
                """,
                "CREATE TABLE waymark.webhook_removed (webhook int8 PRIMARY KEY)",
                """
                CREATE TABLE waymark.outbox (
                    number int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY, event bytea NOT NULL
                )
                """,
                """
                CREATE TABLE waymark.message
                    (number int8 PRIMARY KEY, id text NOT NULL, type int8 NOT NULL, at int8 NOT NULL, body bytea NOT NULL)
                """,
                "CREATE INDEX message_at ON waymark.message (at)",
                """
                CREATE TABLE waymark.webhook_delivery (
                    webhook int8 NOT NULL,
                    message int8 NOT NULL,
                    state int8 NOT NULL,
                    next_attempt int8 NOT NULL,
                    round int8 NOT NULL,
                    attempts bytea NOT NULL,
                    PRIMARY KEY (webhook, message)
                )
                """,
                """
                CREATE INDEX webhook_delivery_due ON waymark.webhook_delivery (webhook, next_attempt, message)
                WHERE state = 0
                """,
                """
                CREATE TABLE waymark.expiry_report
                    (one int8 PRIMARY KEY, expires_at int8 NOT NULL, link int8 NOT NULL)
                """,
                // Conversions; sums are whole units and millionths, scale is digits behind the point. Texts are bytes,
                // because they may contain U+0000.
                """
                CREATE TABLE waymark.conversion (
                    application int4 NOT NULL REFERENCES waymark.application (number) ON DELETE CASCADE,
                    day int8 NOT NULL,
                    link int8 NOT NULL,
                    campaign bytea NOT NULL,
                    name bytea NOT NULL,
                    currency bytea NOT NULL,
                    count int8 NOT NULL,
                    whole int8 NOT NULL,
                    micros int8 NOT NULL,
                    scale int8 NOT NULL,
                    PRIMARY KEY (application, day, link, campaign, name, currency)
                )
                """,
            ],
            // 12: failed deliveries in the order of their listing; small documents that all servers share, with a
            // version for each change.
            [
                """
                CREATE INDEX webhook_delivery_failed ON waymark.webhook_delivery (webhook, message) WHERE state = 2
                """,
                "CREATE TABLE waymark.document (name text PRIMARY KEY, version int8 NOT NULL, content bytea NOT NULL)",
            ],
        ]

        // 28: the lane of a delivery (DeliveryLane) and its order key: deliveries of a lane with the same key wait for
        // each other. held is 1 while an earlier one waits, so that what can be sent is found without a look at the
        // others. Servers of earlier versions leave all three at 0, and use webhook_delivery_due, which statements with
        // state + 0 can't be answered with (SQLStatement.due).
        static let deliveryLanes = [
            """
            ALTER TABLE waymark.webhook_delivery ADD COLUMN lane int8 NOT NULL DEFAULT 0,
                ADD COLUMN order_key int8 NOT NULL DEFAULT 0, ADD COLUMN held int8 NOT NULL DEFAULT 0
            """,
            """
            UPDATE waymark.webhook_delivery SET lane = 1
            WHERE state = 0 AND message IN (SELECT number FROM waymark.message WHERE type = 6)
            """,
            """
            CREATE INDEX webhook_delivery_order ON waymark.webhook_delivery (webhook, lane, order_key, message)
            WHERE state + 0 = 0
            """,
            """
            UPDATE waymark.webhook_delivery SET held = 1
            FROM (
                SELECT webhook, min(message) AS message FROM waymark.webhook_delivery WHERE state = 0 AND lane = 0
                GROUP BY webhook
            ) AS earliest
            WHERE webhook_delivery.webhook = earliest.webhook AND webhook_delivery.message > earliest.message
                AND state = 0 AND lane = 0
            """,
            """
            CREATE INDEX webhook_delivery_ready
                ON waymark.webhook_delivery (webhook, lane, next_attempt, message)
            WHERE state + 0 = 0 AND held = 0
            """,
        ]
    }
#endif
