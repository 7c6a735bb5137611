internal import GRDB
internal import Synchronization
internal import WaymarkLinks
internal import WaymarkMetrics
internal import WaymarkStores

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Group commit: writes that arrive while one commit runs share the next.
///
/// A commit waits for the disk (about 0.3 ms), and one per write would limit a server to some thousand writes a
/// second. So writes queue up, and the database's own serial queue takes all waiting ones into one IMMEDIATE
/// transaction:
///
///     task A      task B      task C      database queue
///     queue ─────────────────────────────▶ BEGIN A COMMIT…
///                 queue       queue          … fsync
///     resumed ◀──────────────────────────── done
///                                          BEGIN B C COMMIT…
///                 resumed ◀─ resumed ◀──── done
///
/// Callers are resumed only after the COMMIT of their write has returned. A write that fails undoes only itself.
final class GroupCommit: Sendable {
    struct Write: Sendable {
        /// Number of rows affected; bounds the size of a transaction.
        var weight: Int
        /// Makes the change, and returns the completion to run once it is committed. May run again after a rollback.
        var perform: @Sendable (WriteSession) throws -> @Sendable () -> Void
        var fail: @Sendable (StoreError) -> Void
    }

    private struct Queue {
        var waiting: [Write] = []
        var isDraining = false
        var commits = 0
        var writes = 0
    }

    /// Beyond this number of waiting writes new ones are rejected: their callers would time out before their turn.
    static let capacity = 16_384
    /// If a commit had at least this many writes, the next one waits for more.
    private static let crowd = 4
    /// The maximum wait, which spins.
    private static let patience = Duration.milliseconds(2)
    /// Maximum weight of one transaction; the rest waits for the next.
    static let weightLimit = 4_096

    private let database: any DatabaseWriter
    private let metadataKeys: MetadataKeyRing
    private let location: FileLocation?
    private let queue = Mutex(Queue())
    /// Number of writes per commit.
    let sizes = Histogram(.sizes)

    init(_ database: any DatabaseWriter, metadataKeys: MetadataKeyRing, location: FileLocation? = nil) {
        self.database = database
        self.location = location
        self.metadataKeys = metadataKeys
    }

    /// Number of committed transactions, and of the writes in them.
    var counts: (commits: Int, writes: Int) { queue.withLock { ($0.commits, $0.writes) } }

    var isIdle: Bool { queue.withLock { !$0.isDraining } }
    var waiting: Int { queue.withLock { $0.waiting.count } }

    func submit(_ write: Write) {
        let step = queue.withLock { queue -> (isAccepted: Bool, starts: Bool) in
            guard queue.waiting.count < Self.capacity else { return (false, false) }
            queue.waiting.append(write)
            defer { queue.isDraining = true }
            return (true, !queue.isDraining)
        }
        guard step.isAccepted else { return write.fail(.unavailable("too many writes are waiting for the database")) }
        if step.starts { database.asyncWriteWithoutTransaction { self.drain($0) } }
    }

    private func drain(_ database: Database) {
        var last = (writes: 0, took: Duration.zero)
        while true {
            gather(after: last)
            guard let group = nextGroup() else { return }
            let start = ContinuousClock.now
            commit(group, database)
            last = (group.count, ContinuousClock.now - start)
        }
    }

    /// Waits until three fifths of the last commit's number of writes are queued, at most as long as that commit took.
    ///
    /// Callers usually write again soon after their response: without this, commits of many writes alternate with
    /// commits of one or two, which wait for the disk just as long. The thread yields and does not sleep, because a
    /// wake-up takes as long as the wait itself (docs/decisions/2026-11-22-commits-that-gather.md).
    private func gather(after last: (writes: Int, took: Duration)) {
        guard last.writes >= Self.crowd else { return }
        let enough = last.writes * 3 / 5
        let end = ContinuousClock.now + min(last.took, Self.patience)
        while waiting < enough, ContinuousClock.now < end { sched_yield() }
    }

    private func nextGroup() -> [Write]? {
        queue.withLock { queue in
            guard !queue.waiting.isEmpty else {
                // Under the lock that `submit` uses: a later write starts the next drain.
                queue.isDraining = false
                return nil
            }
            var weight = 0
            let end = queue.waiting.firstIndex { write in
                defer { weight += write.weight }
                return weight >= Self.weightLimit
            }
            guard let end else {
                defer { queue.waiting = [] }
                return queue.waiting
            }
            let group = Array(queue.waiting[..<end])
            queue.waiting.removeFirst(end)
            return group
        }
    }

    /// Savepoints cost a quarter of a write, and writes rarely fail: only a group with a failed write is repeated
    /// with them.
    private func commit(_ group: [Write], _ database: Database) {
        do {
            do {
                try transact(group, database, isolating: false)
            } catch is FailedWrite where group.count > 1 {
                try transact(group, database, isolating: true)
            }
        } catch {
            let reason = StoreError((error as? FailedWrite)?.reason ?? error)
            for write in group { write.fail(reason) }
        }
    }

    /// One write's error, when it is not isolated from the others.
    private struct FailedWrite: Error {
        var reason: any Error
    }

    /// - Throws: If nothing of the group was committed; no caller has been resumed then.
    private func transact(_ group: [Write], _ database: Database, isolating: Bool) throws {
        var completions: [@Sendable () -> Void] = []
        var failures: [@Sendable () -> Void] = []
        completions.reserveCapacity(group.count)
        do {
            try database.run("BEGIN IMMEDIATE")
            let session = WriteSession(database, metadataKeys: metadataKeys.current)
            for write in group {
                do {
                    completions.append(
                        try isolating ? session.isolate { try write.perform(session) } : write.perform(session))
                } catch {
                    // SQLite may have rolled back the whole transaction itself (a full disk).
                    guard isolating, database.isInsideTransaction else { throw FailedWrite(reason: error) }
                    let reason = StoreError(error)
                    failures.append { write.fail(reason) }
                }
            }
            try session.finish()
            try database.run("COMMIT")
            // After the commit, because the log must exist only then; the check costs a hundredth of the commit.
            try location?.check()
        } catch {
            try? database.rollback()
            throw error
        }
        queue.withLock { queue in
            queue.commits += 1
            queue.writes += completions.count
        }
        sizes.record(completions.count)
        for completion in completions { completion() }
        for failure in failures { failure() }
    }
}
