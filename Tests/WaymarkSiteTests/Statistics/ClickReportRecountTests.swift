import Foundation
import Testing
import WaymarkJSON
import WaymarkLinks
import WaymarkSQLite
import WaymarkService
import WaymarkStores

/// Reports around every change of clocks of 40 zones in three years, against a recount that asks Foundation for the local time of
/// each click. It is 2026-11-21T10:00:00Z.
@Suite struct ClickReportRecountTests {
    static let zones = [
        "UTC", "Europe/Berlin", "Europe/London", "Europe/Lisbon", "Europe/Helsinki", "Europe/Istanbul", "Europe/Moscow",
        "Europe/Chisinau", "Atlantic/Azores", "America/New_York", "America/Los_Angeles", "America/St_Johns",
        "America/Havana", "America/Santiago", "America/Asuncion", "America/Sao_Paulo", "America/Nuuk",
        "America/Phoenix",
        "America/Port-au-Prince", "Africa/Cairo", "Africa/Casablanca", "Africa/Johannesburg", "Asia/Beirut",
        "Asia/Gaza",
        "Asia/Jerusalem", "Asia/Tehran", "Asia/Kolkata", "Asia/Kathmandu", "Asia/Shanghai", "Asia/Almaty", "Asia/Amman",
        "Australia/Sydney", "Australia/Adelaide", "Australia/Lord_Howe", "Australia/Eucla", "Pacific/Auckland",
        "Pacific/Chatham", "Pacific/Kiritimati", "Pacific/Norfolk", "EST5EDT",
    ]
    private static let now: Int64 = 1_795_255_200
    private static let day: Int64 = 86_400
    private static let years = now - 1_096 * day..<now

    /// Local time as Foundation has it, and days in it.
    private struct Clock {
        let name: String
        let zone: TimeZone

        init(_ name: String) throws {
            self.name = name
            zone = try #require(TimeZone(identifier: name))
        }

