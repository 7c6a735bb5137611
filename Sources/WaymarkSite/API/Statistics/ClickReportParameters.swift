import WaymarkAPI
import WaymarkLinks
import WaymarkService

/// A query for the clicks on many links.
struct ClickReportParameters {
    enum Comparison: String, CaseIterable { case previous, year }

    static let parameters =
        ["from", "to", "interval", "app", "domain", "tag", "link", "by", "top", "compare", "timeZone", "format"]
        + ClickField.allCases.map(\.name)
    private static let fieldLimit = 4
    private static let valueLimit = 100
    private static let usualDays: Int64 = 30

    var boundaries: [Int64] = []
    var interval = ClickReportQuery.Interval.day
    var days = ClickDays.utc
    var applications: [ApplicationID]?
    var domains: Set<HostName>?
    var tags: [String] = []
    var links: [(domain: String, slug: Slug)] = []
    var filter: [ClickField: Set<String?>] = [:]
    var by: [ClickField] = []
    var top: [ClickReportQuery.Top] = []
    var compare: Comparison?
    let isTable: Bool

    /// - Throws: `Problem` with everything that is wrong with the query.
    init(_ call: Call, now: Timestamp) throws(Problem) {
        var reading = ClicksReading(query: call.query)
        let format = reading.choice("format", ["json", "csv"])
        isTable = format.map { $0 == "csv" } ?? call.prefersCSV
        interval =
            reading.choice("interval", ClickReportQuery.Interval.allCases.map(\.rawValue))
            .flatMap { ClickReportQuery.Interval(rawValue: $0) } ?? .day
        compare = reading.choice("compare", Comparison.allCases.map(\.rawValue)).flatMap { Comparison(rawValue: $0) }
        if let name = reading.one("timeZone") {
            if let zone = ClickDays(name) {
                days = zone
            } else {
                reading.reject(
                    "timeZone", "must be a name of the IANA Time Zone Database, such as Europe/Berlin or UTC")
            }
        }
        by = reading.list("by", ClickField.allCases.map(\.name)).compactMap { ClickField(name: $0) }
        if by.count > Self.fieldLimit { reading.reject("by", "must be at most \(Self.fieldLimit) fields") }
        top = reading.list("top", ClickReportQuery.Top.allCases.map(\.rawValue)).compactMap {
            ClickReportQuery.Top(rawValue: $0)
        }
        if isTable, top.count > 1 || !(top.isEmpty || by.isEmpty) {
            reading.reject("format", "csv has one table: ask for one list of top, or for by")
        }
        readLinks(&reading)
        readFields(&reading)
        if top.contains(.unknown) || top.contains(.probes), !(tags.isEmpty && links.isEmpty && filter.isEmpty) {
            reading.reject(
                "top",
                "unknown and probes can't be combined with link, tag or fields of clicks, which such visits don't have")
        }
        readTime(&reading, now: now)
        guard reading.problems.isEmpty else { throw Problem(invalid: reading.problems) }
    }

    private mutating func readLinks(_ reading: inout ClicksReading) {
        func values(_ name: String) -> [String] {
            let values = reading.query.all(name)
            if values.count > Self.valueLimit {
                reading.reject(name, "must be given at most \(Self.valueLimit) times")
                return []
            }
            return values
        }
        let ids = values("app")
        if !ids.isEmpty {
            applications = ids.compactMap { ApplicationID($0) }
            if applications?.count != ids.count { reading.reject("app", ApplicationID.rule) }
        }
        let names = values("domain")
        if !names.isEmpty {
            let hosts = names.compactMap { HostName($0) ?? HostName(hostHeader: $0) }
            domains = Set(hosts)
            if hosts.count != names.count { reading.reject("domain", "must be a host name") }
        }
        tags = values("tag")
        for text in values("link") {
            let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2, !parts[0].isEmpty, let slug = Slug(String(parts[1])) {
                links.append((String(parts[0]), slug))
            } else {
                reading.reject("link", "must be a domain and a slug, as in go.example.com/sale")
            }
        }
    }

