#if PostgreSQL
    internal import Dispatch
    internal import Synchronization
    internal import WaymarkStores
    internal import WaymarkLinks

    /// A Dispatch queue with its connection; opened on demand, and reopened after a loss.
    ///
    /// A serial queue has its own thread while its work blocks, so neither other connections nor tasks wait for it.
    /// Unchecked because the compiler can't verify that the connection is used only on the queue.
    final class PooledConnection: @unchecked Sendable {
        private let url: PostgresURL
        private let gate: ConnectionGate
        private let tables: TableCheck
        let queue: DispatchQueue
        private var current: Connection?

        init(_ url: PostgresURL, gate: ConnectionGate, tables: TableCheck, name: String) {
            self.url = url
            self.gate = gate
            self.tables = tables
            queue = DispatchQueue(label: "waymark.postgresql." + name)
        }

        /// Must be called on `queue`.
        ///
        /// - Throws: `PostgresFailure` or `StoreError`.
        func connection() throws -> Connection {
            if let current, current.isOpen { return current }
            try gate.pass()
            do {
                let opened = try open()
                gate.succeeded()
                current = opened
                return opened
            } catch {
                gate.failed(StoreError(error))
                throw error
            }
        }

        /// Must be called on `queue`.
        func disconnect() {
            current?.close()
            current = nil
        }

        /// libpq tries no further host once one refuses the user or lacks the database; another one may still be right.
        private func connect() throws(PostgresFailure) -> Connection {
            do {
                return try Connection(to: url)
            } catch .denied(let sentence) where url.hosts.count > 1 {
                var failure = PostgresFailure.denied(sentence)
                for host in url.hosts {
                    do {
                        return try Connection(to: url, host: host)
                    } catch {
                        // A host that may come back keeps the program trying.
                        if case .disconnected = error { failure = error }
                    }
                }
                throw failure
            }
        }

        private func open() throws -> Connection {
            let connection = try connect()
            let deadline = Deadline.after(milliseconds: TimeLimit.connecting)
            try ConnectionSettings.apply(to: connection, by: deadline)
            let waited = try tables.pass(connection)
            try ConnectionSettings.prepare(
                connection, by: waited ? .after(milliseconds: TimeLimit.connecting) : deadline)
            return connection
        }
    }

    /// Ensures that the tables exist before the first query, whichever connection comes first.
    final class TableCheck: Sendable {
        private let isDone = Atomic(false)
        private let report: @Sendable (SchemaChange) -> Void

        /// - Parameter report: Receives the beginning and the end of a migration.
        init(reporting report: @escaping @Sendable (SchemaChange) -> Void) { self.report = report }

        /// Several connections may check at once: migrations run under a lock of the database. Returns false if the
        /// check had already passed.
        func pass(_ connection: Connection) throws -> Bool {
            guard !isDone.load(ordering: .acquiring) else { return false }
            try Schema.migrate(connection, reporting: report)
            try ConnectionSettings.apply(to: connection)
            isDone.store(true, ordering: .releasing)
            return true
        }
    }
#endif
