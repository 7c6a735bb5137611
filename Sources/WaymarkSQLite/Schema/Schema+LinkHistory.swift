extension Schema {
    // 32: what a change of a link replaced (LinkHistoryEntry.Former), null for changes from before; and the documents that changes
    // of applications replaced, without secrets: null for the first one that is known.
    // Version 1 may be of any time before, because it replaced nothing.
    static let linkHistory = """
        ALTER TABLE link_change ADD COLUMN slug TEXT;
        ALTER TABLE link_change ADD COLUMN content BLOB;

        CREATE TABLE application_change (
            application INTEGER NOT NULL REFERENCES application (number) ON DELETE CASCADE,
            version INTEGER NOT NULL,
            at INTEGER NOT NULL,
            document BLOB,
            PRIMARY KEY (application, version)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO application_change (application, version, at)
            SELECT number, version, CASE WHEN version = 1 THEN 0 ELSE CAST(strftime('%s', 'now') AS INTEGER) * 1000 END
            FROM application;
        """
}
