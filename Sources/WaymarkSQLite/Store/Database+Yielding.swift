internal import GRDB
internal import GRDBSQLite
internal import WaymarkLinks
internal import WaymarkStores

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

extension Database {
    /// SQLite VM instructions between two yields: with the statements that write clicks, 0.04 to 0.1 ms.
    private static let instructions: Int32 = 500
    /// The maximum time spent yielding during one write: its transaction is open, and the next write waits for it.
    private static let patience = Duration.milliseconds(4)

    /// Runs long background work that regularly yields the processor to other threads. With a kernel that preempts
    /// only at its ticks (4 ms at 250 Hz), event loops would have to wait for one.
    ///
    /// Confined to the database's serial queue, like all use of a connection.
    func yielding<Value>(_ work: () throws -> Value) throws -> Value {
        var budget = CooperativeYield(Self.patience)
        // unsafe because C passes the budget through as an untyped pointer: it lives as long as the handler, which is
        // removed before the connection is used again.
        return try unsafe withUnsafeMutablePointer(to: &budget) { budget in
            unsafe sqlite3_progress_handler(
                sqliteConnection, Self.instructions,
                { budget in
                    unsafe budget?.assumingMemoryBound(to: CooperativeYield.self).pointee.spend { sched_yield() }
                    // Any other value would interrupt the statement.
                    return 0
                }, budget)
            defer { unsafe sqlite3_progress_handler(sqliteConnection, 0, nil, nil) }
            return try work()
        }
    }
}
