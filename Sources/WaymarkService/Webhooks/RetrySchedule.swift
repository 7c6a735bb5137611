import WaymarkLinks

/// When a failed delivery is attempted again.
package enum RetrySchedule {
    private static let minute: Int64 = 60_000
    private static let hour: Int64 = 60 * minute

    /// Milliseconds from one attempt to the next.
    package static let delays: [Int64] = [
        5_000, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour,
    ]
    /// The longest that a receiver can ask for with `Retry-After`, in seconds: a day.
    private static let longestPause = 24 * 3_600
    /// An endpoint that has failed for so long is disabled: 5 days.
    package static let patience = 5 * 24 * hour

    /// Milliseconds until the next attempt; nil if there is none.
    ///
    /// - Parameters:
    ///   - attempts: Those so far.
    ///   - retryAfter: In seconds, as the receiver asked.
    ///   - jitter: -1 to 1; changes the delay by up to 10 %.
    static func delay(after attempts: Int, retryAfter: Int?, jitter: Double) -> Int64? {
        guard attempts >= 1, attempts <= delays.count else { return nil }
        let delay = delays[attempts - 1]
        let varied = delay + Int64(Double(delay) * 0.1 * jitter)
        return max(varied, retryAfter.map { pause(seconds: $0) } ?? 0)
    }

    /// What a receiver asked for, within limits, in milliseconds.
    static func pause(seconds: Int) -> Int64 { Int64(max(0, min(seconds, longestPause))) * 1_000 }
}
