extension Schema {
    // 27: what another database for clicks has yet to get. A row says that clicks are shipped, with the number of clicks that have not
    // arrived. Each note is what a transaction added or deleted, as in ClickNote; first and last are those of its blocks. A shipment
    // is what is under way; its number is never given twice.
    static let shipments = """
        CREATE TABLE click_shipping (
            one INTEGER PRIMARY KEY,
            clicks INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE click_note (
            number INTEGER PRIMARY KEY,
            at INTEGER NOT NULL,
            clicks INTEGER NOT NULL,
            first BLOB NOT NULL,
            last BLOB NOT NULL,
            blocks BLOB NOT NULL,
            links BLOB NOT NULL
        ) STRICT;
        CREATE INDEX click_note_last ON click_note (last, number, first);

        CREATE TABLE click_shipment (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            token TEXT NOT NULL,
            at INTEGER NOT NULL,
            clicks INTEGER NOT NULL,
            blocks BLOB NOT NULL,
            links BLOB NOT NULL
        ) STRICT;
        """
}
