internal import GRDB
internal import Synchronization
internal import WaymarkLinks
internal import WaymarkStores

/// Distributes reads over the reading connections; each runs one after the other while any are waiting.
///
/// Switching to a connection's queue and back costs far more than a lookup, and GRDB adds a transaction to each
/// access: a flood of uncached slugs would spend its time there. Each read here is a single statement, which SQLite
/// runs on one snapshot, so it needs no transaction.
final class ReadQueue: Sendable {
    typealias Read = @Sendable (Result<Database, any Error>) -> Void

    private struct State {
        var waiting: [Read] = []
        var taken = 0
        var activeReaders = 0
    }

    static let capacity = 16_384

    private let database: any DatabaseWriter
    /// Maximum number of connections that read at once.
    private let concurrencyLimit: Int
    private let state = Mutex(State())

    init(_ database: any DatabaseWriter, concurrency: Int) {
        self.database = database
        concurrencyLimit = concurrency
    }

    func submit(_ read: @escaping Read) {
        let step = state.withLock { state -> (isAccepted: Bool, startsReader: Bool) in
            guard state.waiting.count - state.taken < Self.capacity else { return (false, false) }
            state.waiting.append(read)
            guard state.activeReaders < concurrencyLimit else { return (true, false) }
            state.activeReaders += 1
            return (true, true)
        }
        guard step.isAccepted else {
            return read(.failure(StoreError.unavailable("too many reads are waiting for the database")))
        }
        guard step.startsReader else { return }
        database.asyncUnsafeRead { database in
            while let read = self.next() { read(database) }
        }
    }

    private func next() -> Read? {
        state.withLock { state in
            guard state.taken < state.waiting.count else {
                // Under the lock that `submit` uses: a later read starts a reader again.
                state.activeReaders -= 1
                state.waiting.removeAll(keepingCapacity: true)
                state.taken = 0
                return nil
            }
            let read = state.waiting[state.taken]
            state.taken += 1
            // Only occasionally, because moving the rest for every read would cost more than the read.
            if state.taken == 256 {
                state.waiting.removeFirst(state.taken)
                state.taken = 0
            }
            return read
        }
    }
}
