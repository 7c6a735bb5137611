import Synchronization

/// Work submitted to a loop by other threads.
final class WorkQueue: Sendable {
    private struct State {
        var pending: [LoopWork] = []
        var isWakeUpSent = false
        var isClosed = false
    }

    private let state = Mutex(State())

    enum Addition {
        case added
        /// Added; the caller must wake the loop.
        case first
        /// The queue is closed.
        case refused
    }

    func add(_ work: LoopWork) -> Addition {
        state.withLock { state in
            guard !state.isClosed else { return .refused }
            state.pending.append(work)
            defer { state.isWakeUpSent = true }
            return state.isWakeUpSent ? .added : .first
        }
    }

    /// Takes all work, in order, and leaves the empty array's memory for later work. The next `add` requests a
    /// wake-up again.
    func take(into taken: inout [LoopWork]) {
        state.withLock { state in
            state.isWakeUpSent = false
            swap(&state.pending, &taken)
        }
    }

    /// Rejects further work, and returns the rest. The loop calls it before it releases what a wake-up uses.
    func close() -> [LoopWork] {
        state.withLock { state in
            state.isClosed = true
            defer { state.pending = [] }
            return state.pending
        }
    }
}
