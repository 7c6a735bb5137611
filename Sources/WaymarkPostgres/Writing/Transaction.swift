#if PostgreSQL
    internal import WaymarkStores
    internal import WaymarkLinks

    /// One transaction on a connection, with its deadline.
    final class Transaction {
        let connection: Connection
        private let deadline: Deadline
        /// Whether COMMIT was sent: from then on a lost connection leaves the outcome unknown.
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

        /// Notifies other servers on commit.
        func note(_ change: StoreChange) { changes.append(change) }

        /// The last round trip: the remaining changes, and the COMMIT, which does not run if one of them fails.
        func commit(_ commands: [Connection.Command] = []) throws(PostgresFailure) {
            var commands = commands
            let payloads = ChangeNotice.payloads(of: changes, from: origin)
            if !payloads.isEmpty { commands.append(.init(.notify, .texts(payloads))) }
            commands.append(.init(.commit))
            isCommitting = true
            _ = try exchange(commands)
        }

        /// Called after a failure. If the rollback fails too, the connection is closed, which also ends the
        /// transaction.
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
