import WaymarkBytes

/// A time in the forms that HTTP writes and reads (RFC 9110 section 5.6.7), in whole seconds since 1970 UTC.
package struct HTTPDate: Sendable, Hashable, Comparable {
    /// Seconds since 1970-01-01T00:00:00Z.
    package let unixSeconds: Int64

    /// Times outside the years 1 to 9999, which no format can represent, are clamped.
    package init(unixSeconds: Int64) {
        self.unixSeconds = min(max(unixSeconds, -62_135_596_800), 253_402_300_799)
    }

    package static func < (left: HTTPDate, right: HTTPDate) -> Bool { left.unixSeconds < right.unixSeconds }

    /// IMF-fixdate: `Sun, 06 Nov 1994 08:49:37 GMT`, always 29 bytes.
    package var bytes: [UInt8] {
        var days = unixSeconds / 86_400
        var second = unixSeconds % 86_400
        if second < 0 {
            second += 86_400
            days -= 1
        }
        let date = CivilDate(daysSince1970: days)
        // 1970-01-01 was a Thursday.
        let weekday = Int(((days % 7) + 11) % 7)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(29)
        bytes.append(contentsOf: Self.weekdays[weekday])
        bytes.append(contentsOf: [0x2C, 0x20])
        Self.appendTwoDigits(date.day, to: &bytes)
        bytes.append(0x20)
        bytes.append(contentsOf: Self.months[Int(date.month) - 1])
        bytes.append(0x20)
        Self.appendTwoDigits(date.year / 100, to: &bytes)
        Self.appendTwoDigits(date.year % 100, to: &bytes)
        bytes.append(0x20)
        Self.appendTwoDigits(second / 3_600, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        Self.appendTwoDigits(second / 60 % 60, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        Self.appendTwoDigits(second % 60, to: &bytes)
        bytes.append(contentsOf: Array(" GMT".utf8))
        return bytes
    }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    // Starting on Sunday.
    static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"].map { Array($0.utf8) }
    static let months =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"].map { Array($0.utf8) }

    private static func appendTwoDigits(_ number: Int64, to bytes: inout [UInt8]) {
        bytes.append(UInt8(truncatingIfNeeded: number / 10) &+ 0x30)
        bytes.append(UInt8(truncatingIfNeeded: number % 10) &+ 0x30)
    }
}

extension HTTPDate {
    /// Parses any of the three formats of RFC 9110 section 5.6.7: IMF-fixdate, RFC 850 and asctime.
    ///
    /// - Parameter reference: the current time in Unix seconds: the two-digit year of the RFC 850 format means the
    ///   latest year that is no more than 50 years after it.
    /// - Returns: nil for any other format and for impossible dates such as 30 February. A wrong weekday is ignored.
    package init?(_ bytes: Span<UInt8>, _ range: ByteRange, reference: Int64) {
        var reader = DateReader(position: Int(range.start), end: Int(range.end))
        guard reader.skipWeekday(bytes) else { return nil }
        let parts: DateReader.Parts? =
            if reader.skip(bytes, ", ") {
                reader.readSeparated(bytes, reference: reference)
            } else {
                reader.readAsctime(bytes)
            }
        guard let parts, reader.isAtEnd, let seconds = parts.unixSeconds else { return nil }
        self.init(unixSeconds: seconds)
    }
}

/// Reads the parts of a date in order.
private struct DateReader {
    struct Parts {
        var year: Int64
        var month: Int64
        var day: Int64
        var second: Int64

        var unixSeconds: Int64? {
            let date = CivilDate(year: year, month: month, day: day)
            return year >= 1 && date.exists ? date.daysSince1970 * 86_400 + second : nil
        }
    }

    var position: Int
    let end: Int

    var isAtEnd: Bool { position == end }

    mutating func skip(_ bytes: Span<UInt8>, _ text: String) -> Bool {
        var index = position
        for byte in text.utf8 {
            guard index < end, bytes[index] == byte else { return false }
            index += 1
        }
        position = index
        return true
    }

    mutating func skipWeekday(_ bytes: Span<UInt8>) -> Bool {
        for name in [
            "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sun", "Mon", "Tue", "Wed",
            "Thu", "Fri", "Sat",
        ] where skip(bytes, name) {
            return true
        }
        return false
    }

    /// `06 Nov 1994 08:49:37 GMT` or `06-Nov-94 08:49:37 GMT`.
    mutating func readSeparated(_ bytes: Span<UInt8>, reference: Int64) -> Parts? {
        guard let day = number(bytes, digits: 2) else { return nil }
        let isOld = skip(bytes, "-")
        guard isOld || skip(bytes, " "), let month = month(bytes), skip(bytes, isOld ? "-" : " "),
            var year = number(bytes, digits: isOld ? 2 : 4), skip(bytes, " "), let second = time(bytes),
            skip(bytes, " GMT")
        else { return nil }
        if isOld {
            // The average Gregorian year is exact enough to determine the century.
            let latest = HTTPDate(unixSeconds: reference).unixSeconds / 31_556_952 + 1_970 + 50
            year += latest / 100 * 100
            if year > latest { year -= 100 }
        }
        return Parts(year: year, month: month, day: day, second: second)
    }

    /// ` Nov  6 08:49:37 1994`.
    mutating func readAsctime(_ bytes: Span<UInt8>) -> Parts? {
        guard skip(bytes, " "), let month = month(bytes), skip(bytes, " ") else { return nil }
        let isPadded = skip(bytes, " ")
        guard let day = number(bytes, digits: isPadded ? 1 : 2), skip(bytes, " "), let second = time(bytes),
            skip(bytes, " "), let year = number(bytes, digits: 4)
        else { return nil }
        return Parts(year: year, month: month, day: day, second: second)
    }

    private mutating func month(_ bytes: Span<UInt8>) -> Int64? {
        guard position + 3 <= end else { return nil }
        let name = (0..<3).map { bytes[position + $0] }
        guard let month = HTTPDate.months.firstIndex(of: name) else { return nil }
        position += 3
        return Int64(month) + 1
    }

    /// Seconds since midnight; a leap second counts as the second before it.
    private mutating func time(_ bytes: Span<UInt8>) -> Int64? {
        guard let hour = number(bytes, digits: 2), hour < 24, skip(bytes, ":"),
            let minute = number(bytes, digits: 2), minute < 60, skip(bytes, ":"),
            let second = number(bytes, digits: 2), second <= 60
        else { return nil }
        return hour * 3_600 + minute * 60 + min(second, 59)
    }

    private mutating func number(_ bytes: Span<UInt8>, digits: Int) -> Int64? {
        guard position + digits <= end else { return nil }
        var value: Int64 = 0
        for index in position..<position + digits {
            let digit = bytes[index] &- 0x30
            if digit > 9 { return nil }
            value = value * 10 + Int64(digit)
        }
        position += digits
        return value
    }
}
