#if PostgreSQL
    package import WaymarkStores
    import WaymarkLinks

    #if canImport(Glibc)
        internal import Glibc
    #else
        internal import Darwin
    #endif

    /// A PostgreSQL database as `StoreArchive`, with its own connection.
    package final class PostgresArchive: StoreArchive {
        /// Milliseconds for reading a page of links, or adding a batch.
        static let timeLimit = 600_000

        let connection: Connection
        private let location: String
        private var isReading = false

        /// - Parameters:
        ///   - url: As for `PostgresLinkStore`.
        ///   - migrates: Whether to bring the tables up to date; otherwise they must be.
        ///   - refusesOthers: Whether to fail if another `waymark` uses the database: anything that a server writes
        ///     after the database was read would be lost. Detected by the connections' application names, so clients
        ///     with another name, or on a server without a useful `pg_stat_activity` (CockroachDB), are not detected.
        ///     Waits some seconds for them to disconnect.
        ///   - report: Receives the beginning and the end of a migration.
        package init(
            url text: String, migrates: Bool, refusesOthers: Bool = false,
            onMigration report: (SchemaChange) -> Void = { _ in }
        ) throws(StoreError) {
            let url = try PostgresURL(text)
            location = url.location
            do {
                let connection = try Connection(to: url)
                self.connection = connection
                try ConnectionSettings.apply(to: connection)
                if refusesOthers { try Self.waitUntilAlone(on: connection) }
                if migrates {
                    try Schema.migrate(connection, reporting: report)
                } else {
                    try Schema.requireCurrent(connection)
                }
                // A scan of all rows is not an index lookup: it needs other plans and more time.
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

        /// PostgreSQL takes a moment to notice that a server has disconnected.
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
            return try run(command)
        }

        func run(_ command: Connection.Command) throws(StoreError) -> QueryResult {
            do {
                return try connection.run(command, by: .after(milliseconds: Self.timeLimit))
            } catch {
                if isReading, connection.isOpen { beginAgain() }
                if case PostgresFailure.raced = error {
                    throw .unavailable(
                        "rows contradict each other, or others change them; run waymark check on the source")
                }
                throw StoreError(error)
            }
        }

        /// An error ends the transaction, and a check goes on with what can be read.
        private func beginAgain() {
            for sql in ["ROLLBACK", "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"] {
                _ = try? connection.run(.init(sql: sql), by: .after(milliseconds: Self.timeLimit))
            }
        }

        /// Runs the body in its own transaction, which is rolled back if it throws.
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

        /// The rows of a result, in order.
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
        /// Never migrates while servers run: they might not understand the new tables.
        static func requireCurrent(_ connection: Connection) throws {
            let found = try found(connection, by: .after(milliseconds: TimeLimit.connecting))
            guard found == version else {
                throw StoreError.unavailable(
                    found == 0
                        ? "the database is empty: no server has used it so far"
                        : """
                        the database has schema \(found), of an older version of this program, which has \(version); start a \
                        server once
                        """)
            }
        }
    }
#endif
