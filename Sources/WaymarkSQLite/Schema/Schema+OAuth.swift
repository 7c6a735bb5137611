extension Schema {
    // 25: the programs that act for people by OAuth, and what they may do.
    static let oauth = """
        CREATE TABLE oauth_client (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            redirect_uris TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            used_at INTEGER
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE oauth_grant (
            id TEXT PRIMARY KEY,
            client TEXT NOT NULL REFERENCES oauth_client (id) ON DELETE CASCADE,
            owner TEXT NOT NULL,
            scopes TEXT NOT NULL,
            resource TEXT NOT NULL,
            redirect_uri TEXT NOT NULL,
            challenge TEXT NOT NULL,
            code BLOB,
            access BLOB,
            access_expires_at INTEGER,
            refresh BLOB,
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX oauth_grant_client ON oauth_grant (client);
        CREATE INDEX oauth_grant_owner ON oauth_grant (owner);
        """
}
