/// Keeps a log readable in a storm: limits the lines with the same text, and all lines together, in each time window.
/// The number of suppressed lines is reported once the window is over.
///
/// Has no clock: the caller passes the time. Its memory is bounded by the number of lines it admits.
package struct LogRateLimiter {
    /// Seconds.
    private let window: Int64
    private let sameLines: Int
    private let allLines: Int
    private var start = Int64.min
    private var counts: [String: Int] = [:]
    private var passed = 0
    private var held = 0

    /// - Parameters:
    ///   - window: in seconds. Default: 10.
    ///   - sameLines: limit for one text in a window. Default: 5.
    ///   - allLines: limit for all texts in a window. Default: 200.
    package init(window: Int64 = 10, sameLines: Int = 5, allLines: Int = 200) {
        self.window = window
        self.sameLines = sameLines
        self.allLines = allLines
    }

    /// Whether to write a line with this text.
    ///
    /// - Parameter now: in seconds, by any monotonic clock.
    /// - Returns: also the number of lines suppressed in the previous window, if that should be reported first.
    package mutating func admit(_ text: String, at now: Int64) -> (isWritten: Bool, heldBefore: Int) {
        var heldBefore = 0
        if start == .min || now < start || now - start >= window {
            heldBefore = held
            start = now
            counts = [:]
            passed = 0
            held = 0
        }
        let count = counts[text] ?? 0
        guard count < sameLines, passed < allLines else {
            held += 1
            return (false, heldBefore)
        }
        counts[text] = count + 1
        passed += 1
        return (true, heldBefore)
    }
}
