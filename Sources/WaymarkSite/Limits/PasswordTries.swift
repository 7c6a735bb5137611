import Synchronization
import WaymarkLinks
import WaymarkServer

/// Bounds how often an address tries the password of a link: five times in any minute. Exact, unlike a token bucket, which
/// refills meanwhile; and for callers on this machine too.
final class PasswordTries: Sendable {
    struct Key: Hashable, Sendable {
        private let high, low: UInt64
        private let isUnixSocket: Bool
        private let link: LinkID

        init(_ peer: Peer, _ link: LinkID) {
            high = peer.subscriber.addressBits.high
            low = peer.subscriber.addressBits.low
            isUnixSocket = peer.isUnixSocket
            self.link = link
        }
    }

    private struct Table {
        /// When each try was, oldest first, in milliseconds of uptime.
        var tries: [Key: [Int64]] = [:]
        var cleanedAt = Int64.min
    }

    private static let limit = 5
    private static let window: Int64 = 60_000
    private static let capacity = 65_536
    private let table = Mutex(Table())

    /// Counts a try; returns the seconds to wait if there were too many.
    func take(_ key: Key, at now: Int64) -> Int? {
        table.withLock { table in
            var tries = (table.tries[key] ?? []).filter { $0 > now - Self.window }
            guard tries.count < Self.limit else {
                return max(1, Int((tries[0] + Self.window - now + 999) / 1_000))
            }
            tries.append(now)
            if table.tries.count >= Self.capacity, table.tries[key] == nil { Self.makeRoom(in: &table, now) }
            table.tries[key] = tries
            return nil
        }
    }

    /// Forgets a try that was right, so that people who share an address don't lock each other out.
    func giveBack(_ key: Key, at time: Int64) {
        table.withLock { table in
            guard var tries = table.tries[key], let index = tries.lastIndex(of: time) else { return }
            tries.remove(at: index)
            table.tries[key] = tries.isEmpty ? nil : tries
        }
    }

    private static func makeRoom(in table: inout Table, _ now: Int64) {
        // At most once a second, because it looks at all of them.
        if table.cleanedAt < now - 1_000 {
            table.cleanedAt = now
            table.tries = table.tries.filter { entry in entry.value.contains { $0 > now - window } }
        }
        while table.tries.count >= capacity { table.tries.remove(at: table.tries.startIndex) }
    }
}
