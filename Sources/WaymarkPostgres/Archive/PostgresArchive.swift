#if PostgreSQL
    package import WaymarkLinks

    #if canImport(Glibc)
        internal import Glibc
    #else
        internal import Darwin
    #endif

    /// A database of PostgreSQL as `StoreArchive`, over one connection of its own.
    package final class PostgresArchive: StoreArchive {
        /// A page of links, or a batch of them to add.
        private static let timeLimit = 600_000

        let connection: Connection
        private let location: String
        private var isReading = false

        /// - Parameters:
        ///   - url: As `PostgresLinkStore` takes it.
        ///   - migrates: Whether the tables are brought up to date; where not, they must be.
        ///   - refusesOthers: Whether no other `waymark` may use the database: what a server writes after it was read
        ///     would be lost. Told by the name that connections give themselves, so that one which was given another name,
        ///     or whose server has no `pg_stat_activity` to speak of (CockroachDB), isn't seen. Waits some seconds for them
        ///     to go.
        package init(url text: String, migrates: Bool, refusesOthers: Bool = false) throws(StoreError) {
            let url = try PostgresURL(text)
            location = url.location
            do {
                let connection = try Connection(to: url)
                self.connection = connection
                try ConnectionSettings.apply(to: connection)
                if refusesOthers { try Self.waitUntilAlone(on: connection) }
                if migrates {
                    try Schema.migrate(connection)
                } else {
                    try Schema.requireCurrent(connection)
                }
                // A walk over all rows is no look-up by an index, and takes the time that it takes.
                _ = try connection.run(
                    .init(
                        sql: """
                            SELECT set_config('statement_timeout', $1::text, false),
                                set_config('idle_in_transaction_session_timeout', '0', false),
                                set_config('plan_cache_mode', 'auto', false), set_config('enable_seqscan', 'on', false),
                                set_config('enable_hashjoin', 'on', false), set_config('enable_mergejoin', 'on', false)
                            """, .text("\(Self.timeLimit)")), by: .after(milliseconds: TimeLimit.connecting))
            } catch {
                throw StoreError(error).naming(url.location)
            }
        }

        /// PostgreSQL takes a moment to notice that a server has left.
        private static func waitUntilAlone(on connection: Connection) throws {
            let end = ContinuousClock.now + patience
            while true {
                let found = try connection.run(
                    .init(
                        sql: """
                            SELECT count(*)::int8 FROM pg_stat_activity
                            WHERE datname = current_database() AND application_name = $1::text
                                AND pid <> pg_backend_pid()
                            """, .text(Connection.applicationName)), by: .after(milliseconds: TimeLimit.connecting))
                let others = try found.number(0, 0)
                if others == 0 { return }
                guard ContinuousClock.now < end else {
                    throw StoreError.unavailable(
                        "other waymark processes use the database (\(others) connections); stop them first")
                }
                usleep(100_000)
            }
        }

        private static let patience = Duration.seconds(3)

        func run(_ sql: String, _ arguments: Argument...) throws(StoreError) -> QueryResult {
            try run(sql, arguments: arguments)
        }

        func run(_ sql: String, arguments: [Argument]) throws(StoreError) -> QueryResult {
            var command = Connection.Command(sql: sql)
            command.arguments = arguments
            do {
                return try connection.run(command, by: .after(milliseconds: Self.timeLimit))
            } catch {
                throw StoreError(error)
            }
        }

        /// Runs the body in a transaction of its own; nothing of it stays where it throws.
        func transact<Value>(_ body: () throws -> Value) throws(StoreError) -> Value {
            do {
                _ = try run("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
                let value = try body()
                _ = try run("COMMIT")
                return value
            } catch {
                if connection.isOpen { _ = try? run("ROLLBACK") }
                throw StoreError(error)
            }
        }

        /// The rows of a result, one after the other.
        func rows<Value>(_ result: QueryResult, _ read: (Int) throws -> Value) throws(StoreError) -> [Value] {
            do {
                return try (0..<result.count).map(read)
            } catch {
                throw StoreError(error)
            }
        }

        package func beginReading() throws(StoreError) {
            _ = try run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            isReading = true
        }

        package func endReading() {
            guard isReading else { return }
            isReading = false
            if connection.isOpen { _ = try? run("COMMIT") }
        }

        package func close() {
            endReading()
            connection.close()
        }
    }

    extension Schema {
        /// Beside servers nothing is migrated: they might not understand what comes out.
        static func requireCurrent(_ connection: Connection) throws {
            let found = try found(connection, by: .after(milliseconds: TimeLimit.connecting))
            guard found == version else {
                throw StoreError.unavailable(
                    found == 0
                        ? "the database is empty: no server has used it so far"
                        : "the database was made by an older version of this program; start a server once")
            }
        }
    }
#endif
