#if PostgreSQL
    internal import Synchronization
    package import WaymarkStores

    /// The servers of lower levels that are connected to the database.
    ///
    /// Each connection holds a lock whose number has its program's level, for as long as it lasts: what is known of a server
    /// ends with it, without a clock. Programs before 0.3 hold none; they are recognised by their application name, and
    /// their level by the schema that was there before the one of 0.3.
    final class ConnectedServers: Sendable {
        /// How long a server is expected back after it was last seen: connections break and are opened again.
        static let grace = Duration.seconds(3)
        /// The migration of the first version whose connections hold the lock.
        static let firstSchema: Int64 = 13

        struct Server: Sendable, Equatable {
            var process: Int64
            var level: FormatLevel
            var host: String
        }

        private struct State {
            var isKnown = false
            var lowest = FormatLevel.current
            var hosts: [String] = []
            var seen = ContinuousClock.now
        }

        private let state = Mutex(State())
        /// Whether every connected server reads everything; without the lock, because each write asks.
        private let readsAll = Atomic(false)

        /// Whether nothing has to be looked at before a write.
        var areCurrent: Bool { readsAll.load(ordering: .acquiring) }
        var isKnown: Bool { state.withLock { $0.isKnown } }

        /// Looks who is connected. A database that can't say it (a relative of PostgreSQL) counts as one without others.
        func sample(on connection: Connection, by deadline: Deadline) throws(PostgresFailure) {
            do throws(PostgresFailure) {
                var found = try Self.servers(try connection.run(Self.query, by: deadline))
                if !found.isEmpty {
                    // A connection that opens or closes at this moment is seen without its lock, but not twice.
                    let again = try Self.servers(try connection.run(Self.query, by: deadline))
                    found = found.filter(again.contains)
                }
                note(found, at: .now)
            } catch {
                guard case .refused = error else { throw error }
                note([], at: .now)
            }
        }

        func note(_ servers: [Server], at now: ContinuousClock.Instant) {
            let isCurrent = state.withLock { state in
                state.isKnown = true
                if let lowest = servers.map(\.level).min() {
                    state.lowest = lowest
                    state.hosts = Set(servers.filter { $0.level == lowest }.map(\.host)).sorted()
                    state.seen = now
                } else if now - state.seen > Self.grace {
                    state.lowest = .current
                    state.hosts = []
                }
                return state.lowest >= .current
            }
            readsAll.store(isCurrent, ordering: .releasing)
        }

        /// Why a part of a value can't be written now; nil if it can.
        func pending(_ need: FormatNeed) -> UpgradePending? {
            state.withLock { state in
                guard need.level > state.lowest else { return nil }
                return UpgradePending(name: need.name, version: state.lowest.version, hosts: state.hosts)
            }
        }

        private static func servers(_ result: QueryResult) throws(PostgresFailure) -> [Server] {
            do {
                return try (0..<result.count).map { row in
                    Server(
                        process: try result.number(row, 0), level: FormatLevel(rawValue: try result.count(row, 1)),
                        host: try result.text(row, 2))
                }
            } catch {
                throw .lost
            }
        }

        /// Connections of lower levels. A connection that has run nothing, or takes its lock just now, is left out.
        /// The sessions are read before the locks, so that a lock taken in between is seen.
        private static var query: Connection.Command {
            .init(
                sql: """
                    WITH session AS MATERIALIZED (
                        SELECT pid, coalesce(host(client_addr), 'local') AS host FROM pg_stat_activity
                        WHERE datname = current_database() AND backend_type = 'client backend'
                            AND application_name IN ($3::text, current_setting('application_name'))
                            AND query <> '' AND strpos(query, 'pg_advisory_lock_shared') = 0
                    ), held AS MATERIALIZED (
                        SELECT pid, max(objid::int8 & 65535) AS level FROM pg_locks
                        WHERE locktype = 'advisory' AND objsubid = 1 AND granted
                            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                            AND classid::int8 = $1::int8 >> 32 AND objid::int8 >> 16 = ($1::int8 & 4294967295) >> 16
                        GROUP BY pid
                    ), before AS MATERIALIZED (
                        SELECT max(number) AS schema FROM waymark.migration
                        WHERE applied_at < (SELECT applied_at FROM waymark.migration WHERE number = $4::int8)
                    )
                    SELECT * FROM (
                        SELECT session.pid::int8, coalesce(held.level,
                            (SELECT CASE WHEN schema IS NULL THEN $2::int8 WHEN schema >= $4::int8 - 1 THEN 2 ELSE 1 END
                                FROM before)) AS level, session.host
                        FROM session LEFT JOIN held ON held.pid = session.pid
                    ) AS server WHERE level < $2::int8
                    """, .number(LockKey.level), .number(Int64(FormatLevel.current.rawValue)),
                .text(Connection.applicationName), .number(firstSchema))
        }
    }

    extension PostgresLinkStore {
        package func admit(_ need: () -> FormatNeed?) async throws(StoreError) {
            if connected.areCurrent { return }
            guard let need = need() else { return }
            if !connected.isKnown {
                try await inBackground { [connected] connection, deadline in
                    try connected.sample(on: connection, by: deadline)
                }
            }
            if let pending = connected.pending(need) { throw .upgradePending(pending) }
        }
    }
#endif
