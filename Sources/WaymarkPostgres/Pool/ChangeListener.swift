#if PostgreSQL
    internal import Dispatch
    internal import Synchronization
    internal import WaymarkLinks

    /// Listens on a connection of its own for what other stores have changed.
    ///
    /// Notifications that were sent while nobody listened are lost for good, so each time it has begun to listen it says
    /// that everything may have changed. That the connection still lives is asked in every silence: a network that is cut
    /// gives no sign by itself, and after a second and a half without one `interrupted` is said.
    final class ChangeListener: Sendable {
        /// Changes that wait for their reader. Where there are more, they become one `everything`.
        static let capacity = 4_096
        /// Milliseconds of silence after which the server is asked whether it is there.
        static let period = 500
        /// Milliseconds that it has to answer.
        static let patience = 1_000

        let changes: AsyncStream<StoreChange>
        private let continuation: AsyncStream<StoreChange>.Continuation
        private let url: PostgresURL
        private let origin: ChangeNotice.Origin
        private let gate = ConnectionGate()
        private let pipe: WakePipe
        private let isStopped = Atomic(false)
        private let hasMissed = Atomic(false)
        private let queue = DispatchQueue(label: "waymark.postgresql.changes")

        /// - Parameter own: Of the store whose changes are passed over.
        init(_ url: PostgresURL, unless own: ChangeNotice.Origin) throws(StoreError) {
            self.url = url
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
                    gate.succeeded()
                    say(.everything)
                    // Only ever left by an error, or when it is stopped.
                    defer { if isGoingOn { say(.interrupted) } }
                    try take(from: connection)
                } catch {
                    gate.failed(StoreError(error))
                }
            }
            continuation.finish()
        }

        private func take(from connection: Connection) throws {
            while isGoingOn {
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
            // What no longer fits is made good as soon as there is room again.
            if change != .everything && hasMissed.load(ordering: .relaxed) { return }
            switch continuation.yield(change) {
            case .dropped: hasMissed.store(true, ordering: .relaxed)
            case .enqueued, .terminated: if change == .everything { hasMissed.store(false, ordering: .relaxed) }
            @unknown default: break
            }
        }
    }
#endif
