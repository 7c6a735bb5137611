import Foundation

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

/// The value of `Retry-After` (RFC 9110, section 10.2.3): seconds, or a date in the form that is still written today.
enum RetryAfter {
    /// Nil where the text is neither.
    static func read(_ text: String?, now: Date) -> Duration? {
        guard let text else { return nil }
        let trimmed = text.filter { $0 != " " || text.contains(",") }
        if !trimmed.isEmpty, trimmed.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // More digits than fit are a very long time.
            return .seconds(min(Int(trimmed) ?? limit, limit))
        }
        guard let moment = date(text) else { return nil }
        let seconds = moment - now.timeIntervalSince1970
        return .seconds(min(max(seconds, 0), Double(limit)))
    }

    /// A day: what is longer makes no difference to an app.
    private static let limit = 86_400

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// `Sun, 06 Nov 1994 08:49:37 GMT` as seconds since 1970.
    private static func date(_ text: String) -> Double? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let day = Int(words[1]), (1...31).contains(day),
            let month = months.firstIndex(of: String(words[2])), let year = Int(words[3]), (1970...9999).contains(year)
        else { return nil }
        let time = words[4].split(separator: ":").compactMap { Int($0) }
        guard time.count == 3, (0..<24).contains(time[0]), (0..<60).contains(time[1]), (0...60).contains(time[2]) else {
            return nil
        }
        // Days since 1970, counted in years that begin with March so that the leap day is the last.
        let shifted = month < 2 ? year - 1 : year
        let dayOfYear = (153 * ((month + 10) % 12) + 2) / 5 + day - 1
        let days = shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
        return Double(days * 86_400 + time[0] * 3_600 + time[1] * 60 + time[2])
    }
}
