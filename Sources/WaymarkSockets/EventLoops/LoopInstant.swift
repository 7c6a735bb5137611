#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A moment on the monotonic clock, in milliseconds; only differences mean anything.
@usableFromInline
package struct LoopInstant: Sendable, Comparable {
    @usableFromInline package let milliseconds: Int64

    @inlinable
    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Never comes.
    @inlinable package static var distantFuture: LoopInstant { LoopInstant(milliseconds: .max) }

    @inlinable
    package static func < (left: LoopInstant, right: LoopInstant) -> Bool { left.milliseconds < right.milliseconds }

    /// The moment that many milliseconds later (or never, where the sum does not fit).
    @inlinable
    package func advanced(by milliseconds: Int64) -> LoopInstant {
        let (sum, overflow) = self.milliseconds.addingReportingOverflow(milliseconds)
        return overflow ? .distantFuture : LoopInstant(milliseconds: sum)
    }

    /// Milliseconds since an earlier moment.
    @inlinable
    package func since(_ earlier: LoopInstant) -> Int64 { milliseconds &- earlier.milliseconds }

    /// Reads the clock. On Linux the coarse one: its few milliseconds of lag are nothing against a deadline, and it
    /// costs a fifth of the exact one, once for every turn of a loop.
    package static func current() -> LoopInstant {
        var time = timespec()
        #if os(Linux)
            let clock = CLOCK_MONOTONIC_COARSE
        #else
            let clock = CLOCK_MONOTONIC
        #endif
        // unsafe because clock_gettime writes through the pointer.
        _ = unsafe clock_gettime(clock, &time)
        return LoopInstant(milliseconds: Int64(time.tv_sec) &* 1_000 &+ Int64(time.tv_nsec) / 1_000_000)
    }
}
