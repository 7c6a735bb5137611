#if PostgreSQL
    extension Schema {
        // 30: what the verification of links found (LinkVerification), and how far its round has come.
        static let verification = [
            """
            CREATE TABLE waymark.link_verification (
                link int8 PRIMARY KEY REFERENCES waymark.link (id) ON DELETE CASCADE,
                version int8 NOT NULL,
                walked_at int8 NOT NULL,
                look_at int8,
                state int8 NOT NULL,
                announced int8 NOT NULL,
                codes int8 NOT NULL,
                findings bytea NOT NULL
            )
            """,
            "CREATE INDEX link_verification_state ON waymark.link_verification (state, link)",
            "CREATE INDEX link_verification_look ON waymark.link_verification (look_at) WHERE look_at IS NOT NULL",
            """
            CREATE TABLE waymark.verification_round (
                one int4 PRIMARY KEY CHECK (one = 1),
                started_at int8 NOT NULL,
                ended_at int8,
                last_link int8 NOT NULL
            )
            """,
        ]
    }
#endif
