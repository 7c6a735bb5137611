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

/// A moment on the monotonic clock, in milliseconds; only differences mean anything.
@usableFromInline
package struct CoarseInstant: Sendable, Comparable {
    @usableFromInline package let milliseconds: Int64

    @inlinable
    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Never comes.
    @inlinable package static var distantFuture: CoarseInstant { CoarseInstant(milliseconds: .max) }

    @inlinable
    package static func < (left: CoarseInstant, right: CoarseInstant) -> Bool { left.milliseconds < right.milliseconds }

    /// The moment that many milliseconds later (or never, where the sum does not fit).
    @inlinable
    package func advanced(by milliseconds: Int64) -> CoarseInstant {
        let (sum, overflow) = self.milliseconds.addingReportingOverflow(milliseconds)
        return overflow ? .distantFuture : CoarseInstant(milliseconds: sum)
    }

    /// Milliseconds since an earlier moment.
    @inlinable
    package func since(_ earlier: CoarseInstant) -> Int64 { milliseconds &- earlier.milliseconds }

    /// Reads the clock. On Linux the coarse one: its few milliseconds of lag are nothing against a deadline, and it
    /// costs a fifth of the exact one, once for every turn of a loop.
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

/// The time of day of this machine, which may be set back and forth.
package enum WallClock {
    /// Since 1970-01-01T00:00:00Z. Some 25 ns where the kernel maps its clock into the process.
    package static func milliseconds() -> Int64 { milliseconds(of: CLOCK_REALTIME) }

    /// The same as of the kernel's last tick, at most ten milliseconds ago: a fifth of the cost, because the processor's own
    /// counter is not read. Exact where the system has no such clock.
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
