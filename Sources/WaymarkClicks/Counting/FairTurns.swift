import Synchronization

/// Admits some tasks at a time, and one of each caller, in order of arrival: whoever asks for much waits alone.
package final class FairTurns: Sendable {
    private struct State {
        var running: Set<String> = []
        var waiting: [(caller: String, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let limit: Int
    private let state = Mutex(State())

    package init(limit: Int) { self.limit = limit }

    /// Tasks whose turn it is.
    package var running: Int { state.withLock { $0.running.count } }

    /// Tasks that wait for their turn.
    package var waiting: Int { state.withLock { $0.waiting.count } }

    package func withTurn<Result>(of caller: String, _ body: () async throws -> Result) async throws -> Result {
        await enter(caller)
        defer { leave(caller) }
        try Task.checkCancellation()
        return try await body()
    }

    private func enter(_ caller: String) async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.running.count < limit, !state.running.contains(caller) else {
                    state.waiting.append((caller, continuation))
                    return false
                }
                state.running.insert(caller)
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    private func leave(_ caller: String) {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.running.remove(caller)
            guard let index = state.waiting.firstIndex(where: { !state.running.contains($0.caller) }) else {
                return nil
            }
            let (caller, continuation) = state.waiting.remove(at: index)
            state.running.insert(caller)
            return continuation
        }
        next?.resume()
    }
}
