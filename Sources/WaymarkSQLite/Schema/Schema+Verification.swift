extension Schema {
    // 30: what the verification of links found (LinkVerification), and how far its round has come.
    static let verification = """
        CREATE TABLE link_verification (
            link INTEGER PRIMARY KEY REFERENCES link (id) ON DELETE CASCADE,
            version INTEGER NOT NULL,
            walked_at INTEGER NOT NULL,
            look_at INTEGER,
            state INTEGER NOT NULL,
            announced INTEGER NOT NULL,
            codes INTEGER NOT NULL,
            findings BLOB NOT NULL
        ) STRICT;
        CREATE INDEX link_verification_state ON link_verification (state, link);
        CREATE INDEX link_verification_look ON link_verification (look_at) WHERE look_at IS NOT NULL;
        CREATE TABLE verification_round (
            one INTEGER PRIMARY KEY CHECK (one = 1),
            started_at INTEGER NOT NULL,
            ended_at INTEGER,
            last_link INTEGER NOT NULL
        ) STRICT;
        """
}
