import Synchronization
package import WaymarkStores

/// An action requested by many callers, run at most once a second for all of them.
///
/// A run begins after its callers have requested it, so that each sees its effect. Callers within a second of the
/// last run share the next one after that second.
package final class SharedFlush: Sendable {
    /// In milliseconds.
    static let interval: Int64 = 1_000

    private struct State {
        var begun: Int64?
        /// The next run, which has not begun.
        var next: Task<Result<Void, StoreError>, Never>?
    }

    private let uptime: @Sendable () -> Int64
    private let sleep: @Sendable (_ milliseconds: Int64) async -> Void
    private let state = Mutex(State())

    /// - Parameter uptime: milliseconds of a monotonic clock.
    package init(
        uptime: @escaping @Sendable () -> Int64,
        sleep: @escaping @Sendable (_ milliseconds: Int64) async -> Void = {
            try? await Task.sleep(for: .milliseconds($0))
        }
    ) {
        self.uptime = uptime
        self.sleep = sleep
    }

    package func run(_ body: @escaping @Sendable () async throws(StoreError) -> Void) async throws(StoreError) {
        try await join(body).value.get()
    }

    /// The run that current callers share.
    func join(
        _ body: @escaping @Sendable () async throws(StoreError) -> Void
    ) -> Task<Result<Void, StoreError>, Never> {
        state.withLock { state -> Task<Result<Void, StoreError>, Never> in
            if let next = state.next { return next }
            let delay = state.begun.map { max(0, $0 + Self.interval - uptime()) } ?? 0
            let task = Task { [self] in
                if delay > 0 { await sleep(delay) }
                begin()
                do throws(StoreError) {
                    return Result<Void, StoreError>.success(try await body())
                } catch {
                    return .failure(error)
                }
            }
            state.next = task
            return task
        }
    }

    private func begin() {
        state.withLock { state in
            state.begun = uptime()
            state.next = nil
        }
    }
}
