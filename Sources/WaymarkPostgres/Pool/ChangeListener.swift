#if PostgreSQL
    internal import Dispatch
    internal import Synchronization
    internal import WaymarkStores
    internal import WaymarkLinks

    /// Listens for the changes of other stores, on its own connection.
    ///
    /// Notifications sent while it was not listening are lost, so each time it starts to listen it reports that
    /// everything may have changed. After each period of silence it checks that the connection is alive, because a
    /// broken network gives no sign; after a second and a half without a reply it reports `interrupted`. It also looks which
    /// servers are connected.
    final class ChangeListener: Sendable {
        /// Maximum number of unread changes. Further ones are merged into one `everything`.
        static let capacity = 4_096
        /// Milliseconds of silence before a check of the server.
        static let period = 500
        /// Milliseconds that the server has to reply.
        static let patience = 1_000
        /// Milliseconds between two looks at the connected servers.
        static let samplePeriod = 1_000

        let changes: AsyncStream<StoreChange>
        private let continuation: AsyncStream<StoreChange>.Continuation
        private let url: PostgresURL
        private let origin: ChangeNotice.Origin
        private let connected: ConnectedServers
        private let gate = ConnectionGate()
        private let pipe: WakePipe
        private let isStopped = Atomic(false)
        private let hasMissed = Atomic(false)
        private let queue = DispatchQueue(label: "waymark.postgresql.changes")

        /// - Parameter own: The store whose own changes are skipped.
        init(
            _ url: PostgresURL, unless own: ChangeNotice.Origin, connected: ConnectedServers
        ) throws(StoreError) {
            self.url = url
            self.connected = connected
            origin = own
            pipe = try WakePipe()
            (changes, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.capacity))
        }

        func start() { queue.async { self.listen() } }

        /// Returns when the connection is closed and the stream has ended.
        func stop() async {
            isStopped.store(true, ordering: .sequentiallyConsistent)
            pipe.wake()
            await withCheckedContinuation { continuation in
                queue.async { continuation.resume() }
            }
        }

        private var isGoingOn: Bool { !isStopped.load(ordering: .sequentiallyConsistent) }

        private func listen() {
            while isGoingOn {
                do {
                    try gate.pass()
                } catch {
                    pipe.wait(until: .after(milliseconds: ConnectionGate.firstPause))
                    continue
                }
                do {
                    let connection = try Connection(to: url)
                    defer { connection.close() }
                    try ConnectionSettings.apply(to: connection)
                    _ = try connection.run(
                        .init(sql: "LISTEN waymark"), by: .after(milliseconds: TimeLimit.connecting))
                    _ = try connection.run(
                        .init(sql: "LISTEN \(ChangeNotice.messageChannel)"),
                        by: .after(milliseconds: TimeLimit.connecting))
                    gate.succeeded()
                    say(.everything)
                    // Left only by an error, or when stopped.
                    defer { if isGoingOn { say(.interrupted) } }
                    try take(from: connection)
                } catch {
                    gate.failed(StoreError(error))
                }
            }
            continuation.finish()
        }

        private func take(from connection: Connection) throws {
            var sample = Deadline.after(milliseconds: 0)
            while isGoingOn {
                if sample.hasPassed {
                    try connected.sample(on: connection, by: .after(milliseconds: Self.patience))
                    sample = .after(milliseconds: Self.samplePeriod)
                }
                if hasMissed.load(ordering: .relaxed) { say(.everything) }
                let payloads = try connection.notifications(
                    waking: pipe.reading, by: .after(milliseconds: Self.period))
                for payload in payloads {
                    for change in ChangeNotice.changes(in: payload, unless: origin) { say(change) }
                }
                if payloads.isEmpty && isGoingOn {
                    _ = try connection.run(.init(sql: "SELECT 1"), by: .after(milliseconds: Self.patience))
                }
            }
        }

        private func say(_ change: StoreChange) {
            // Changes that didn't fit are made up for by `everything`, once there is room again.
            if change != .everything && hasMissed.load(ordering: .relaxed) { return }
            switch continuation.yield(change) {
            case .dropped: hasMissed.store(true, ordering: .relaxed)
            case .enqueued, .terminated: if change == .everything { hasMissed.store(false, ordering: .relaxed) }
            @unknown default: break
            }
        }
    }
#endif
