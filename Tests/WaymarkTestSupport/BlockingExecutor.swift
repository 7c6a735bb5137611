import Dispatch

/// Runs an actor's calls, which may block, on a queue of its own: the server under test needs the threads that tests
/// run on.
package final class BlockingExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "blocking client")

    package init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
