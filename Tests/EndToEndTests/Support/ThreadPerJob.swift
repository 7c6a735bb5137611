import Foundation
import Testing

/// Runs every job of a task on a thread of its own.
///
/// The tests here wait in blocking system calls, because a client that polls would hide what a server does to its
/// connections. On the shared pool, which has one thread for each core, two waiting tests would stop all others.
final class ThreadPerJob: TaskExecutor {
    static let shared = ThreadPerJob()

    func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        let thread = Thread { unowned.runSynchronously(on: executor) }
        thread.stackSize = 1 << 20
        thread.start()
    }
}

/// Moves the test functions of a suite to `ThreadPerJob`.
struct BlockingTrait: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(ThreadPerJob.shared) {
            try await function()
        }
    }
}

extension Trait where Self == BlockingTrait {
    static var blocking: BlockingTrait { BlockingTrait() }
}

/// Everything that spawns the executable. One after another: each test has processes and connections enough of its own.
@Suite(.serialized, .blocking)
enum EndToEnd {}
