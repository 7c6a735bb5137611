import Synchronization

/// Limits the work in flight on all loops of a server: pending requests, and bytes of their bodies.
///
/// Both are bounded, so that a slow store first delays clients and then rejects them, instead of queueing requests
/// without limit.
final class InFlightLimiter: Sendable {
    private let requests = Atomic<Int>(0)
    private let bytes = Atomic<Int>(0)

    /// Whether another request would be rejected.
    func isFull(_ limits: ServerLimits) -> Bool {
        requests.load(ordering: .relaxed) >= limits.waitingRequests
    }

    fileprivate func addRequest(limit: Int) -> Bool {
        if requests.add(1, ordering: .relaxed).newValue <= limit { return true }
        requests.subtract(1, ordering: .relaxed)
        return false
    }

    fileprivate func addBytes(_ count: Int, limit: Int) -> Bool {
        if bytes.add(count, ordering: .relaxed).newValue <= limit { return true }
        bytes.subtract(count, ordering: .relaxed)
        return false
    }

    fileprivate func remove(requests: Int, bytes: Int) {
        self.requests.subtract(requests, ordering: .relaxed)
        self.bytes.subtract(bytes, ordering: .relaxed)
    }
}

/// One request's share of the limits. It is released when this object is deallocated, however the request ends:
/// answered, rejected, or answered after its client has gone.
///
/// `@unchecked Sendable` because only its connection's loop changes it, before the task that carries it begins.
final class InFlightPermit: @unchecked Sendable {
    private let inFlightLimiter: InFlightLimiter
    private var requests = 0
    private var bytes = 0

    init(_ inFlightLimiter: InFlightLimiter) {
        self.inFlightLimiter = inFlightLimiter
    }

    deinit {
        inFlightLimiter.remove(requests: requests, bytes: bytes)
    }

    /// Counts the request as waiting; false if the limit is reached.
    func beginWaiting(_ limits: ServerLimits) -> Bool {
        guard inFlightLimiter.addRequest(limit: limits.waitingRequests) else { return false }
        requests += 1
        return true
    }

    /// Counts bytes of the request's body; false if the limit would be exceeded.
    func hold(_ count: Int, _ limits: ServerLimits) -> Bool {
        guard inFlightLimiter.addBytes(count, limit: limits.bodyMemory) else { return false }
        bytes += count
        return true
    }
}
