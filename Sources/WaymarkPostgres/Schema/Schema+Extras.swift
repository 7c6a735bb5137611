#if PostgreSQL
    extension Schema {
        // 26: what belongs to an application beside its document: UTM templates and a logo (ApplicationExtra).
        static let applicationExtras = [
            """
            CREATE TABLE waymark.application_extra (
                application int4 NOT NULL REFERENCES waymark.application (number) ON DELETE CASCADE,
                name text COLLATE "C" NOT NULL,
                version int8 NOT NULL,
                content bytea NOT NULL,
                PRIMARY KEY (application, name)
            )
            """
        ]
    }
#endif