    private mutating func readFields(_ reading: inout ClicksReading) {
        for field in ClickField.allCases {
            let texts = field == .campaign ? reading.query.all(field.name) : reading.one(field.name).map { [$0] } ?? []
            if texts.count > Self.valueLimit {
                reading.reject(field.name, "must be given at most \(Self.valueLimit) times")
                continue
            }
            var values: Set<String?> = []
            for text in texts {
                if text == ClicksReading.none {
                    values.insert(nil)
                } else if let value = field.value(text) {
                    values.insert(value)
                } else {
                    reading.reject(field.name, field.rule)
                }
            }
            if !texts.isEmpty { filter[field] = values }
        }
    }

    private mutating func readTime(_ reading: inout ClicksReading, now: Timestamp) {
        let days = days
        let start = reading.time("from") { days.start(ofDay: $0) }
        let end = reading.time("to") { days.start(ofDay: $0 + 1) }
        guard reading.query.all("from").isEmpty == (start == nil), reading.query.all("to").isEmpty == (end == nil)
        else {
            return
        }
        var to = end ?? max(now.seconds, start.map { $0 + 1 } ?? now.seconds)
        // The rest of today has no clicks.
        if end == nil, interval == .total { to = days.start(ofDay: days.day(ofSecond: to - 1) + 1) }
        let from = start ?? days.start(ofDay: days.day(ofSecond: to - 1) - Self.usualDays + 1)
        guard from < to else { return reading.reject("from", "must be before to") }
        let limit = interval.dayLimit
        // A day may have 25 hours.
        guard to - from <= limit * Timestamp.secondsOfDay + 7_200 else {
            return reading.reject(
                "from", "must be at most \(limit) days before to where interval is \(interval.rawValue)")
        }
        boundaries = Self.boundaries(from, to, interval, days)
    }

    /// Rounds outwards to whole intervals, a total's to whole quarters of an hour.
    static func boundaries(
        _ from: Int64, _ to: Int64, _ interval: ClickReportQuery.Interval, _ days: ClickDays
    ) -> [Int64] {
        func rounded(_ step: Int64) -> (Int64, Int64) {
            (ClickDays.floor(from, step) * step, -ClickDays.floor(-to, step) * step)
        }
        switch interval {
        case .total:
            let (start, end) = rounded(900)
            return [start, end]
        case .hour:
            // Counted from each day's start, because offsets and changes of clocks may hold a part of an hour: the last
            // hour of such a day ends with the day.
            var boundaries: [Int64] = []
            var end = from
            for day in days.day(ofSecond: from)...days.day(ofSecond: to - 1) {
                let tomorrow = days.start(ofDay: day + 1)
                for hour in stride(from: days.start(ofDay: day), to: tomorrow, by: 3_600) where hour < to {
                    let next = min(hour + 3_600, tomorrow)
                    guard next > from else { continue }
                    boundaries.append(hour)
                    end = next
                }
            }
            return boundaries + [end]
        case .day:
            let first = days.day(ofSecond: from)
            let last = days.day(ofSecond: to - 1)
            return (first...last + 1).map { days.start(ofDay: $0) }
        }
    }

    /// The period to compare with: at the same times of day, as many days earlier as the period has, begun days included, or on the
    /// same dates a year before. If the period is not over, it ends where the period has got to by now, so that like is compared
    /// with like.
    func compared(_ comparison: Comparison, now: Timestamp) -> [Int64] {
        guard let first = boundaries.first, let last = boundaries.last else { return [] }
        let from = days.clockTime(ofSecond: first)
        let to = days.clockTime(ofSecond: last, isEnd: true)
        let known = (ClickDays.floor(now.seconds, ClickDays.quarter) + 1) * ClickDays.quarter
        let until = first < known && known < last ? days.clockTime(ofSecond: known, isEnd: true) : to
        let length = max(1, to.day - from.day + (to.second > from.second ? 1 : 0))
        func earlier(_ time: ClickDays.ClockTime) -> Int64 {
            let day = comparison == .year ? ClickDays.yearBefore(time.day) : time.day - length
            return days.second(of: ClickDays.ClockTime(day: day, second: time.second))
        }
        let start = earlier(from)
        return [start, max(start + ClickDays.quarter, earlier(until))]
    }
}
