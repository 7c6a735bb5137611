#if PostgreSQL
    internal import WaymarkLinks
    internal import WaymarkStores

    /// The settings of every connection.
    enum ConnectionSettings {
        static let oldest = 130_000

        /// - Throws: `PostgresFailure`, or `StoreError` for a server that is too old.
        static func apply(
            to connection: Connection, by deadline: Deadline = .after(milliseconds: TimeLimit.connecting)
        ) throws {
            let result = try connection.run(
                .init(
                    sql: """
                        SELECT current_setting('server_version_num')::int8,
                            set_config('statement_timeout', $1::text, false),
                            set_config('idle_in_transaction_session_timeout', $2::text, false),
                            set_config('synchronous_commit', CASE current_setting('synchronous_commit')
                                WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, false),
                            set_config('jit', 'off', false),
                            set_config('plan_cache_mode', 'force_generic_plan', false),
                            set_config('enable_seqscan', 'off', false),
                            set_config('enable_hashjoin', 'off', false),
                            set_config('enable_mergejoin', 'off', false),
                            pg_is_in_recovery(),
                            set_config('search_path', 'waymark, pg_temp', false),
                            pg_advisory_lock_shared($3::int8)
                        """,
                    .text("\(TimeLimit.transaction)"), .text("\(2 * TimeLimit.transaction)"),
                    .number(LockKey.level + Int64(FormatLevel.current.rawValue))),
                by: deadline)
            // The idle limit frees the locks of a server that hangs in a transaction. Acknowledged writes must be on
            // disk, whatever the database's default. Every statement is an index lookup: its plan is made once, for
            // any arguments, and must not differ while tables are small. `SQLStatement` names tables without
            // their schema. The lock says what this program can read (ConnectedServers).
            guard try result.number(0, 0) >= oldest else {
                throw StoreError.unavailable("the database is older than PostgreSQL 13")
            }
            connection.isReplica = try result.number(0, 9) == 1
        }

        static func prepare(_ connection: Connection, by deadline: Deadline) throws {
            _ = try connection.exchange(Statement.allCases.map { Connection.Command(preparing: $0) }, by: deadline)
        }
    }
#endif
