#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif
#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A time on the monotonic clock, in milliseconds; only differences are meaningful.
@usableFromInline
package struct CoarseInstant: Sendable, Comparable {
    @usableFromInline package let milliseconds: Int64

    @inlinable
    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Never reached.
    @inlinable package static var distantFuture: CoarseInstant { CoarseInstant(milliseconds: .max) }

    @inlinable
    package static func < (left: CoarseInstant, right: CoarseInstant) -> Bool { left.milliseconds < right.milliseconds }

    /// The time this many milliseconds later (or never, if the sum overflows).
    @inlinable
    package func advanced(by milliseconds: Int64) -> CoarseInstant {
        let (sum, overflow) = self.milliseconds.addingReportingOverflow(milliseconds)
        return overflow ? .distantFuture : CoarseInstant(milliseconds: sum)
    }

    /// Milliseconds since an earlier time.
    @inlinable
    package func since(_ earlier: CoarseInstant) -> Int64 { milliseconds &- earlier.milliseconds }

    /// Reads the clock. On Linux the coarse one: its lag of a few milliseconds is negligible for a deadline, and it
    /// costs a fifth of the exact one, once per turn of a loop.
    package static func current() -> CoarseInstant {
        var time = timespec()
        #if os(Linux)
            let clock = CLOCK_MONOTONIC_COARSE
        #else
            let clock = CLOCK_MONOTONIC
        #endif
        // unsafe because clock_gettime writes through the pointer.
        _ = unsafe clock_gettime(clock, &time)
        return CoarseInstant(milliseconds: Int64(time.tv_sec) &* 1_000 &+ Int64(time.tv_nsec) / 1_000_000)
    }
}

/// A time on the monotonic clock, in nanoseconds, for measurements; only differences are meaningful.
///
/// Deadlines use `CoarseInstant`, which costs a fifth: this one reads the processor's counter.
package struct MonotonicInstant: Sendable {
    package let nanoseconds: Int

    package static func current() -> MonotonicInstant {
        var time = timespec()
        // unsafe because clock_gettime writes through the pointer.
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicInstant(nanoseconds: Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec))
    }

    /// Nanoseconds since an earlier time.
    package func since(_ earlier: MonotonicInstant) -> Int { nanoseconds &- earlier.nanoseconds }
}

/// The system's wall clock, which may be set back or forward.
package enum WallClock {
    /// Since 1970-01-01T00:00:00Z. Takes about 25 ns if the kernel maps its clock into the process.
    package static func milliseconds() -> Int64 { milliseconds(of: CLOCK_REALTIME) }

    /// The same at the kernel's last tick, at most ten milliseconds ago: a fifth of the cost, because the processor's
    /// counter is not read. Exact on systems without such a clock.
    package static func recentMilliseconds() -> Int64 {
        #if os(Linux)
            milliseconds(of: CLOCK_REALTIME_COARSE)
        #else
            milliseconds()
        #endif
    }

    private static func milliseconds(of clock: clockid_t) -> Int64 {
        var time = timespec()
        // unsafe because clock_gettime writes through the pointer.
        _ = unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) &* 1_000 &+ Int64(time.tv_nsec) / 1_000_000
    }
}
