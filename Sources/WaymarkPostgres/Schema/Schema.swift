#if PostgreSQL
    internal import WaymarkStores
    internal import WaymarkLinks

    /// The tables, in their own schema, as a list of numbered migrations. A released migration is never edited: later
    /// ones are added, such that servers of the previous version keep working.
    enum Schema {
        static var version: Int { migrations.count }

        /// New migrations go to the end of the last list: a number never changes.
        static let migrations = linkMigrations + webhookMigrations + nameMigrations + operationMigrations

        /// Brings the tables up to date, in one transaction under one lock: if several servers start at once, one
        /// migrates and the others wait. If nothing is missing, this only reads, so a user without the right to
        /// create tables is sufficient.
        ///
        /// - Throws: `StoreError.corrupt` if a newer version or another program made the tables; nothing is changed.
        static func migrate(
            _ connection: Connection, reporting report: (SchemaChange) -> Void = { _ in }
        ) throws {
            let deadline = Deadline.after(milliseconds: TimeLimit.migration)
            if try found(connection, by: deadline) == version { return }
            do {
                _ = try connection.run(
                    .init(
                        sql: "SELECT set_config('statement_timeout', $1::text, false)", .text("\(TimeLimit.migration)")),
                    by: deadline)
                _ = try connection.exchange(
                    [
                        .init(sql: "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"),
                        .init(sql: "SELECT pg_advisory_xact_lock($1::int8)", .number(LockKey.migrations)),
                    ], by: deadline)
                // Another server may have migrated meanwhile.
                let found = try found(connection, by: deadline)
                try SchemaChange.reporting(from: found, to: version, report) {
                    var commands: [Connection.Command] = []
                    for (position, statements) in migrations.enumerated() where position >= found {
                        for statement in statements { commands.append(.init(sql: statement)) }
                        commands.append(
                            .init(
                                sql: "INSERT INTO waymark.migration (number) VALUES ($1::int8)",
                                .number(Int64(position + 1))))
                    }
                    commands.append(.init(sql: "COMMIT"))
                    _ = try connection.exchange(commands, by: deadline)
                }
            } catch {
                let failure = (error as? PostgresFailure) == .refused("42501") ? missingGrant(connection) : nil
                // Also ends the transaction.
                connection.close()
                throw failure ?? error
            }
        }

        /// Says what lets the user make the tables, in a transaction that has failed.
        private static func missingGrant(_ connection: Connection) -> StoreError? {
            let deadline = Deadline.after(milliseconds: TimeLimit.connecting)
            guard (try? connection.run(.init(sql: "ROLLBACK"), by: deadline)) != nil,
                let names = try? connection.run(
                    .init(
                        sql: """
                            SELECT quote_ident(current_database()), quote_ident(current_user),
                                to_regnamespace('waymark') IS NOT NULL, \(hasMigrations)
                            """), by: deadline),
                let database = try? names.text(0, 0), let user = try? names.text(0, 1),
                let (hasSchema, hasTables) = try? (names.number(0, 2) == 1, names.number(0, 3) == 1)
            else { return nil }
            if hasTables {
                return .unavailable(
                    "the database user may not change the tables; start this version once as the tables' owner")
            }
            let grant =
                hasSchema
                ? "GRANT USAGE, CREATE ON SCHEMA waymark TO \(user)" : "GRANT CREATE ON DATABASE \(database) TO \(user)"
            return .unavailable("the database user may not make the tables; an administrator runs once: \(grant)")
        }

        /// Not `to_regclass`, which refuses users who may not use the schema.
        private static let hasMigrations = """
            EXISTS (
                SELECT FROM pg_class JOIN pg_namespace ON pg_namespace.oid = pg_class.relnamespace
                WHERE pg_namespace.nspname = 'waymark' AND pg_class.relname = 'migration')
            """

        /// Number of migrations that have run.
        static func found(_ connection: Connection, by deadline: Deadline) throws -> Int {
            let tables = try connection.run(
                .init(
                    sql: """
                        SELECT \(hasMigrations), EXISTS (
                            SELECT FROM pg_class JOIN pg_namespace ON pg_namespace.oid = pg_class.relnamespace
                            WHERE pg_namespace.nspname = 'waymark')
                        """), by: deadline)
            guard try tables.number(0, 0) == 1 else {
                guard try tables.number(0, 1) == 0 else {
                    throw StoreError.corrupt("the schema \"waymark\" of the database belongs to another program")
                }
                return 0
            }
            let result = try connection.run(
                .init(sql: "SELECT coalesce(max(number), 0) FROM waymark.migration"), by: deadline)
            let found = try result.count(0, 0)
            guard found <= version else {
                throw StoreError.corrupt("the database was made by a newer version of this program")
            }
            return found
        }
    }
#endif
