import Synchronization

/// Work handed to a loop by other threads.
final class WorkQueue: Sendable {
    private struct State {
        var pending: [LoopWork] = []
        var isWakeUpSent = false
        var isClosed = false
    }

    private let state = Mutex(State())

    enum Addition {
        case added
        /// Added, and the caller must wake the loop up.
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

    /// Takes all that was added, in order, and leaves the memory of the empty array for what comes. The next `add` asks
    /// for a wake-up again.
    func take(into taken: inout [LoopWork]) {
        state.withLock { state in
            state.isWakeUpSent = false
            swap(&state.pending, &taken)
        }
    }

    /// Refuses further work, and gives what is left. The loop calls it before it lets go of what a wake-up would touch.
    func close() -> [LoopWork] {
        state.withLock { state in
            state.isClosed = true
            defer { state.pending = [] }
            return state.pending
        }
    }
}
