import Dispatch
import Synchronization

/// Computes on threads of its own, a few at a time, so that neither event loops nor the threads of tasks wait for it.
final class BoundedWork: Sendable {
    private struct State {
        var running = 0
        var waiting: [CheckedContinuation<Bool, Never>] = []
    }

    private let queue: DispatchQueue
    private let limit: Int
    private let mostWaiting: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: computations at the same time.
    ///   - mostWaiting: further ones that wait for their turn.
    init(_ label: String, limit: Int, mostWaiting: Int) {
        queue = DispatchQueue(label: label, attributes: .concurrent)
        self.limit = limit
        self.mostWaiting = mostWaiting
    }

    /// Nil if too many wait already.
    func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value? {
        guard await takeTurn() else { return nil }
        let value = await withCheckedContinuation { (continuation: CheckedContinuation<Value, Never>) in
            queue.async { continuation.resume(returning: work()) }
        }
        endTurn()
        return value
    }

    private func takeTurn() async -> Bool {
        await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
            let answer: Bool? = state.withLock { state in
                if state.running < limit {
                    state.running += 1
                    return true
                }
                guard state.waiting.count < mostWaiting else { return false }
                state.waiting.append(continuation)
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    private func endTurn() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard !state.waiting.isEmpty else {
                state.running -= 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume(returning: true)
    }
}
