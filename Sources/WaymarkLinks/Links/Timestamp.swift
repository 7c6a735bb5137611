import WaymarkBytes

/// A moment as whole milliseconds since 1970-01-01T00:00:00Z.
@usableFromInline
package struct Timestamp: RawRepresentable, Hashable, Comparable, Sendable {
    @usableFromInline package let rawValue: Int64

    @inlinable package init(rawValue: Int64) { self.rawValue = rawValue }

    @inlinable package init(seconds: Int64) {
        let product = seconds.multipliedReportingOverflow(by: 1000)
        rawValue = product.overflow ? (seconds < 0 ? .min : .max) : product.partialValue
    }

    /// Whole seconds, rounded down.
    @inlinable package var seconds: Int64 { rawValue / 1000 - (rawValue % 1000 < 0 ? 1 : 0) }

    /// A UTC day without leap seconds.
    @inlinable package static var secondsOfDay: Int64 { 86_400 }

    /// The UTC day, in days since 1970-01-01.
    @inlinable package var day: Int { Int(seconds / Self.secondsOfDay - (seconds % Self.secondsOfDay < 0 ? 1 : 0)) }

    @inlinable package static func < (one: Timestamp, other: Timestamp) -> Bool { one.rawValue < other.rawValue }

    /// Saturates at the limits of the representable range.
    package func advanced(byMilliseconds milliseconds: Int64) -> Timestamp {
        let sum = rawValue.addingReportingOverflow(milliseconds)
        return Timestamp(rawValue: sum.overflow ? (milliseconds < 0 ? .min : .max) : sum.partialValue)
    }
}

// MARK: - RFC 3339

extension Timestamp {
    /// Parses an RFC 3339 date and time (section 5.6) with an offset: `2026-11-21T10:00:00Z`, `…T11:00:00.25+01:00`.
    /// Digits beyond milliseconds are dropped; a leap second is read as the next second.
    package init?(rfc3339 text: String) {
        let bytes = Array(text.utf8)
        guard (20...64).contains(bytes.count), bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            bytes[10] | 0x20 == UInt8(ascii: "t"), bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            let year = Timestamp.number(bytes, 0..<4), let month = Timestamp.number(bytes, 5..<7),
            let day = Timestamp.number(bytes, 8..<10), let hour = Timestamp.number(bytes, 11..<13),
            let minute = Timestamp.number(bytes, 14..<16), let second = Timestamp.number(bytes, 17..<19),
            hour <= 23, minute <= 59, second <= 60
        else { return nil }
        let date = CivilDate(year: year, month: month, day: day)
        guard date.exists else { return nil }
        var position = 19
        var milliseconds: Int64 = 0
        if bytes[position] == UInt8(ascii: ".") {
            position += 1
            var scale: Int64 = 100
            let start = position
            while position < bytes.count, bytes[position].isDigit {
                milliseconds += Int64(bytes[position] - 0x30) * scale
                scale /= 10
                position += 1
            }
            guard position > start else { return nil }
        }
        guard let offset = Timestamp.offset(bytes[position...]) else { return nil }
        let moment =
            ((date.daysSince1970 * 24 + hour) * 60 + minute - offset) * 60 + second
        if second == 60 {
            // RFC 3339, section 5.7: only the last second of a UTC day can be a leap second.
            guard moment % 86400 == 0 else { return nil }
        }
        let value = moment * 1000 + milliseconds
        guard Timestamp.writable.contains(value) else { return nil }
        self.init(rawValue: value)
    }

    /// `2026-11-21T10:00:00Z`, with three decimals if there are milliseconds. Times outside the years 0000–9999,
    /// which RFC 3339 can't represent, are clamped.
    package var rfc3339: String {
        let value = min(max(rawValue, Timestamp.writable.lowerBound), Timestamp.writable.upperBound)
        let moment = Timestamp(rawValue: value)
        let seconds = moment.seconds
        let milliseconds = value - seconds * 1000
        let secondOfDay = (seconds % 86400 + 86400) % 86400
        let date = CivilDate(daysSince1970: (seconds - secondOfDay) / 86400)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24)
        func write(_ number: Int64, _ width: Int) {
            var divisor: Int64 = 1
            for _ in 1..<width { divisor *= 10 }
            while divisor > 0 {
                bytes.append(UInt8(truncatingIfNeeded: 0x30 + number / divisor % 10))
                divisor /= 10
            }
        }
        write(date.year, 4)
        bytes.append(UInt8(ascii: "-"))
        write(date.month, 2)
        bytes.append(UInt8(ascii: "-"))
        write(date.day, 2)
        bytes.append(UInt8(ascii: "T"))
        write(secondOfDay / 3600, 2)
        bytes.append(UInt8(ascii: ":"))
        write(secondOfDay / 60 % 60, 2)
        bytes.append(UInt8(ascii: ":"))
        write(secondOfDay % 60, 2)
        if milliseconds > 0 {
            bytes.append(UInt8(ascii: "."))
            write(milliseconds, 3)
        }
        bytes.append(UInt8(ascii: "Z"))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Milliseconds of 0000-01-01T00:00:00Z to 9999-12-31T23:59:59.999Z.
    private static let writable: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    private static func number(_ bytes: [UInt8], _ range: Range<Int>) -> Int64? {
        var value: Int64 = 0
        for index in range {
            guard bytes[index].isDigit else { return nil }
            value = value * 10 + Int64(bytes[index] - 0x30)
        }
        return value
    }

    /// Minutes east of UTC.
    private static func offset(_ slice: ArraySlice<UInt8>) -> Int64? {
        let bytes = Array(slice)
        if bytes.count == 1 { return bytes[0] | 0x20 == UInt8(ascii: "z") ? 0 : nil }
        guard bytes.count == 6, bytes[3] == UInt8(ascii: ":"), let hours = number(bytes, 1..<3),
            let minutes = number(bytes, 4..<6), hours <= 23, minutes <= 59
        else { return nil }
        switch bytes[0] {
        case UInt8(ascii: "+"): return hours * 60 + minutes
        case UInt8(ascii: "-"): return -(hours * 60 + minutes)
        default: return nil
        }
    }
}
