#if PostgreSQL
    internal import WaymarkLinks
    internal import WaymarkStores

    /// Why an operation on a connection failed.
    enum PostgresFailure: Error, Sendable, Equatable {
        /// There is no connection, or it was lost; with the reason.
        case disconnected(String)
        /// There is no connection, and a retry would not help: the server or the URL must be changed.
        case denied(String)
        /// The server rejected a statement, with this SQLSTATE.
        case refused(String)
        /// A conflict with another server's transaction: retry.
        case raced

        static let late = PostgresFailure.disconnected("the database did not answer in time")
        static let lost = PostgresFailure.disconnected("the connection to the database was lost")
        /// It may be promoted.
        static let replica = PostgresFailure.disconnected("the database is read-only (a replica)")

        /// - Parameter state: SQLSTATE, five characters.
        init(state: String) {
            switch state {
            // The server ends the connection: 57P01 to 57P05, and class 08. 0A000: a migration changed a table under
            // prepared statements; a new connection prepares them again.
            case "57P01", "57P02", "57P03", "57P05", "25P03", "0A000": self = .lost
            case _ where state.hasPrefix("08"): self = .lost
            // Deadlock, serialization failure, a unique index or a trigger (a concurrent creation took the slug, a
            // renaming made it an alias).
            case "40P01", "40001", "23505", "23P01": self = .raced
            default: self = .refused(state)
            }
        }
    }

    extension StoreError {
        /// The message for the store's callers: one sentence, without SQL, values or any part of the URL.
        init(_ error: any Error) {
            switch error {
            case let error as StoreError: self = error
            case PostgresFailure.disconnected(let sentence), PostgresFailure.denied(let sentence):
                self = .unavailable(sentence)
            case PostgresFailure.refused(let state): self = Self.sentence(for: state)
            case PostgresFailure.raced: self = .unavailable("too many servers change the same rows")
            default: self = .unavailable("the database could not be used")
            }
        }

        private static func sentence(for state: String) -> StoreError {
            switch state {
            case "53100": .diskFull
            case "53200": .unavailable("there is not enough memory for the database")
            case "53300": .unavailable("the database has no connection left")
            case "25006": .unavailable("the database is read-only")
            // The server of this transaction has not what another one prepared.
            case "42P05", "26000":
                .unavailable("a pooler in transaction mode is before the database; it needs session mode")
            case "57014", "55P03": .unavailable("the database did not answer in time")
            case "42501": .unavailable("the database user may not use the tables")
            case "42P01", "42703", "3F000": .corrupt("tables of the database are missing")
            case "XX001", "XX002": .corrupt("the database is damaged")
            default: .unavailable("the database gives error \(state)")
            }
        }
    }

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
            // With target_session_attrs.
            ("session is read-only", "the database is read-only (a replica)"),
            ("hot standby mode", "the database is read-only (a replica)"),
        ]

        private static let clientCertificate = "the database wants a client certificate: give sslcert and sslkey"

        /// Errors that remain until someone changes the configuration.
        private static let lasting: [(clue: String, sentence: String)] = [
            ("no password supplied", "the database wants a password"),
            ("authentication failed", "the database refuses the user or the password"),
            ("no pg_hba.conf entry", "the database refuses this user from this host"),
            ("role ", "the database refuses the user or the password"),
            ("database ", "there is no such database"),
            ("requires a valid client certificate", clientCertificate),
            ("alert certificate required", clientCertificate),
            ("alert unknown ca", "the database does not accept the client certificate"),
            ("root certificate file", "the file of sslrootcert is missing or can't be read"),
            ("certificate file", "the file of sslcert is missing or can't be read"),
            ("private key file", "the file of sslkey is missing, can't be read, or may be read by others"),
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
