#if PostgreSQL
    extension Schema {
        // 24: the audit: who changed what, as the API shows it, and what is looked for. Names are those of that time, so nothing refers
        // to other tables.
        static let audit = [
            """
            CREATE TABLE waymark.audit (
                number int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                at int8 NOT NULL,
                application text COLLATE "C",
                person text COLLATE "C",
                actor_key bytea,
                action text COLLATE "C" NOT NULL,
                entry bytea NOT NULL
            )
            """,
            "CREATE INDEX audit_at ON waymark.audit (at, number)",
            """
            CREATE INDEX audit_application ON waymark.audit (application, at, number) WHERE application IS NOT NULL
            """,
            "CREATE INDEX audit_person ON waymark.audit (person, at, number) WHERE person IS NOT NULL",
        ]
    }
#endif
