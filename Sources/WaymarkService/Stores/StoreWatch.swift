import Logging
import Synchronization
import WaymarkLinks
package import WaymarkStores

/// Finds out whether the store responds and can be written, and logs when that changes.
package final class StoreWatch: Sendable {
    private struct State {
        var failure: StoreError?
        var condition = StoreCondition()
        /// Our clock minus the other one, in milliseconds.
        var clockSkew: Int64?
    }

    private let store: any LinkStore
    private let minimumFreeBytes: Int
    private let now: @Sendable () -> Timestamp
    private let randomBytes: @Sendable (Int) -> [UInt8]
    private let metrics: StoreMetrics
    private let logger: Logger
    private let state = Mutex(State())

    init(
        store: any LinkStore, metrics: StoreMetrics, minimumFreeBytes: Int, dependencies: ServiceDependencies,
        logger: Logger
    ) {
        self.store = store
        self.metrics = metrics
        self.minimumFreeBytes = minimumFreeBytes
        now = dependencies.now
        randomBytes = dependencies.randomBytes
        self.logger = logger
    }

    /// As of the last look.
    package var condition: StoreCondition { state.withLock { $0.condition } }

    /// How far this machine's clock is ahead of the database server's, in milliseconds. Of a file: how far it is behind
    /// the newest link, as a negative number. Nil: unknown.
    package var clockSkew: Int64? { state.withLock { $0.clockSkew } }

    /// Why the store can't be used now; nil if it can. The caller must limit the time, and look once at a time.
    package func look() async -> StoreError? {
        var found: StoreError?
        do throws(StoreError) {
            let condition = try await store.ping()
            let now = now()
            state.withLock { state in
                state.condition = condition
                state.clockSkew =
                    condition.clock.map { now.rawValue - $0.rawValue }
                    ?? condition.newestLink.map { min(0, now.rawValue - $0.rawValue) }
            }
            try await checkRoom(condition)
        } catch {
            found = error
        }
        note(found)
        return found
    }

    private func checkRoom(_ condition: StoreCondition) async throws(StoreError) {
        if let free = condition.freeBytes, free < minimumFreeBytes {
            throw .full(
                "the disk that holds the database has \(free >> 20) MiB left, less than minimumFreeDisk (\(minimumFreeBytes >> 20) MiB)"
            )
        }
        guard metrics.hasFailedAsFull else { return }
        try await writeProbe()
        metrics.forgetFull()
    }

    /// Writes more than a change of a link does, and removes it. Free bytes are not known of a quota or of another
    /// machine's disk; there only a write shows that there is room again.
    private func writeProbe() async throws(StoreError) {
        let name = "room-probe"
        // A server that died between the two calls has left one, which would not be written again.
        try await store.forgetSecrets(name..<name + "~")
        _ = try await store.secret(name) { [randomBytes] in randomBytes(Self.probeBytes) }
        try await store.forgetSecrets(name..<name + "~")
    }

    /// Random, so that it is not compressed.
    private static let probeBytes = 64 << 10

    private func note(_ failure: StoreError?) {
        let last = state.withLock { state in
            defer { state.failure = failure }
            return state.failure
        }
        guard last != failure else { return }
        switch (last, failure) {
        // Free bytes differ with each look.
        case (.full, .full?): break
        case (_, let failure?): logger.warning("not ready: \(failure.sentence)")
        case (_, nil): logger.notice("ready again")
        }
    }
}
