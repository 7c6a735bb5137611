#if PostgreSQL
    extension Schema {
        // 25: the programs that act for people by OAuth, and what they may do. Names and IDs are bytes, because they come from
        // outside and may contain U+0000.
        static let oauth = [
            """
            CREATE TABLE waymark.oauth_client (
                id bytea PRIMARY KEY,
                name bytea NOT NULL,
                redirect_uris text NOT NULL,
                created_at int8 NOT NULL,
                used_at int8
            )
            """,
            """
            CREATE TABLE waymark.oauth_grant (
                id bytea PRIMARY KEY,
                client bytea NOT NULL REFERENCES waymark.oauth_client (id) ON DELETE CASCADE,
                owner bytea NOT NULL,
                scopes text NOT NULL,
                resource text NOT NULL,
                redirect_uri text NOT NULL,
                challenge text NOT NULL,
                code bytea,
                access bytea,
                access_expires_at int8,
                refresh bytea,
                created_at int8 NOT NULL,
                expires_at int8 NOT NULL
            )
            """,
            "CREATE INDEX oauth_grant_client ON waymark.oauth_grant (client)",
            "CREATE INDEX oauth_grant_owner ON waymark.oauth_grant (owner)",
        ]
    }
#endif
