#if PostgreSQL
    extension Schema {
        // 31: which version of each association file is served since when, as its entity tag (empty: none), and the last fetch by
        // each service, with the time since when it has fetched no other tag. Hosts are those of applications; what is of others
        // is deleted with the next change of a version.
        static let associationFetches = [
            """
            CREATE TABLE waymark.association_file (
                host text COLLATE "C" NOT NULL,
                file text COLLATE "C" NOT NULL,
                tag text COLLATE "C" NOT NULL,
                since int8,
                PRIMARY KEY (host, file)
            )
            """,
            """
            CREATE TABLE waymark.association_fetch (
                host text COLLATE "C" NOT NULL,
                file text COLLATE "C" NOT NULL,
                fetcher text COLLATE "C" NOT NULL,
                at int8 NOT NULL,
                status int4 NOT NULL,
                tag text COLLATE "C" NOT NULL,
                first_at int8 NOT NULL,
                PRIMARY KEY (host, file, fetcher)
            )
            """,
        ]
    }
#endif
