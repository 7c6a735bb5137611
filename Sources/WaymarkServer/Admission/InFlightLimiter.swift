import Synchronization

/// What all loops of a server have going on besides: requests that are being answered, bytes of bodies.
///
/// Both are bounded, so that a store that has become slow makes clients wait for a while and then turns them away,
/// instead of collecting them without end.
final class InFlightLimiter: Sendable {
    private let requests = Atomic<Int>(0)
    private let bytes = Atomic<Int>(0)

    /// Whether a further request would be turned away.
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

/// One request's part of a backlog. It ends with this object, whichever way the request ends: answered, refused, or
/// answered after its client has gone.
///
/// `@unchecked Sendable` because it is changed on its connection's loop only, before the task that carries it begins.
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

    /// Counts the request among those that wait; false where there are enough.
    func beginWaiting(_ limits: ServerLimits) -> Bool {
        guard inFlightLimiter.addRequest(limit: limits.waitingRequests) else { return false }
        requests += 1
        return true
    }

    /// Counts bytes of its body; false where that would be too many.
    func hold(_ count: Int, _ limits: ServerLimits) -> Bool {
        guard inFlightLimiter.addBytes(count, limit: limits.bodyMemory) else { return false }
        bytes += count
        return true
    }
}
