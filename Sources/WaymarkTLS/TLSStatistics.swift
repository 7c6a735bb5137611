import Synchronization

/// How handshakes ended. The figures of one moment need not fit together.
package struct TLSStatistics: Sendable, Equatable {
    /// Complete ones, resumed ones among them.
    package var handshakes = 0
    package var resumptions = 0
    /// Begun and not completed.
    package var failures = 0
    /// Connections that spoke HTTP in clear.
    package var plaintext = 0
}

/// What the sessions of all loops count. Once for each connection, so that sharing a cache line costs nothing that shows.
final class TLSCounters: Sendable {
    let handshakes = Atomic<Int>(0)
    let resumptions = Atomic<Int>(0)
    let failures = Atomic<Int>(0)
    let plaintext = Atomic<Int>(0)
}