        /// Seconds since 1970-01-01T00:00:00 local time.
        func local(_ second: Int64) -> Int64 {
            second + Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second))))
        }

        func day(_ second: Int64) -> Int64 { Int64((Double(local(second)) / 86_400).rounded(.down)) }

        /// The first second of which this holds, between two of which it does not and does.
        static func first(_ range: Range<Int64>, where isReached: (Int64) -> Bool) -> Int64 {
            var (low, high) = (range.lowerBound, range.upperBound)
            while high - low > 1 {
                let middle = (low + high) / 2
                if isReached(middle) { high = middle } else { low = middle }
            }
            return high
        }

        /// The first second of a day.
        func start(_ day: Int64) -> Int64 {
            Self.first((day - 2) * 86_400..<(day + 2) * 86_400) { self.day($0) >= day }
        }

        var changes: [Int64] {
            stride(from: years.lowerBound, to: years.upperBound, by: 6 * 3_600).compactMap { second in
                let before = local(second) - second
                guard local(second + 6 * 3_600) - second - 6 * 3_600 != before else { return nil }
                return Self.first(second..<second + 6 * 3_600) { local($0) - $0 != before }
            }
        }
    }

    private struct Count: Equatable {
        var people = 0
        var bots = 0

        init() {}

        init(_ value: JSONValue?) {
            people = value?["people"]?.integer ?? -1
            bots = value?["bots"]?.integer ?? -1
        }
    }

    private struct Clicks {
        /// In the order of time; every ninth is a program's.
        let seconds: [Int64]

        /// At the moments and around them, and some at any time.
        init(near moments: [Int64], seed: UInt64) {
            var random = seed
            func next(_ limit: Int64) -> Int64 {
                random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Int64(random >> 33) % limit
            }
            let start = years.lowerBound - 400 * 86_400
            var seconds = (0..<300).map { _ in start + next(now - start) }
            for moment in moments {
                seconds += [-3_600, -901, -1, 0, 1_799, 1_800, 3_600].map { moment + $0 }
                seconds += (0..<20).map { _ in moment + next(60 * 86_400) - 30 * 86_400 }
            }
            self.seconds = seconds.filter { $0 < now }.sorted()
        }

        func count(from: Int64, to: Int64, where fits: (Int64) -> Bool = { _ in true }) -> Count {
            var (low, high) = (0, seconds.count)
            while low < high {
                let middle = (low + high) / 2
                if seconds[middle] < from { low = middle + 1 } else { high = middle }
            }
            var count = Count()
            while low < seconds.count, seconds[low] < to {
                if fits(seconds[low]) {
                    if low % 9 == 0 { count.bots += 1 } else { count.people += 1 }
                }
                low += 1
            }
            return count
        }

        /// Those of local days, of the last one up to a local second of the day.
        func count(_ days: ClosedRange<Int64>, until end: Int64 = 86_400, _ clock: Clock) -> Count {
            count(from: (days.lowerBound - 2) * 86_400, to: (days.upperBound + 3) * 86_400) { second in
                let day = clock.day(second)
                return days.contains(day) && (day < days.upperBound || clock.local(second) - day * 86_400 < end)
            }
        }
    }

    private static func date(_ day: Int64) -> String {
        String(Timestamp(seconds: day * 86_400).rfc3339.prefix(10))
    }

    /// 28 February for the 29th.
    private static func yearBefore(_ day: Int64) throws -> Int64 {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let date = Date(timeIntervalSince1970: Double(day) * 86_400)
        return Int64(try #require(calendar.date(byAdding: .year, value: -1, to: date)).timeIntervalSince1970) / 86_400
    }

    private static func write(_ clicks: Clicks, to store: SQLiteLinkStore) async throws {
        let (host, slug) = (try #require(HostName("go.example.com")), try #require(Slug("s")))
        let found = try await store.link(host, slug)
        let link = try #require(found)
        let (person, bot) = (UserAgent.classify(Agent.windows), UserAgent.classify("Googlebot/2.1"))
        let all = clicks.seconds.enumerated().map { index, second in
            Click(
                link: link.id, time: Timestamp(seconds: second), kind: index % 9 == 0 ? bot : person, destination: .web)
        }
        try await store.append(ClickBatch(all).blocks(salts: [:]) { .random(in: 0...(.max)) }.map(\.block))
    }

    @Test(arguments: zones)
    func `reports equal a recount around changes of clocks`(zone: String) async throws {
        let clock = try Clock(zone)
        let changes = clock.changes
        // Zones without changes are checked at the turn of a year.
        let moments = changes.isEmpty ? [clock.start(20_454)] : changes
        let near = moments.flatMap { [$0, clock.start(clock.day($0)), clock.start(clock.day($0) + 1)] }
        let clicks = Clicks(near: near, seed: UInt64(Self.zones.firstIndex(of: zone) ?? 0) + 47)
        let store = try SQLiteLinkStore(path: ":memory:")
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.shop], store: store) { fixture in
            _ = try await fixture.create(#"{"app": "shop", "slug": "s", "urls": {"web": "https://shop.example.com/"}}"#)
            try await Self.write(clicks, to: store)
            for (number, moment) in moments.enumerated() {
                let day = clock.day(moment)
                try await Self.checkHours(day - 1...day, clicks, clock, fixture)
                let lengths: [Int64] = [1, 28, 7, 2]
                let length = lengths[number % 4]
                // The change is in the period, or in the one before.
                for first in [day, day + 1, day - length + 1] where (first + length + 1) * Self.day < Self.now {
                    for comparison in ["previous", "year"] {
                        try await Self.checkDays(first...first + length - 1, comparison, clicks, clock, fixture)
                    }
                }
            }
            let today = clock.day(Self.now)
            for length in [1, 28] as [Int64] {
                for comparison in ["previous", "year"] {
                    try await Self.checkDays(today - length + 1...today, comparison, clicks, clock, fixture)
                }
            }
        }
    }

    @Test func `many changes of clocks are checked`() throws {
        #expect(Set(Self.zones).count == 40)
        let counts = try Self.zones.map { try Clock($0).changes.count }
        #expect(counts.reduce(0, +) > 150)
    }

    private static func report(
        _ days: ClosedRange<Int64>, _ query: String, _ clock: Clock, _ fixture: SiteFixture
    ) async throws -> JSONValue {
        let target =
            "/api/v1/clicks?from=\(date(days.lowerBound))&to=\(date(days.upperBound))&timeZone=\(clock.name)" + query
        let answer = try await fixture.call("GET", target)
        try #require(answer.status == 200, "\(target): \(answer.text)")
        return answer.json
    }

    private static func checkDays(
        _ days: ClosedRange<Int64>, _ comparison: String, _ clicks: Clicks, _ clock: Clock, _ fixture: SiteFixture
    ) async throws {
        let answer = try await report(days, "&compare=\(comparison)", clock, fixture)
        let place: Comment = "\(clock.name) \(date(days.lowerBound)) to \(date(days.upperBound)), \(comparison)"
        #expect(Count(answer["total"]) == clicks.count(days, clock), place)
        #expect(answer["series"]?.array?.map { Count($0) } == days.map { clicks.count($0...$0, clock) }, place)
        let length = days.upperBound - days.lowerBound + 1
        let first = comparison == "year" ? try yearBefore(days.lowerBound) : days.lowerBound - length
        let last = comparison == "year" ? try yearBefore(days.upperBound) : days.upperBound - length
        // Up to the same time of day if the period ends today, to the end of the running quarter of an hour.
        let end = days.contains(clock.day(now)) ? clock.local(now) - clock.day(now) * day + 900 : day
        #expect(Count(answer["compared"]?["total"]) == clicks.count(first...last, until: end, clock), place)
    }

    private static func checkHours(
        _ days: ClosedRange<Int64>, _ clicks: Clicks, _ clock: Clock, _ fixture: SiteFixture
    ) async throws {
        let answer = try await report(days, "&interval=hour", clock, fixture)
        let counted = days.flatMap { day in
            let end = clock.start(day + 1)
            return stride(from: clock.start(day), to: end, by: 3_600).map {
                clicks.count(from: $0, to: min($0 + 3_600, end))
            }
        }
        #expect(answer["series"]?.array?.map { Count($0) } == counted, "\(clock.name) \(date(days.lowerBound))")
    }
}
