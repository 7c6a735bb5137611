import Foundation
import WaymarkBytes

/// How requests are retried after a transient failure: no connection, a timeout, or status 408, 429, 500, 502, 503 or
/// 504.
///
/// The wait doubles with each attempt, with jitter between half of it and all of it, so that devices that lost a
/// server at the same time don't return at the same time. A `Retry-After` (RFC 9110, section 10.2.3) is honoured in
/// full; if it is longer than `longestWait`, the request fails immediately.
public struct RetryPolicy: Sendable, Hashable {
    /// Total number of attempts, at least 1. Default: 4.
    public var attempts: Int
    /// Upper bound of the first wait. Default: half a second.
    public var firstWait: Duration
    /// Upper bound of every wait. Default: 20 seconds.
    public var longestWait: Duration

    /// Creates a policy.
    public init(
        attempts: Int = 4, firstWait: Duration = .milliseconds(500), longestWait: Duration = .seconds(20)
    ) {
        self.attempts = attempts
        self.firstWait = firstWait
        self.longestWait = longestWait
    }

    /// No retries.
    public static let never = RetryPolicy(attempts: 1)

    /// The wait after an attempt, counted from 1; nil if the request should not be retried.
    func wait(after attempt: Int, retryAfter: Duration?, fraction: Double) -> Duration? {
        guard attempt < attempts else { return nil }
        let doublings = min(max(attempt - 1, 0), 30)
        let whole = min(firstWait * (1 << doublings), longestWait)
        let wait = whole / 2 + whole / 2 * fraction
        guard let retryAfter else { return wait }
        return retryAfter > longestWait ? nil : max(wait, retryAfter)
    }
}

/// The value of `Retry-After` (RFC 9110, section 10.2.3): seconds, or an IMF-fixdate. The obsolete date formats are
/// not read.
enum RetryAfter {
    /// Nil if the text is neither.
    static func read(_ text: String?, now: Date) -> Duration? {
        guard let text else { return nil }
        let trimmed = text.filter { $0 != " " || text.contains(",") }
        if !trimmed.isEmpty, trimmed.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // A number that does not fit an `Int` counts as the limit.
            return .seconds(min(Int(trimmed) ?? limit, limit))
        }
        guard let moment = date(text) else { return nil }
        let seconds = moment - now.timeIntervalSince1970
        return .seconds(min(max(seconds, 0), Double(limit)))
    }

    /// One day; longer waits make no difference to an app.
    private static let limit = 86_400

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Unix time of a date such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    static func date(_ text: String) -> Double? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let day = Int(words[1]), (1...31).contains(day),
            let month = months.firstIndex(of: String(words[2])), let year = Int(words[3]), (1970...9999).contains(year)
        else { return nil }
        let time = words[4].split(separator: ":").compactMap { Int($0) }
        guard time.count == 3, (0..<24).contains(time[0]), (0..<60).contains(time[1]), (0...60).contains(time[2]) else {
            return nil
        }
        let days = CivilDate(year: Int64(year), month: Int64(month + 1), day: Int64(day)).daysSince1970
        return Double(days * 86_400 + Int64(time[0] * 3_600 + time[1] * 60 + time[2]))
    }
}
