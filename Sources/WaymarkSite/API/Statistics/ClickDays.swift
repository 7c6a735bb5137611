import Foundation
import WaymarkBytes
import WaymarkLinks

/// The days of a time zone.
struct ClickDays {
    /// A boundary of a period, as the zone's clocks show it.
    struct ClockTime {
        /// In days since 1970-01-01 of the zone's calendar.
        var day: Int64
        /// In seconds since midnight; 0 for the day's start, 86,400 for its end, whatever the clocks show then.
        var second: Int64
    }

    let name: String
    private let zone: TimeZone

    static let utc = ClickDays(name: "UTC", zone: .gmt)

    private init(name: String, zone: TimeZone) {
        self.name = name
        self.zone = zone
    }

    /// Nil for names that the time zone database does not have.
    init?(_ name: String) {
        guard let zone = TimeZoneName.zone(name) else { return nil }
        self.init(name: name, zone: zone)
    }

    private func offset(at second: Int64) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(second))))
    }

    /// The day, in days since 1970-01-01 of the zone's calendar.
    func day(ofSecond second: Int64) -> Int64 { Self.floor(second + offset(at: second), Timestamp.secondsOfDay) }

    /// The first second of a day, on a quarter of an hour.
    func start(ofDay day: Int64) -> Int64 {
        let midnight = day * Timestamp.secondsOfDay
        // The offset at the start is at most a change of clocks away from the one at noon, or before.
        var start = midnight - offset(at: midnight - offset(at: midnight))
        if self.day(ofSecond: start) < day {
            // Clocks went forward at midnight: the day starts later.
            start = midnight - offset(at: start)
        }
        let earlier = midnight - offset(at: start - 86_400)
        if earlier < start, self.day(ofSecond: earlier) == day, self.day(ofSecond: earlier - 1) < day {
            start = earlier
        }
        return Self.floor(start, Self.quarter) * Self.quarter
    }

    // MARK: Other days at the same time

    /// - Parameter isEnd: Whether a day's start is the end of the day before.
    func clockTime(ofSecond second: Int64, isEnd: Bool = false) -> ClockTime {
        let day = day(ofSecond: second)
        guard second != start(ofDay: day) else {
            return isEnd ? ClockTime(day: day - 1, second: Timestamp.secondsOfDay) : ClockTime(day: day, second: 0)
        }
        return ClockTime(day: day, second: second + offset(at: second) - day * Timestamp.secondsOfDay)
    }

    /// The first quarter of an hour at which the day's clocks show this time or a later one.
    func second(of time: ClockTime) -> Int64 {
        let start = start(ofDay: time.day)
        guard time.second > 0 else { return start }
        let end = self.start(ofDay: time.day + 1)
        guard time.second < Timestamp.secondsOfDay else { return end }
        let shown = time.day * Timestamp.secondsOfDay + time.second
        return stride(from: start, to: end, by: 900).first { $0 + offset(at: $0) >= shown } ?? end
    }

    /// The same date a year before; 28 February for the 29th.
    static func yearBefore(_ day: Int64) -> Int64 {
        let date = CivilDate(daysSince1970: day)
        var earlier = CivilDate(year: date.year - 1, month: date.month, day: date.day)
        if !earlier.exists { earlier = CivilDate(year: date.year - 1, month: date.month, day: date.day - 1) }
        return earlier.daysSince1970
    }

    // MARK: Text

    /// The date of a day's start: `2026-11-20`.
    func date(ofDayFrom start: Int64) -> String {
        // Before zones had whole quarters of an hour, a day starts up to a quarter early.
        let day = day(ofSecond: start + Self.quarter - 1)
        return String(Timestamp(seconds: day * Timestamp.secondsOfDay).rfc3339.prefix(10))
    }

    /// What the zone's clocks show, with its offset (RFC 3339): `2026-11-20T09:00:00+01:00`.
    func localTime(ofSecond second: Int64) -> String {
        let offset = offset(at: second)
        let text = Timestamp(seconds: second + offset).rfc3339
        guard offset != 0 else { return text }
        let minutes = offset.magnitude / 60
        let digits = [minutes / 60, minutes % 60].map { ($0 < 10 ? "0" : "") + String($0) }
        return text.dropLast() + (offset < 0 ? "-" : "+") + digits.joined(separator: ":")
    }

    static let quarter: Int64 = 900

    static func floor(_ value: Int64, _ step: Int64) -> Int64 { value / step - (value % step < 0 ? 1 : 0) }
}
