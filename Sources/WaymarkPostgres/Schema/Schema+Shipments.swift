#if PostgreSQL
    extension Schema {
        // 27: what another database for clicks has yet to get. A row says that clicks are shipped, with the number of clicks that have
        // not arrived. Each note is what a transaction added or deleted, as in ClickNote; first and last are those of its blocks.
        // A shipment is what is under way; its number is never given twice.
        static let shipments = [
            "CREATE TABLE waymark.click_shipping (one int8 PRIMARY KEY, clicks int8 NOT NULL) WITH (fillfactor = 10)",
            """
            CREATE TABLE waymark.click_note (
                number int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                at int8 NOT NULL,
                clicks int8 NOT NULL,
                first bytea NOT NULL,
                last bytea NOT NULL,
                blocks bytea NOT NULL,
                links bytea NOT NULL
            )
            """,
            "CREATE INDEX click_note_last ON waymark.click_note (last, number, first)",
            """
            CREATE TABLE waymark.click_shipment (
                number int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                token text NOT NULL,
                at int8 NOT NULL,
                clicks int8 NOT NULL,
                blocks bytea NOT NULL,
                links bytea NOT NULL
            )
            """,
        ]
    }
#endif
