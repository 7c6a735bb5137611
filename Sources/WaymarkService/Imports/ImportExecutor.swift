import Foundation
import Synchronization

/// Runs one import, or the receiving of uploads, on a thread of low priority: files are read and written and rows are checked
/// there, so that no thread of an event loop or of the pool for tasks waits for a disk, no import waits for another one, and
/// redirects get the processor first.
package final class ImportExecutor: SerialExecutor, TaskExecutor {
    /// The lowest: all of these threads together get a small part of a core that others want.
    private static let niceness: Int32 = 19

    /// Seconds after which an idle thread ends; the next job starts another one.
    private static let patience: TimeInterval = 5

    private struct State {
        var jobs: [UnownedJob] = []
        var hasThread = false
    }

    private let condition = NSCondition()
    private let state = Mutex(State())

    package init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let needsThread = condition.withLock {
            condition.signal()
            return state.withLock { state in
                state.jobs.append(job)
                defer { state.hasThread = true }
                return !state.hasThread
            }
        }
        if needsThread { startThread() }
    }

    private func startThread() {
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

    /// Returns when no job has come for some time.
    private func run() {
        while true {
            let ready = condition.withLock {
                let end = Date(timeIntervalSinceNow: Self.patience)
                while state.withLock({ $0.jobs.isEmpty }), condition.wait(until: end) {}
                return state.withLock { state in
                    state.hasThread = !state.jobs.isEmpty
                    defer { state.jobs.removeAll(keepingCapacity: true) }
                    return state.jobs
                }
            }
            if ready.isEmpty { return }
            for job in ready {
                // Safety: a job is run once, by the only thread that takes jobs, which keeps this object.
                unsafe job.runSynchronously(
                    isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
            }
        }
    }
}

/// The executors of imports: one for each that runs, used again by later ones: tasks don't keep their executor.
final class ImportExecutors: Sendable {
    private let idle = Mutex<[ImportExecutor]>([])

    func take() -> ImportExecutor { idle.withLock { $0.popLast() } ?? ImportExecutor() }

    func put(_ executor: ImportExecutor) { idle.withLock { $0.append(executor) } }
}
