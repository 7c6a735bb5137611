/// How often and when a request is sent again that failed in a way that may pass: no connection, no answer in time, status
/// 408, 429, 500, 502, 503 or 504.
///
/// The wait doubles from one attempt to the next and is spread between half and the whole of it, so that many
/// devices that lost a server at the same moment don't come back at the same moment. A `Retry-After` of the service (RFC 9110,
/// section 10.2.3) is waited for in full; where it is longer than `longestWait` the request fails at once.
public struct RetryPolicy: Sendable, Hashable {
    /// How often a request is sent in all, at least once; 4 by default.
    public var attempts: Int
    /// The whole of the first wait; half a second by default.
    public var firstWait: Duration
    /// What no wait exceeds; 20 seconds by default.
    public var longestWait: Duration

    /// A policy as given.
    public init(
        attempts: Int = 4, firstWait: Duration = .milliseconds(500), longestWait: Duration = .seconds(20)
    ) {
        self.attempts = attempts
        self.firstWait = firstWait
        self.longestWait = longestWait
    }

    /// Every request once.
    public static let never = RetryPolicy(attempts: 1)

    /// How long to wait behind an attempt, counted from 1; nil where nothing is left to try.
    func wait(after attempt: Int, retryAfter: Duration?, fraction: Double) -> Duration? {
        guard attempt < attempts else { return nil }
        let doublings = min(max(attempt - 1, 0), 30)
        let whole = min(firstWait * (1 << doublings), longestWait)
        let wait = whole / 2 + whole / 2 * fraction
        guard let retryAfter else { return wait }
        return retryAfter > longestWait ? nil : max(wait, retryAfter)
    }
}
