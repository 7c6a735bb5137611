import Synchronization

/// A number to which each event loop adds in memory of its own, so that loops don't wait for each other's writes.
package final class LoopCounters: Sendable {
    private let ofLoops = Mutex<[CounterTable]>([])
    /// Of all other threads.
    private let ofOthers = CounterTable(count: 1)

    package init() {}

    /// A table of one counter for one thread, which calls `addAlone`.
    package func makeCounter() -> CounterTable {
        let table = CounterTable(count: 1)
        ofLoops.withLock { $0.append(table) }
        return table
    }

    /// Adds one from any thread.
    package func add() { ofOthers.add(1, at: 0) }

    package var total: Int { ofLoops.withLock { tables in tables.reduce(ofOthers[0]) { $0 + $1[0] } } }
}
