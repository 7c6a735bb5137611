import Synchronization
package import WaymarkLinks

/// Lets a few calls run at the same time. Those that wait take turns by application, and within it by key, so that nobody
/// waits for more than one call of each of the others.
package final class FairTurns: Sendable {
    package struct Caller: Sendable, Hashable {
        var application: String
        var key: String
    }

    private struct Line {
        /// Callers that wait, in the order of their turns; each once.
        var applications: [String] = []
        var keys: [String: [String]] = [:]
        var calls: [Caller: [CheckedContinuation<Void, Never>]] = [:]

        mutating func append(_ call: CheckedContinuation<Void, Never>, of caller: Caller) {
            if keys[caller.application] == nil { applications.append(caller.application) }
            if calls[caller] == nil { keys[caller.application, default: []].append(caller.key) }
            calls[caller, default: []].append(call)
        }

        mutating func next() -> CheckedContinuation<Void, Never>? {
            guard !applications.isEmpty else { return nil }
            let application = applications.removeFirst()
            guard var keys = keys.removeValue(forKey: application), !keys.isEmpty else { return nil }
            let caller = Caller(application: application, key: keys.removeFirst())
            guard var waiting = calls.removeValue(forKey: caller), !waiting.isEmpty else { return nil }
            let call = waiting.removeFirst()
            if !waiting.isEmpty {
                calls[caller] = waiting
                keys.append(caller.key)
            }
            if !keys.isEmpty {
                self.keys[application] = keys
                applications.append(application)
            }
            return call
        }
    }

    private struct State {
        var running = 0
        var line = Line()
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: calls at the same time.
    init(limit: Int) { self.limit = limit }

    package func withTurn<Value, Failure: Error>(
        of caller: Caller, _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        await withCheckedContinuation { continuation in
            let begins = state.withLock { state in
                guard state.running == limit else {
                    state.running += 1
                    return true
                }
                state.line.append(continuation, of: caller)
                return false
            }
            if begins { continuation.resume() }
        }
        defer { end() }
        return try await body()
    }

    var runningCalls: Int { state.withLock { $0.running } }
    var waitingCalls: Int { state.withLock { $0.line.calls.values.reduce(0) { $0 + $1.count } } }

    private func end() {
        let next = state.withLock { state in
            let next = state.line.next()
            if next == nil { state.running -= 1 }
            return next
        }
        next?.resume()
    }
}

extension FairTurns.Caller {
    /// - Parameter application: Nil for a key for all applications.
    package init(application: ApplicationID?, key: String) {
        self.init(application: application?.text ?? "", key: key)
    }
}
