#if PostgreSQL
    internal import WaymarkLinks

    /// Classifies libpq's connection errors. It reports them only as text, which may quote names and parts of the
    /// URL: so the text is matched, and replaced by our own.
    enum ConnectionRejection {
        private static let sentences: [(clue: String, sentence: String)] = [
            ("timeout expired", "the database did not answer in time"),
            ("could not translate host name", "the database's host name is not known"),
            ("Connection refused", "the database refuses connections"),
            ("No such file or directory", "the database refuses connections"),
            ("starting up", "the database is starting"),
            ("shutting down", "the database is stopping"),
            ("recovery mode", "the database is recovering"),
            ("too many", "the database has no connection left"),
            ("connection slots", "the database has no connection left"),
            ("accepting connections", "the database takes no connections yet"),
        ]

        /// Errors that remain until someone changes the configuration.
        private static let lasting: [(clue: String, sentence: String)] = [
            ("no password supplied", "the database wants a password"),
            ("authentication failed", "the database refuses the user or the password"),
            ("no pg_hba.conf entry", "the database refuses this user from this host"),
            ("role ", "the database refuses the user or the password"),
            ("database ", "there is no such database"),
            ("certificate", "the database's certificate is not accepted"),
            ("SSL", "there is no TLS connection to the database"),
        ]

        static func failure(_ message: String) -> PostgresFailure {
            func sentence(in list: [(clue: String, sentence: String)]) -> String? {
                list.first { LiteralSearch($0.clue).isFound(in: message) }?.sentence
            }
            if let passing = sentence(in: sentences) { return .disconnected(passing) }
            if let lasting = sentence(in: lasting) { return .denied(lasting) }
            return .disconnected("the database can't be reached")
        }
    }
#endif
