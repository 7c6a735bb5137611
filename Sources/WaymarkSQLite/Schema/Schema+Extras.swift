extension Schema {
    // 26: what belongs to an application beside its document: UTM templates and a logo (ApplicationExtra).
    static let applicationExtras = """
        CREATE TABLE application_extra (
            application INTEGER NOT NULL REFERENCES application (number) ON DELETE CASCADE,
            name TEXT NOT NULL,
            version INTEGER NOT NULL,
            content BLOB NOT NULL,
            UNIQUE (application, name)
        ) STRICT;
        """
}
