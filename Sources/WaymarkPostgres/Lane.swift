#if PostgreSQL
    internal import Dispatch
    internal import WaymarkLinks

    /// A Dispatch queue and the one connection that is used on it; opened when it is needed, and again when it was lost.
    ///
    /// A serial queue has a thread of its own while something on it blocks: neither other lanes nor tasks wait for it.
    ///
    /// Unchecked because the compiler can't see that the connection is only touched on the queue.
    final class Lane: @unchecked Sendable {
        private let url: PostgresURL
        private let gate: ConnectionGate
        let queue: DispatchQueue
        private var current: Connection?

        init(_ url: PostgresURL, gate: ConnectionGate, name: String) {
            self.url = url
            self.gate = gate
            queue = DispatchQueue(label: "waymark.postgresql." + name)
        }

        /// Hands over a connection that is ready, made elsewhere.
        func adopt(_ connection: Connection) {
            queue.sync { current = connection }
        }

        /// On `queue` only. - Throws: `PostgresFailure` or `StoreError`.
        func connection() throws -> Connection {
            if let current, current.isOpen { return current }
            try gate.pass()
            do {
                let opened = try Self.open(url)
                gate.succeeded()
                current = opened
                return opened
            } catch {
                gate.failed(StoreError(error))
                throw error
            }
        }

        /// On `queue` only.
        func disconnect() {
            current?.close()
            current = nil
        }

        private static func open(_ url: PostgresURL) throws -> Connection {
            let connection = try Connection(to: url)
            try ConnectionSettings.apply(to: connection)
            try ConnectionSettings.prepare(connection)
            return connection
        }
    }
#endif
