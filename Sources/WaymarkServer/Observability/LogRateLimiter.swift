/// Keeps a log readable in a storm: of lines that say the same only a few are let through in each window of time, and of
/// all lines together only so many; how many were held back is said once when the window is over.
///
/// A value without a clock: the caller says what time it is. Its memory is bounded by the lines it lets through.
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
    ///   - window: in seconds; 10.
    ///   - sameLines: of one text in a window; 5.
    ///   - allLines: of all texts in a window; 200.
    package init(window: Int64 = 10, sameLines: Int = 5, allLines: Int = 200) {
        self.window = window
        self.sameLines = sameLines
        self.allLines = allLines
    }

    /// Whether to write a line of this text.
    ///
    /// - Parameter now: in seconds, by whatever clock.
    /// - Returns: also how many lines of the window before were held back, where that is to be said first.
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
