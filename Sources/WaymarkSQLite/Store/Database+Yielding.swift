internal import GRDB
internal import GRDBSQLite
internal import WaymarkLinks

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

extension Database {
    /// Instructions of SQLite's machine between two yields: with what clicks are written down by, 0.04 to 0.1 ms.
    private static let instructions: Int32 = 500
    /// The longest that others go first during one write: its transaction is open, and whoever writes next waits for it.
    private static let patience = Duration.milliseconds(4)

    /// Does what takes long and nobody waits for, and lets other threads have the processor every now and then. A kernel that
    /// preempts by its ticks (4 ms with 250 a second) would let event loops wait for one.
    ///
    /// Confined to the database's serial queue, as everything that is done with a connection.
    func yielding<Value>(_ work: () throws -> Value) throws -> Value {
        var budget = CooperativeYield(Self.patience)
        // unsafe because this is C, and hands the budget through as an untyped pointer: it lives as long as the handler, which
        // is taken away before the connection goes on.
        return try unsafe withUnsafeMutablePointer(to: &budget) { budget in
            unsafe sqlite3_progress_handler(
                sqliteConnection, Self.instructions,
                { budget in
                    unsafe budget?.assumingMemoryBound(to: CooperativeYield.self).pointee.spend { sched_yield() }
                    // Anything else would interrupt the statement.
                    return 0
                }, budget)
            defer { unsafe sqlite3_progress_handler(sqliteConnection, 0, nil, nil) }
            return try work()
        }
    }
}
