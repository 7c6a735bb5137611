import Dispatch
package import WaymarkLinks

/// External dependencies of the service: time, randomness and digests.
package struct ServiceDependencies: Sendable {
    package var now: @Sendable () -> Timestamp
    /// The time, up to ten milliseconds late, for cached redirects, which only need seconds. Default: `now`.
    package var coarseNow: @Sendable () -> Timestamp
    /// Milliseconds of a monotonic clock on this machine.
    package var uptime: @Sendable () -> Int64 = { Int64(clamping: DispatchTime.now().uptimeNanoseconds / 1_000_000) }
    /// Returns this many bytes from a secure source.
    package var randomBytes: @Sendable (_ count: Int) -> [UInt8]
    /// SHA-256: 32 bytes.
    package var sha256: @Sendable (_ bytes: [UInt8]) -> [UInt8]

    /// Yields the processor to other threads, above all event loops; called between steps of long background work.
    package var yieldToOthers: @Sendable () -> Void = {}

    package init(
        now: @escaping @Sendable () -> Timestamp, randomBytes: @escaping @Sendable (_ count: Int) -> [UInt8],
        sha256: @escaping @Sendable (_ bytes: [UInt8]) -> [UInt8]
    ) {
        self.now = now
        coarseNow = now
        self.randomBytes = randomBytes
        self.sha256 = sha256
    }
}
