#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A moment on the monotonic clock, in nanoseconds, for measuring; only differences mean anything.
///
/// Deadlines have `CoarseInstant`, which costs a fifth: this one asks the processor.
package struct MonotonicInstant: Sendable {
    package let nanoseconds: Int

    /// Reads the clock.
    package static func current() -> MonotonicInstant {
        var time = timespec()
        // unsafe because clock_gettime writes through the pointer.
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicInstant(nanoseconds: Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec))
    }

    /// Nanoseconds since an earlier moment.
    package func since(_ earlier: MonotonicInstant) -> Int { nanoseconds &- earlier.nanoseconds }
}
