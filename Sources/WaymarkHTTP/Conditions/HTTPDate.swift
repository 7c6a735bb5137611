/// A time in the forms that HTTP writes and reads (RFC 9110 section 5.6.7), in whole seconds since 1970 UTC.
package struct HTTPDate: Sendable, Hashable, Comparable {
    /// Seconds since 1970-01-01T00:00:00Z.
    package let unixSeconds: Int64

    /// Times outside the years 1 to 9999, which no form can hold, become the nearest that can be written.
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
        let (year, month, day) = Self.civil(fromDays: days)
        // 1970-01-01 was a Thursday.
        let weekday = Int(((days % 7) + 11) % 7)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(29)
        bytes.append(contentsOf: Self.weekdays[weekday])
        bytes.append(contentsOf: [0x2C, 0x20])
        Self.appendTwoDigits(day, to: &bytes)
        bytes.append(0x20)
        bytes.append(contentsOf: Self.months[Int(month) - 1])
        bytes.append(0x20)
        Self.appendTwoDigits(year / 100, to: &bytes)
        Self.appendTwoDigits(year % 100, to: &bytes)
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

    // Sunday first.
    static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"].map { Array($0.utf8) }
    static let months =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"].map { Array($0.utf8) }

    private static func appendTwoDigits(_ number: Int64, to bytes: inout [UInt8]) {
        bytes.append(UInt8(truncatingIfNeeded: number / 10) &+ 0x30)
        bytes.append(UInt8(truncatingIfNeeded: number % 10) &+ 0x30)
    }

    // Both ways in the proleptic Gregorian calendar, counted in eras of 400 years that start on the first of March, so
    // that the leap day is a year's last.

    private static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
