extension Schema {
    // 31: which version of each association file is served since when, as its entity tag (empty: none), and the last fetch by each
    // service, with the time since when it has fetched no other tag. Hosts are those of applications; what is of others is deleted
    // with the next change of a version.
    static let associationFetches = """
        CREATE TABLE association_file (
            host TEXT NOT NULL,
            file TEXT NOT NULL,
            tag TEXT NOT NULL,
            since INTEGER,
            PRIMARY KEY (host, file)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE association_fetch (
            host TEXT NOT NULL,
            file TEXT NOT NULL,
            fetcher TEXT NOT NULL,
            at INTEGER NOT NULL,
            status INTEGER NOT NULL,
            tag TEXT NOT NULL,
            first_at INTEGER NOT NULL,
            PRIMARY KEY (host, file, fetcher)
        ) STRICT, WITHOUT ROWID;
        """
}
