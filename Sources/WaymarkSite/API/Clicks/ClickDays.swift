import Foundation
import WaymarkBytes
import WaymarkLinks

/// The days of a time zone.
struct ClickDays {
    let name: String
    private let zone: TimeZone

    static let utc = ClickDays(name: "UTC", zone: .gmt)

    private init(name: String, zone: TimeZone) {
        self.name = name
        self.zone = zone
    }

    /// Nil for names that the time zone database does not have.
    init?(_ name: String) {
        let isName =
            (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { $0.isAlphanumeric || "/_+-".utf8.contains($0) }
        // Abbreviations and offsets such as GMT+3 are no names of the database.
        guard isName, name == "UTC" || name.contains("/"), let zone = TimeZone(identifier: name) else { return nil }
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
        return Self.floor(start, 900) * 900
    }

    /// The same time of day a year before; 28 February for the 29th.
    func yearBefore(_ second: Int64) -> Int64 {
        let day = day(ofSecond: second)
        let date = CivilDate(daysSince1970: day)
        var earlier = CivilDate(year: date.year - 1, month: date.month, day: date.day)
        if !earlier.exists { earlier = CivilDate(year: date.year - 1, month: date.month, day: date.day - 1) }
        return start(ofDay: earlier.daysSince1970) + second - start(ofDay: day)
    }

    static func floor(_ value: Int64, _ step: Int64) -> Int64 { value / step - (value % step < 0 ? 1 : 0) }
}
