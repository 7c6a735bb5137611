import Synchronization
import WaymarkSockets

/// How many connections all loops of a server have together, and how many of them each address has.
///
/// Addresses are counted while they have connections, so their table is never larger than the number of connections.
/// Only accepting and closing touch it, and each holds the lock of one part for a few dozen nanoseconds.
final class ConnectionLimiter: Sendable {
    enum Outcome {
        case entered
        /// All places are taken.
        case full
        /// The address has all the places that one may have.
        case addressFull
    }

    /// Places beyond `ServerLimits.connections` for listeners that only operators reach: they need theirs most when
    /// everybody else's are taken.
    static let operatorConnections = 64

    /// Descriptors of the acceptors that let connections in.
    let reserves = DescriptorReserves()
    private let count = Atomic<Int>(0)
    private let lingering = Atomic<Int>(0)
    private let parts: [AddressCounts]

    init() {
        parts = (0..<32).map { _ in AddressCounts() }
    }

    /// Takes a place; nothing has changed where the outcome is not `.entered`.
    ///
    /// - Parameter subscriber: whose share it is; nil where no share is counted.
    func enter(_ subscriber: Subscriber?, role: ListenerRole, limits: ServerLimits) -> Outcome {
        let slots = role == .admin ? limits.connections + Self.operatorConnections : limits.connections
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

    /// Takes one of a subscriber's places for a connection that has its place already, but counted for nobody.
    func enterShare(_ subscriber: Subscriber, limits: ServerLimits) -> Bool {
        part(subscriber).enter(subscriber, limit: limits.connectionsPerAddress)
    }

    /// Gives a place back, with the subscriber that it was taken with.
    func leave(_ subscriber: Subscriber?) {
        count.subtract(1, ordering: .relaxed)
        if let subscriber { part(subscriber).leave(subscriber) }
    }

    /// Counts a connection that begins its lingering close; false, with nothing changed, where there are enough.
    func beginLingering(limit: Int) -> Bool {
        if lingering.add(1, ordering: .relaxed).newValue <= limit { return true }
        lingering.subtract(1, ordering: .relaxed)
        return false
    }

    func endLingering() { lingering.subtract(1, ordering: .relaxed) }

    /// Whether more than three quarters of the places are taken.
    func isCrowded(limit: Int) -> Bool {
        count.load(ordering: .relaxed) > limit - limit / 4
    }

    private func part(_ subscriber: Subscriber) -> AddressCounts {
        parts[Int(truncatingIfNeeded: subscriber.bits ^ (subscriber.bits >> 5)) & 31]
    }
}

/// Whose connections are counted together: an IPv4 address, or the first 64 bits of an IPv6 one, which is what one
/// subscriber gets.
struct Subscriber: Hashable, Sendable {
    /// An IPv4 address behind 16 set bits, which no IPv6 prefix starts like: fec0::/10 and ff00::/8 are no hosts' own.
    let bits: UInt64

    init(_ address: IPAddress) {
        bits = address.isIPv4 ? 0xffff_0000_0000_0000 | UInt64(address.ipv4) : address.high
    }
}

/// A part of the addresses, under a lock of its own.
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
                // Also lets go of what a crowd that has gone made it grow to.
                counts = [:]
            }
        }
    }
}
