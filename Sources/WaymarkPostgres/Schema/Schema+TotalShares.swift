#if PostgreSQL
    extension Schema {
        // 29: rows of totals that belong to a share, so that servers that add clicks at the same time don't wait for each other.
        // Readers add the rows of a key up; a server merges those of past quarters of an hour and days into the rows without a
        // share.
        static let totalShares = [
            """
            CREATE TABLE waymark.click_total_share (
                application int4 NOT NULL REFERENCES waymark.application (number) ON DELETE CASCADE,
                quarter int8 NOT NULL,
                share int4 NOT NULL,
                bytes bytea NOT NULL,
                PRIMARY KEY (application, quarter, share)
            )
            """,
            "CREATE INDEX click_total_share_quarter ON waymark.click_total_share (quarter)",
            "ALTER TABLE waymark.click_total_share ALTER COLUMN bytes SET STORAGE EXTERNAL",
            """
            CREATE TABLE waymark.click_total_link_share (
                day int8 NOT NULL, page int8 NOT NULL, share int4 NOT NULL, bytes bytea NOT NULL,
                PRIMARY KEY (day, page, share)
            )
            """,
        ]
    }
#endif
