extension Schema {
    // 21: people, with what they may do and how they sign in; whom a key belongs to. A membership without an application is of
    // all applications.
    static let people = """
        CREATE TABLE person (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            email TEXT,
            disabled INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            signed_in_at INTEGER
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE membership (
            person TEXT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
            application INTEGER REFERENCES application (number) ON DELETE CASCADE,
            role TEXT NOT NULL,
            UNIQUE (person, application)
        ) STRICT;
        CREATE UNIQUE INDEX membership_of_all ON membership (person) WHERE application IS NULL;
        CREATE INDEX membership_application ON membership (application);

        CREATE TABLE person_identity (
            issuer TEXT NOT NULL,
            subject TEXT NOT NULL,
            person TEXT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
            UNIQUE (issuer, subject)
        ) STRICT;
        CREATE INDEX person_identity_person ON person_identity (person);

        CREATE TABLE passkey (
            id BLOB PRIMARY KEY,
            person TEXT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
            public_key BLOB NOT NULL,
            sign_count INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            used_at INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX passkey_person ON passkey (person);

        ALTER TABLE api_key ADD COLUMN person TEXT;
        CREATE INDEX api_key_person ON api_key (person) WHERE person IS NOT NULL;
        """
}
