import Foundation

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
