#if PostgreSQL
    extension Schema {
        // 21: people, with what they may do and how they sign in; whom a key belongs to. A membership without an application
        // is of all applications. Names, issuers and subjects are bytes, because they may contain U+0000.
        static let people = [
            """
            CREATE TABLE waymark.person (
                id text COLLATE "C" PRIMARY KEY,
                name bytea NOT NULL,
                email bytea,
                disabled int8 NOT NULL,
                created_at int8 NOT NULL,
                signed_in_at int8
            )
            """,
            """
            CREATE TABLE waymark.membership (
                person text COLLATE "C" NOT NULL REFERENCES waymark.person (id) ON DELETE CASCADE,
                application int4 REFERENCES waymark.application (number) ON DELETE CASCADE,
                role text NOT NULL,
                UNIQUE (person, application)
            )
            """,
            "CREATE UNIQUE INDEX membership_of_all ON waymark.membership (person) WHERE application IS NULL",
            "CREATE INDEX membership_application ON waymark.membership (application)",
            """
            CREATE TABLE waymark.person_identity (
                issuer bytea NOT NULL,
                subject bytea NOT NULL,
                person text COLLATE "C" NOT NULL REFERENCES waymark.person (id) ON DELETE CASCADE,
                UNIQUE (issuer, subject)
            )
            """,
            "CREATE INDEX person_identity_person ON waymark.person_identity (person)",
            """
            CREATE TABLE waymark.passkey (
                id bytea PRIMARY KEY,
                person text COLLATE "C" NOT NULL REFERENCES waymark.person (id) ON DELETE CASCADE,
                public_key bytea NOT NULL,
                sign_count int8 NOT NULL,
                created_at int8 NOT NULL,
                used_at int8
            )
            """,
            "CREATE INDEX passkey_person ON waymark.passkey (person)",
            "ALTER TABLE waymark.api_key ADD COLUMN person text",
            "CREATE INDEX api_key_person ON waymark.api_key (person) WHERE person IS NOT NULL",
        ]
    }
#endif
