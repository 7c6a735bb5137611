#if PostgreSQL
    extension Schema {
        // 32: what a change of a link replaced (LinkHistoryEntry.Former), null for changes from before; and the documents that
        // changes of applications replaced, without secrets: null for the first one that is known. Version 1
        // may be of any time before, because it replaced nothing.
        static let linkHistory = [
            "ALTER TABLE waymark.link_change ADD COLUMN slug text, ADD COLUMN content bytea",
            """
            CREATE TABLE waymark.application_change (
                application int4 NOT NULL REFERENCES waymark.application (number) ON DELETE CASCADE,
                version int8 NOT NULL,
                at int8 NOT NULL,
                document bytea,
                PRIMARY KEY (application, version)
            )
            """,
            """
            INSERT INTO waymark.application_change (application, version, at)
            SELECT number, version,
                CASE WHEN version = 1 THEN 0 ELSE floor(extract(epoch FROM now()) * 1000)::int8 END
            FROM waymark.application
            """,
        ]
    }
#endif
