extension Schema {
    // 24: the audit: who changed what, as the API shows it, and what is looked for. Names are those of that time, so nothing refers to
    // other tables.
    static let audit = """
        CREATE TABLE audit (
            number INTEGER PRIMARY KEY,
            at INTEGER NOT NULL,
            application TEXT,
            person TEXT,
            actor_key TEXT,
            action TEXT NOT NULL,
            entry BLOB NOT NULL
        ) STRICT;
        CREATE INDEX audit_at ON audit (at);
        CREATE INDEX audit_application ON audit (application, at) WHERE application IS NOT NULL;
        CREATE INDEX audit_person ON audit (person, at) WHERE person IS NOT NULL;
        """
}
