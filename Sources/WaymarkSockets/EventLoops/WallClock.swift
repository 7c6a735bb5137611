#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

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
