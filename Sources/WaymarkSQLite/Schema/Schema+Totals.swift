extension Schema {
    // 22: totals of applications on days that are over, packed (PackedTotals). Rows that click_total has of such days move here
    // in the background. Summaries and leaves of the search index move from tables WITHOUT ROWID to tables with an index: to find
    // a row, SQLite read the whole of each one that it compared on its way, and now reads that of the one it finds.
    static let packedTotals = """
        CREATE TABLE click_total_day (
            application INTEGER NOT NULL REFERENCES application (number) ON DELETE CASCADE,
            day INTEGER NOT NULL,
            bytes BLOB NOT NULL,
            UNIQUE (application, day)
        ) STRICT;

        CREATE TABLE click_summary_moved (
            span INTEGER NOT NULL,
            day INTEGER NOT NULL,
            part INTEGER NOT NULL,
            bytes BLOB NOT NULL,
            UNIQUE (span, day, part)
        ) STRICT;
        INSERT INTO click_summary_moved SELECT span, day, part, bytes FROM click_summary ORDER BY span, day, part;
        DROP TABLE click_summary;
        ALTER TABLE click_summary_moved RENAME TO click_summary;
        CREATE INDEX click_summary_state ON click_summary (span, day) WHERE part = -1;

        CREATE TABLE search_leaf_moved (
            segment INTEGER NOT NULL,
            part INTEGER NOT NULL,
            first BLOB NOT NULL,
            bytes BLOB NOT NULL,
            UNIQUE (segment, part, first)
        ) STRICT;
        INSERT INTO search_leaf_moved SELECT segment, part, first, bytes FROM search_leaf ORDER BY segment, part, first;
        DROP TABLE search_leaf;
        ALTER TABLE search_leaf_moved RENAME TO search_leaf;
        """
}
