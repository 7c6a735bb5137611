import Synchronization

/// Stops whoever passes until it is opened, and tells a test when somebody stands before it.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var storeHealth = 0
        var passers: [CheckedContinuation<Void, Never>] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    func pass() async {
        await withCheckedContinuation { continuation in
            let (isOpen, watchers) = state.withLock { state in
                state.storeHealth += 1
                let storeHealth = state.storeHealth
                let ready = state.watchers.filter { $0.count <= storeHealth }.map(\.continuation)
                state.watchers.removeAll { $0.count <= storeHealth }
                if !state.isOpen { state.passers.append(continuation) }
                return (state.isOpen, ready)
            }
            for watcher in watchers { watcher.resume() }
            if isOpen { continuation.resume() }
        }
    }

    /// Returns once so many have come to the gate.
    func waitForArrivals(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.storeHealth >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    func open() {
        let passers = state.withLock { state in
            state.isOpen = true
            defer { state.passers = [] }
            return state.passers
        }
        for passer in passers { passer.resume() }
    }
}
