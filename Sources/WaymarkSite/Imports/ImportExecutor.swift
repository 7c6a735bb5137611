import Foundation
import Synchronization

/// Runs the work of imports on one thread of low priority: files are read and written and rows are checked there, so that
/// no thread of an event loop or of the pool for tasks waits for a disk, and redirects get the processor first.
final class ImportExecutor: SerialExecutor, TaskExecutor {
    /// Above the usual 0: the scheduler gives such a thread about a tenth of a core that others want.
    private static let niceness: Int32 = 10

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
