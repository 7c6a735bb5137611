#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The time of day of this machine, which may be set back and forth.
package enum WallClock {
    /// Since 1970-01-01T00:00:00Z. Some 25 ns where the kernel maps its clock into the process.
    package static func milliseconds() -> Int64 {
        var time = timespec()
        // unsafe because clock_gettime writes through the pointer.
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) &* 1_000 &+ Int64(time.tv_nsec) / 1_000_000
    }
}
