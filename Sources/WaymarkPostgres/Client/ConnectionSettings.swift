#if PostgreSQL
    internal import WaymarkLinks

    /// How every connection is set up.
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
                            set_config('enable_mergejoin', 'off', false)
                        """,
                    .text("\(TimeLimit.transaction)"), .text("\(2 * TimeLimit.transaction)")),
                by: deadline)
            // Of a server that stands still in a transaction, the locks are freed by the idle limit. What is
            // acknowledged must be on the disk, whatever the database's default is. And every statement is a look-up by
            // an index: that plan is made once, whatever the arguments, and must not be another while tables are small.
            guard try result.number(0, 0) >= oldest else {
                throw StoreError.unavailable("the database is older than PostgreSQL 13")
            }
        }

        static func prepare(_ connection: Connection, by deadline: Deadline) throws {
            _ = try connection.exchange(Statement.allCases.map { Connection.Command(preparing: $0) }, by: deadline)
        }
    }
#endif
