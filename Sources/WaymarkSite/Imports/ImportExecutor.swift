import Foundation
import Synchronization

/// Runs one import, or the receiving of uploads, on a thread of low priority: files are read and written and rows are checked
/// there, so that no thread of an event loop or of the pool for tasks waits for a disk, no import waits for another one, and
/// redirects get the processor first.
final class ImportExecutor: SerialExecutor, TaskExecutor {
    /// The lowest: all of these threads together get a small part of a core that others want.
    private static let niceness: Int32 = 19

    private let condition = NSCondition()
    private let jobs = Mutex<[UnownedJob]>([])

    init() {
        let thread = Thread { [self] in
            #if os(Linux)
                // On Linux 0 means the calling thread only.
                _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness)
            #endif
            run()
        }
        thread.name = "waymark.imports"
        thread.start()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        condition.withLock {
            jobs.withLock { $0.append(job) }
            condition.signal()
        }
    }

    /// Never returns: a site lives as long as its process.
    private func run() {
        while true {
            let ready = condition.withLock {
                while jobs.withLock({ $0.isEmpty }) { condition.wait() }
                return jobs.withLock { jobs in
                    defer { jobs.removeAll(keepingCapacity: true) }
                    return jobs
                }
            }
            for job in ready {
                // Safety: a job is run once, by the only thread that takes jobs, which keeps this object.
                unsafe job.runSynchronously(
                    isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
            }
        }
    }
}

/// The executors of imports: one for each that runs, used again by later ones, because a thread of an executor never ends.
final class ImportExecutors: Sendable {
    private let idle = Mutex<[ImportExecutor]>([])

    func take() -> ImportExecutor { idle.withLock { $0.popLast() } ?? ImportExecutor() }

    func put(_ executor: ImportExecutor) { idle.withLock { $0.append(executor) } }
}
