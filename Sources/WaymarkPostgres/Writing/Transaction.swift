#if PostgreSQL
    internal import WaymarkLinks

    /// One transaction on a connection, and the time that it has.
    final class Transaction {
        let connection: Connection
        private let deadline: Deadline
        /// Whether a COMMIT is on its way: from then on nobody knows what a lost connection has done.
        private(set) var isCommitting = false
        private var changes: [StoreChange] = []
        private let origin: ChangeNotice.Origin

        init(_ connection: Connection, origin: ChangeNotice.Origin, by deadline: Deadline) {
            self.connection = connection
            self.origin = origin
            self.deadline = deadline
        }

        func exchange(_ commands: [Connection.Command]) throws(PostgresFailure) -> [QueryResult] {
            try connection.exchange(commands, by: deadline)
        }

        func run(_ statement: Statement, _ arguments: Argument...) throws(PostgresFailure) -> QueryResult {
            var command = Connection.Command(statement)
            command.arguments = arguments
            return try connection.run(command, by: deadline)
        }

        /// Other servers are told with the commit.
        func note(_ change: StoreChange) { changes.append(change) }

        /// The last round trip: whatever is still to be written, and the COMMIT, which does not run where something
        /// before it fails.
        func commit(_ commands: [Connection.Command] = []) throws(PostgresFailure) {
            var commands = commands
            let payloads = ChangeNotice.payloads(of: changes, from: origin)
            if !payloads.isEmpty { commands.append(.init(.notify, .texts(payloads))) }
            commands.append(.init(.commit))
            isCommitting = true
            _ = try exchange(commands)
        }

        /// After a failure. A connection on which that fails too is closed, which ends the transaction as well.
        func rollback() {
            guard connection.isOpen else { return }
            do {
                _ = try connection.run(.init(.rollback), by: deadline)
            } catch {
                connection.close()
            }
        }
    }
#endif
