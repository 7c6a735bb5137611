internal import GRDB
internal import Synchronization
internal import WaymarkLinks
internal import WaymarkMetrics

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Lets writes that arrive while one commit runs share the next.
///
/// A commit waits for the disk (about 0.3 ms), and one for each write would cap a server at some thousand writes a
/// second. So writes queue up, and the database's own serial queue takes all that wait into one IMMEDIATE transaction:
///
///     task A      task B      task C      database queue
///     queue ─────────────────────────────▶ BEGIN A COMMIT…
///                 queue       queue          … fsync
///     resumed ◀──────────────────────────── done
///                                          BEGIN B C COMMIT…
///                 resumed ◀─ resumed ◀──── done
///
/// Nobody is resumed before the COMMIT that holds their write has returned. A write that fails takes only itself back.
final class GroupCommit: Sendable {
    struct Write: Sendable {
        /// How many rows it is about; bounds the size of a transaction.
        var weight: Int
        /// Makes the change, and gives what to do once it is committed. May run again after a first run was rolled
        /// back.
        var perform: @Sendable (WriteSession) throws -> @Sendable () -> Void
        var fail: @Sendable (StoreError) -> Void
    }

    private struct Queue {
        var waiting: [Write] = []
        var isDraining = false
        var commits = 0
        var writes = 0
    }

    /// More waiting writes than these are refused: their callers would time out before their turn.
    static let capacity = 16_384
    /// Writes in one commit from which on the next waits for company.
    private static let crowd = 4
    /// The longest that it waits: it spins meanwhile.
    private static let patience = Duration.milliseconds(2)
    /// Rows that one transaction takes before the rest waits for the next.
    static let weightLimit = 4_096

    private let database: any DatabaseWriter
    private let metadataKeys: MetadataKeyRing
    private let location: FileLocation?
    private let queue = Mutex(Queue())
    /// How many writes each commit held.
    let sizes = Histogram(.sizes)

    init(_ database: any DatabaseWriter, metadataKeys: MetadataKeyRing, location: FileLocation? = nil) {
        self.database = database
        self.location = location
        self.metadataKeys = metadataKeys
    }

    /// Transactions that were committed, and the writes in them.
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

    /// Waits until most of as many writes have come as the last commit held, at most as long as that took.
    ///
    /// Whoever wrote comes back soon after the answer: without this, commits of many writes take turns with commits of
    /// one or two, which wait for the disk as long. The thread yields and does not sleep, because to be woken takes as
    /// long as there is to wait (docs/decisions/2026-11-22-commits-that-gather.md).
    private func gather(after last: (writes: Int, took: Duration)) {
        guard last.writes >= Self.crowd else { return }
        let enough = last.writes * 3 / 5
        let end = ContinuousClock.now + min(last.took, Self.patience)
        while waiting < enough, ContinuousClock.now < end { sched_yield() }
    }

    private func nextGroup() -> [Write]? {
        queue.withLock { queue in
            guard !queue.waiting.isEmpty else {
                // Under the lock that `submit` decides under: whoever queues now starts the next drain.
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

    /// Savepoints cost a quarter of a write, and writes hardly ever fail: only a group in which one did is repeated
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

    /// One write's error, where it is not isolated from the others.
    private struct FailedWrite: Error {
        var reason: any Error
    }

    /// - Throws: Where nothing of the group was committed; nobody has been told then.
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
                    // SQLite may have ended the whole transaction itself (a full disk): then nothing of it stands.
                    guard isolating, database.isInsideTransaction else { throw FailedWrite(reason: error) }
                    let reason = StoreError(error)
                    failures.append { write.fail(reason) }
                }
            }
            try session.finish()
            try database.run("COMMIT")
            // Behind the commit, because only then the log must be there; a look costs a hundredth of it.
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
