import WaymarkBytes
package import WaymarkLinks

/// Reads times as exports of other services write them.
package struct ForeignTime: Sendable {
    /// Seconds east of UTC at a local time, given as if it were UTC; for times that say no zone themselves.
    package var offset: @Sendable (_ local: Timestamp) -> Int64

    package init(offset: @escaping @Sendable (_ local: Timestamp) -> Int64 = { _ in 0 }) { self.offset = offset }

    /// Accepts RFC 3339 and the variants of spreadsheets: a space for `T`, `UTC` or `+0000` for `Z`, fields of one digit, no
    /// seconds, no time. Also accepts seconds, milliseconds or microseconds since 1970. Nil for anything else.
    package func timestamp(_ text: String) -> Timestamp? {
        if let moment = Timestamp(rfc3339: text) { return moment }
        var reader = TimeReader(text)
        if let moment = reader.number() { return moment }
        guard let (local, zone) = reader.dateAndTime() else { return nil }
        if let zone { return Timestamp(rfc3339: local + zone) }
        guard let moment = Timestamp(rfc3339: local + "Z") else { return nil }
        let (milliseconds, overflow) = offset(moment).multipliedReportingOverflow(by: -1_000)
        return overflow ? nil : moment.advanced(byMilliseconds: milliseconds)
    }
}

/// Reads the digits and separators of a time in order. Each step returns nil if the text continues differently.
private struct TimeReader {
    private var rest: ArraySlice<UInt8>

    init(_ text: String) {
        // No time is longer.
        rest = text.utf8.count <= 64 ? Array(text.utf8)[...] : []
    }

    /// A number of seconds, milliseconds or microseconds, told apart by its length. A fraction is dropped.
    func number() -> Timestamp? {
        let digits = rest.prefix(while: \.isDigit)
        let fraction = rest.dropFirst(digits.count)
        guard (8...17).contains(digits.count),
            fraction.isEmpty || (fraction.first == UInt8(ascii: ".") && fraction.dropFirst().allSatisfy(\.isDigit)),
            let number = Int64(String(decoding: digits, as: UTF8.self))
        else { return nil }
        switch digits.count {
        case ...11: return Timestamp(seconds: number)
        case ...14: return Timestamp(rawValue: number)
        default: return Timestamp(rawValue: number / 1_000)
        }
    }

    /// `YYYY-MM-DDTHH:MM:SS.fff`, and the zone if one is given, both as RFC 3339 writes them.
    mutating func dateAndTime() -> (local: String, zone: String?)? {
        guard let year = digits(4...4), take("-"), let month = digits(1...2), take("-"), let day = digits(1...2) else {
            return nil
        }
        let date = "\(year)-\(month)-\(day)"
        guard !rest.isEmpty else { return (date + "T00:00:00", nil) }
        guard take("T") || take("t") || take(" "), let hour = digits(1...2), take(":"), let minute = digits(2...2)
        else {
            return nil
        }
        var time = "T\(hour):\(minute)"
        if take(":") {
            guard let second = digits(1...2) else { return nil }
            time += ":" + second
            if take(".") {
                guard let fraction = digits(1...40) else { return nil }
                time += "." + fraction
            }
        } else {
            time += ":00"
        }
        guard !rest.isEmpty else { return (date + time, nil) }
        _ = take(" ")
        guard let zone = zone(), rest.isEmpty else { return nil }
        return (date + time, zone)
    }

    /// `Z`, `UTC`, `GMT`, `+00`, `+0000` or `+00:00`.
    private mutating func zone() -> String? {
        for name in ["UTC", "GMT", "Z", "z"] where take(name) { return "Z" }
        guard let sign = take("+") ? "+" : take("-") ? "-" : nil, let hours = digits(2...2) else { return nil }
        guard !rest.isEmpty else { return sign + hours + ":00" }
        _ = take(":")
        guard let minutes = digits(2...2) else { return nil }
        return "\(sign)\(hours):\(minutes)"
    }

    /// Digits, with a zero before a single one of two.
    private mutating func digits(_ counts: ClosedRange<Int>) -> String? {
        let found = rest.prefix(counts.upperBound).prefix(while: \.isDigit)
        guard counts.contains(found.count) else { return nil }
        rest = rest.dropFirst(found.count)
        let text = String(decoding: found, as: UTF8.self)
        return counts.upperBound == 2 && found.count == 1 ? "0" + text : text
    }

    private mutating func take(_ mark: String) -> Bool {
        guard rest.starts(with: mark.utf8) else { return false }
        rest = rest.dropFirst(mark.utf8.count)
        return true
    }
}
