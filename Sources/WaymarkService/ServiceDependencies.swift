import Dispatch
package import WaymarkLinks

/// What the service takes from outside: time, randomness and the digest.
package struct ServiceDependencies: Sendable {
    package var now: @Sendable () -> Timestamp
    /// The time as of up to ten milliseconds ago, for redirects that are ready: they tell it in seconds, and end by so much
    /// late. `now` where nothing else is set.
    package var coarseNow: @Sendable () -> Timestamp
    /// Milliseconds on a clock that never jumps; of this machine only.
    package var uptime: @Sendable () -> Int64 = { Int64(clamping: DispatchTime.now().uptimeNanoseconds / 1_000_000) }
    /// That many bytes from a secure source.
    package var randomBytes: @Sendable (_ count: Int) -> [UInt8]
    /// SHA-256: 32 bytes.
    package var sha256: @Sendable (_ bytes: [UInt8]) -> [UInt8]

    /// Lets other threads have the processor, event loops above all; called between pieces of long work that nobody waits for.
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
