import Synchronization

/// The pace of requests to each host.
final class HostPolicy: Sendable {
    enum Turn: Sendable, Equatable {
        /// After so many milliseconds.
        case after(Int64)
        /// It would take longer than the caller waits: the requests before it fill the time until then.
        case late
        /// The host has asked to wait longer than the caller does.
        case paused
    }

    /// Hosts that are remembered; beyond that all are forgotten.
    private static let limit = 10_000

    private struct Host {
        var next: Int64 = 0
        /// Until when the host has asked to wait.
        var pause: Int64 = 0
    }

    private let hosts = Mutex<[String: Host]>([:])
    private let interval: Int64

    init(interval: Int64) { self.interval = interval }

    /// Reserves the next request to a host, unless it is too late for the caller: then nothing changes.
    ///
    /// - Parameter patience: in milliseconds.
    func reserve(_ host: String, at now: Int64, patience: Int64) -> Turn {
        hosts.withLock { hosts in
            if hosts.count >= Self.limit, hosts[host] == nil { hosts = [:] }
            let known = hosts[host, default: Host()]
            guard known.pause - now <= patience else { return .paused }
            let start = max(now, known.next, known.pause)
            guard start - now <= patience else { return .late }
            hosts[host, default: Host()].next = start + interval
            return .after(start - now)
        }
    }

    /// No request to the host before then, also of those that are reserved.
    func pause(_ host: String, until end: Int64) {
        hosts.withLock { hosts in hosts[host, default: Host()].pause = max(end, hosts[host]?.pause ?? 0) }
    }

    func isPaused(_ host: String, at now: Int64) -> Bool { hosts.withLock { ($0[host]?.pause ?? 0) > now } }
}
