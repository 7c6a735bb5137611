#if PostgreSQL
    internal import WaymarkLinks

    /// Why something on a connection did not come about.
    enum PostgresFailure: Error, Sendable, Equatable {
        /// There is no connection, or no longer: the sentence says why.
        case disconnected(String)
        /// There is no connection, and trying again will not make one: the server or the URL has to be changed.
        case denied(String)
        /// The server refused a statement, with this SQLSTATE.
        case refused(String)
        /// Another server's transaction came between: the same again will do.
        case raced

        static let late = PostgresFailure.disconnected("the database did not answer in time")
        static let lost = PostgresFailure.disconnected("the connection to the database was lost")

        /// - Parameter state: SQLSTATE, five characters.
        init(state: String) {
            switch state {
            // The server ends the connection: 57P01 to 57P05, and class 08. 0A000: a migration changed a table under
            // prepared statements, which a new connection prepares anew.
            case "57P01", "57P02", "57P03", "57P05", "25P03", "0A000": self = .lost
            case _ where state.hasPrefix("08"): self = .lost
            // Deadlock, serialization, a unique index (somebody took the slug meanwhile), a guard's division by zero.
            case "40P01", "40001", "23505", "22012": self = .raced
            default: self = .refused(state)
            }
        }
    }

    extension StoreError {
        /// What the user of a store is told: one sentence, without SQL, values or any part of the URL.
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
            case "53100": .unavailable("the disk that holds the database is full")
            case "53200": .unavailable("there is not enough memory for the database")
            case "53300": .unavailable("the database has no connection left")
            case "25006": .unavailable("the database is read-only")
            case "57014", "55P03": .unavailable("the database did not answer in time")
            case "42501": .unavailable("the database user may not use the tables")
            case "42P01", "42703", "3F000": .corrupt("tables of the database are missing")
            case "XX001", "XX002": .corrupt("the database is damaged")
            default: .unavailable("the database gives error \(state)")
            }
        }

        /// The same sentence with the server's name before it, for errors at opening.
        func naming(_ location: String) -> StoreError {
            switch self {
            case .unavailable(let sentence): .unavailable("\(location): \(sentence)")
            case .corrupt(let sentence): .corrupt("\(location): \(sentence)")
            }
        }
    }
#endif
