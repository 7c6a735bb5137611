import Synchronization
import WaymarkBytes
import WaymarkSockets

/// Counts the connections of all loops of a server, in total and by address.
///
/// Addresses are counted only while they have connections, so the table is never larger than the number of
/// connections. Only accepting and closing use it, and each holds the lock of one shard for a few dozen nanoseconds.
final class ConnectionLimiter: Sendable {
    enum Outcome {
        case entered
        /// All connection slots are taken.
        case full
        /// The address has as many connections as one address may have.
        case addressFull
    }

    /// Slots beyond `ServerLimits.connections` for listeners that only operators reach: operators need access most
    /// when all other slots are taken.
    static let operatorConnections = 64
    /// Descriptors that only they use.
    static let operatorDescriptors = 8

    /// Reserve descriptors of the acceptors.
    let reserves = DescriptorReserves()
    private let count = Atomic<Int>(0)
    private let lingering = Atomic<Int>(0)
    private let parts: [AddressCounts]

    init() {
        parts = (0..<32).map { _ in AddressCounts() }
    }

    /// Takes a slot. Nothing has changed unless the outcome is `.entered`.
    ///
    /// - Parameter subscriber: the subscriber to count the connection for; nil if it is not counted by address.
    func enter(_ subscriber: Subscriber?, role: ListenerRole, limits: ServerLimits) -> Outcome {
        let slots = role.isForOperators ? limits.connections + Self.operatorConnections : limits.connections
        guard count.add(1, ordering: .relaxed).newValue <= slots else {
            count.subtract(1, ordering: .relaxed)
            return .full
        }
        if let subscriber, !part(subscriber).enter(subscriber, limit: limits.connectionsPerAddress) {
            count.subtract(1, ordering: .relaxed)
            return .addressFull
        }
        return .entered
    }

    /// Counts a connection that already has a slot, but no subscriber yet, for a subscriber. False if the limit is
    /// reached.
    func enterShare(_ subscriber: Subscriber, limits: ServerLimits) -> Bool {
        part(subscriber).enter(subscriber, limit: limits.connectionsPerAddress)
    }

    /// Releases a slot, and the count of the subscriber that it was taken with.
    func leave(_ subscriber: Subscriber?) {
        count.subtract(1, ordering: .relaxed)
        if let subscriber { part(subscriber).leave(subscriber) }
    }

    /// Counts a connection that begins its lingering close; false, with nothing changed, if the limit is reached.
    func beginLingering(limit: Int) -> Bool {
        if lingering.add(1, ordering: .relaxed).newValue <= limit { return true }
        lingering.subtract(1, ordering: .relaxed)
        return false
    }

    func endLingering() { lingering.subtract(1, ordering: .relaxed) }

    /// Whether more than three quarters of the slots are taken.
    func isCrowded(limit: Int) -> Bool {
        count.load(ordering: .relaxed) > limit - limit / 4
    }

    private func part(_ subscriber: Subscriber) -> AddressCounts {
        parts[Int(truncatingIfNeeded: subscriber.bits ^ (subscriber.bits >> 5)) & 31]
    }
}

/// The unit of the per-address limit: an IPv4 address, or the first 64 bits of an IPv6 address, the size of one
/// subscriber's network.
struct Subscriber: Hashable, Sendable {
    /// An IPv4 address after 16 set bits. No IPv6 prefix starts with them: no host has an address of fec0::/10 or
    /// ff00::/8.
    let bits: UInt64

    init(_ address: IPAddress) {
        bits = address.isIPv4 ? 0xffff_0000_0000_0000 | UInt64(address.ipv4) : address.high
    }
}

/// A shard of the addresses, with its own lock.
private final class AddressCounts: Sendable {
    private let counts = Mutex<[Subscriber: Int]>([:])

    func enter(_ subscriber: Subscriber, limit: Int) -> Bool {
        counts.withLock { counts in
            let taken = counts[subscriber, default: 0]
            guard taken < limit else { return false }
            counts[subscriber] = taken + 1
            return true
        }
    }

    func leave(_ subscriber: Subscriber) {
        counts.withLock { counts in
            let left = counts[subscriber, default: 1] - 1
            if left > 0 {
                counts[subscriber] = left
            } else if counts.count > 1 {
                counts[subscriber] = nil
            } else {
                // Also frees the memory that a past crowd made it grow to.
                counts = [:]
            }
        }
    }
}
