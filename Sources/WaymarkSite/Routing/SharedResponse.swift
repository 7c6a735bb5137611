import Dispatch
import Synchronization

/// A result that is computed once for all concurrent callers: callers during the computation wait for it, and later
/// ones get the same result for a while.
///
/// It is computed on its own queue, independent of event loops and of the cooperative thread pool, which an operator's
/// tool may occupy for seconds. Safe to use from any thread.
final class SharedResponse<Value: Sendable>: Sendable {
    private enum Step { case give(Value), wait, make }

    private struct State {
        var kept: Value?
        /// In nanoseconds of the monotonic clock.
        var keptUntil: UInt64 = 0
        /// When the current computation began; nil if there is none.
        var began: UInt64?
        var waiting: [CheckedContinuation<Value, Never>] = []
    }

    /// How long a value is reused, depending on how long it took to compute; both in nanoseconds.
    private let lifetime: @Sendable (_ took: UInt64) -> UInt64
    /// The result if the computation takes longer than this number of nanoseconds.
    private let fallback: (value: Value, after: UInt64)?
    private let executor: QueueExecutor
    private let state = Mutex(State())

    /// - Parameters:
    ///   - name: the name of the queue, for debuggers.
    ///   - fallback: nil if all callers wait for the result.
    init(
        _ name: String, lifetime: @escaping @Sendable (_ took: UInt64) -> UInt64,
        fallback: (value: Value, after: UInt64)? = nil
    ) {
        self.lifetime = lifetime
        self.fallback = fallback
        executor = QueueExecutor(name)
    }

    /// The last value; nil if there is none or it is too old.
    var current: Value? {
        state.withLock { $0.kept.flatMap { [end = $0.keptUntil] in Self.now < end ? $0 : nil } }
    }

    /// The last value, regardless of its age; the fallback while a computation takes too long.
    var last: Value? {
        state.withLock { state in
            if let fallback, let began = state.began, Self.now >= began + fallback.after { return fallback.value }
            return state.kept
        }
    }

    /// - Parameter make: must return the same value for all callers.
    func value(_ make: @escaping @Sendable () async -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            let now = Self.now
            let step = state.withLock { state -> Step in
                if let kept = state.kept, now < state.keptUntil { return .give(kept) }
                if let fallback, let began = state.began, now >= began + fallback.after { return .give(fallback.value) }
                state.waiting.append(continuation)
                guard state.began == nil else { return .wait }
                state.began = now
                return .make
            }
            switch step {
            case .give(let value): continuation.resume(returning: value)
            case .wait: break
            case .make: begin(now, make)
            }
        }
    }

    private func begin(_ began: UInt64, _ make: @escaping @Sendable () async -> Value) {
        Task(executorPreference: executor) { [self] in
            let value = await make()
            let now = Self.now
            finish(value) { state in
                state.began = nil
                state.kept = value
                state.keptUntil = now + lifetime(now - began)
                return true
            }
        }
        guard let fallback else { return }
        executor.queue.asyncAfter(deadline: .now() + .nanoseconds(Int(fallback.after))) { [self] in
            finish(fallback.value) { $0.began == began }
        }
    }

    /// Returns the value to the waiting callers if `step` returns true.
    private func finish(_ value: Value, _ step: (inout State) -> Bool) {
        let waiting = state.withLock { state -> [CheckedContinuation<Value, Never>] in
            guard step(&state) else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume(returning: value) }
    }

    private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }
}

/// Runs tasks on a queue.
private final class QueueExecutor: TaskExecutor {
    let queue: DispatchQueue

    init(_ name: String) { queue = DispatchQueue(label: name) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // Safety: a job runs once, on the queue to which it was submitted, and the closure retains this object
        // meanwhile.
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
