#if PostgreSQL
    extension Schema {
        /// From 11 on: webhooks, conversions, documents.
        static let webhookMigrations: [[String]] = [
            // 11: endpoints of webhooks; events of committed changes, which the dispatcher turns into messages and one delivery
            // for each endpoint; and which links are known to have expired. types are those of an endpoint that is not
            // disabled, as bits; state and type are raw values of WebhookDelivery and EventType. Numbers of messages are those
            // of the outbox.
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
                // Conversions; sums are whole units and millionths, scale is digits behind the point. Texts are bytes, because
                // they may contain U+0000.
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
            // 12: failed deliveries in the order of their listing; small documents that all servers share, with a version for each
            // change.
            [
                """
                CREATE INDEX webhook_delivery_failed ON waymark.webhook_delivery (webhook, message) WHERE state = 2
                """,
                "CREATE TABLE waymark.document (name text PRIMARY KEY, version int8 NOT NULL, content bytea NOT NULL)",
            ],
        ]
    }
#endif
