import Testing
import WaymarkBytes
import WaymarkLinks
import WaymarkStores

@testable import WaymarkService

@Suite struct ClickSeriesTests {
    private static let link = LinkID(rawValue: 7)
    /// 2026-11-21.
    private static let day = 20_778
    private static let iphone = UserAgent.classify(
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 "
            + "Mobile/15E148 Safari/604.1")
    private static let windows = UserAgent.classify(
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36"
    )
    private static let crawler = UserAgent.classify("facebookexternalhit/1.1")
    private static let salt = SipHash(key: [UInt8](0..<16))

    private static func time(_ day: Int, _ hour: Int = 0, _ minute: Int = 0, _ second: Int = 0) -> Timestamp {
        Timestamp(seconds: Int64(day) * 86_400 + Int64(hour * 3_600 + minute * 60 + second))
    }

    private static func click(
        _ time: Timestamp, _ kind: VisitorClass = iphone, visitor: UInt64 = 1, isProfiled: Bool = true,
        referrerHost: String? = nil, destination: Click.Destination = .web
    ) -> Click {
        Click(
            link: link, time: time, kind: kind, destination: destination, isProfiled: isProfiled,
            referrerHost: referrerHost.map { Click.Name($0) }, subscriber: visitor)
    }

    /// In blocks of one day each, as a server would write them.
    private static func blocks(_ clicks: [Click], salt: SipHash? = salt) -> [ClickBlock] {
        let days = Set(clicks.map(\.time.day))
        let salts = salt.map { salt in Dictionary(uniqueKeysWithValues: days.map { ($0, salt) }) } ?? [:]
        var last: Int64 = -1
        return ClickBatch(clicks).blocks(salts: salts) {
            last += 1
            return last
        }.map(\.block)
    }

    private static func selection(
        _ from: Timestamp, _ to: Timestamp, _ interval: ClickSelection.Interval = .day, by field: ClickField? = nil,
        filter: [ClickField: String?] = [:]
    ) throws -> ClickSelection {
        try #require(ClickSelection(from: from, to: to, interval: interval, field: field, filter: filter))
    }

    private static func answer(
        _ blocks: [ClickBlock], _ selection: ClickSelection
    ) throws -> ClickSeries.Answer {
        var series = ClickSeries(selection)
        for block in blocks { try series.add(block) }
        return series.finished()
    }

    // MARK: Time

    static let spans: [(from: Timestamp, to: Timestamp, interval: ClickSelection.Interval, seconds: Range<Int64>?)] = [
        (time(1), time(2), .day, 86_400..<172_800),
        (time(1, 5), time(1, 6), .day, 86_400..<172_800),
        (time(1, 5, 59, 59), time(2, 0, 0, 1), .day, 86_400..<259_200),
        (time(0, 5, 30), time(0, 6, 0, 0), .hour, 18_000..<21_600),
        (time(0, 5), Timestamp(rawValue: 6 * 3_600_000 + 1), .hour, 18_000..<25_200),
        (time(-1, 1), time(0), .day, -86_400..<0),
        (time(0), time(400), .day, 0..<34_560_000),
        (time(0), time(400, 0, 0, 1), .day, nil),
        (time(0), time(31), .hour, 0..<2_678_400),
        (time(0), time(31, 0, 0, 1), .hour, nil),
        (time(1), time(1), .day, nil), (time(2), time(1), .day, nil),
        (Timestamp(rawValue: .min), Timestamp(rawValue: .max), .day, nil),
    ]

    @Test(arguments: spans)
    func countsWholeIntervals(
        span: (from: Timestamp, to: Timestamp, interval: ClickSelection.Interval, seconds: Range<Int64>?)
    ) throws {
        let selection = ClickSelection(from: span.from, to: span.to, interval: span.interval)
        #expect(selection?.seconds == span.seconds)
        guard let selection else { return }
        #expect(selection.start(0).seconds == selection.seconds.lowerBound)
        #expect(selection.start(selection.count).seconds == selection.seconds.upperBound)
    }

    // MARK: Counting

    @Test func countsPeopleProgramsAndVisitorsOfEachDay() throws {
        let clicks = [
            Self.click(Self.time(Self.day, 8)), Self.click(Self.time(Self.day, 9)),
            Self.click(Self.time(Self.day, 9), visitor: 2), Self.click(Self.time(Self.day, 10), Self.crawler),
            Self.click(Self.time(Self.day + 2, 0)), Self.click(Self.time(Self.day + 2, 23, 59, 59), visitor: 3),
            // The day before, and the day after.
            Self.click(Self.time(Self.day - 1, 23, 59, 59)), Self.click(Self.time(Self.day + 3)),
        ]
        let answer = try Self.answer(
            Self.blocks(clicks), Self.selection(Self.time(Self.day), Self.time(Self.day + 3)))
        #expect(answer.points.map(\.start) == (0..<3).map { Self.time(Self.day + $0) })
        #expect(answer.points.map(\.count.people) == [3, 0, 2])
        #expect(answer.points.map(\.count.bots) == [1, 0, 0])
        #expect(answer.points.map(\.visitors) == [2, 0, 2])
        #expect(answer.count == ClickCount(people: 5, bots: 1))
        #expect(answer.visitors == 4)
    }

    @Test func countsHoursAndTheVisitorsOfEachDayOnce() throws {
        let clicks = [
            Self.click(Self.time(Self.day, 8)), Self.click(Self.time(Self.day, 8, 59, 59), visitor: 2),
            Self.click(Self.time(Self.day, 9)), Self.click(Self.time(Self.day + 1, 9)),
        ]
        let answer = try Self.answer(
            Self.blocks(clicks), Self.selection(Self.time(Self.day, 8), Self.time(Self.day + 1, 10), .hour))
        #expect(answer.points.count == 26)
        #expect(
            answer.points.filter { $0.count.people > 0 }.map(\.start.seconds)
                == [8, 9, 33].map {
                    Self.time(Self.day).seconds + $0 * 3_600
                })
        #expect(answer.points.filter { $0.count.people > 0 }.map(\.visitors) == [2, 1, 1])
        #expect(answer.visitors == 3)
    }

    @Test func putsTheBlocksOfSeveralServersTogether() throws {
        let one = Self.blocks([Self.click(Self.time(Self.day, 9)), Self.click(Self.time(Self.day, 7))])
        let other = Self.blocks([
            Self.click(Self.time(Self.day, 8)), Self.click(Self.time(Self.day, 9), Self.windows, visitor: 9),
        ])
        let answer = try Self.answer(
            one + other, Self.selection(Self.time(Self.day), Self.time(Self.day + 1), by: .platform))
        #expect(answer.points[0].count == ClickCount(people: 4))
        #expect(answer.points[0].visitors == 2)
        #expect(answer.points[0].values.map(\.value) == ["iphone", "windows"])
        #expect(answer.points[0].values.map(\.count.people) == [3, 1])
    }

    @Test func saysWhereVisitorsAreNotToldApart() throws {
        let unsalted = Self.blocks([Self.click(Self.time(Self.day, 8))], salt: nil)
        let days = try Self.selection(Self.time(Self.day), Self.time(Self.day + 2))
        let answer = try Self.answer(unsalted, days)
        #expect(answer.points.map(\.visitors) == [nil, 0])
        #expect(answer.visitors == nil)
        let later = try Self.answer(unsalted + Self.blocks([Self.click(Self.time(Self.day + 1, 8))]), days)
        #expect(later.points.map(\.visitors) == [nil, 1])
        #expect(later.visitors == nil)
        // Of those who ask not to be followed none is ever known.
        let followed = try Self.answer(
            Self.blocks([Self.click(Self.time(Self.day, 8), isProfiled: false), Self.click(Self.time(Self.day + 1, 8))]
            ),
            days)
        #expect(followed.points.map(\.visitors) == [nil, 1])
        #expect(followed.visitors == 1)
        #expect(try Self.answer([], days).visitors == 0)
    }

    @Test func countsThoseWhoAskNotToBeFollowedAndKnowsNothingElseOfThem() throws {
        let clicks = [
            Self.click(Self.time(Self.day, 8, 59), isProfiled: false), Self.click(Self.time(Self.day, 8, 30)),
        ]
        let span = (Self.time(Self.day, 8, 40), Self.time(Self.day, 9))
        let answer = try Self.answer(Self.blocks(clicks), Self.selection(span.0, span.1, .hour, by: .platform))
        #expect(answer.points.count == 1)
        #expect(answer.points[0].count.people == 2)
        #expect(answer.points[0].visitors == 1)
        #expect(answer.points[0].values.map(\.value) == [nil, "iphone"])
    }

    // MARK: Fields

    @Test(
        arguments: [
            ([.platform: "iphone"], 2, 0), ([.platform: "windows"], 1, 0), ([.platform: "android"], 0, 0),
            ([.referrerHost: "news.example"], 2, 0), ([.referrerHost: nil], 1, 1),
            ([.referrerHost: "news.example", .platform: "windows"], 1, 0), ([.bot: nil], 3, 0),
            ([.bot: "preview"], 0, 1),
            ([.destination: "preview"], 0, 1), ([:], 3, 1),
        ] as [([ClickField: String?], Int, Int)])
    func countsWhatFits(filter: [ClickField: String?], people: Int, bots: Int) throws {
        let clicks = [
            Self.click(Self.time(Self.day, 8), referrerHost: "news.example"), Self.click(Self.time(Self.day, 8)),
            Self.click(Self.time(Self.day, 9), Self.windows, referrerHost: "news.example"),
            Self.click(Self.time(Self.day, 9), Self.crawler, destination: .preview),
        ]
        let answer = try Self.answer(
            Self.blocks(clicks), Self.selection(Self.time(Self.day), Self.time(Self.day + 1), filter: filter))
        #expect(answer.count == ClickCount(people: people, bots: bots))
        #expect((answer.visitors ?? 0) <= people)
    }

    @Test func sumsUpWhatComesBehindTheHundredMostFrequentValues() throws {
        var clicks: [Click] = []
        for number in 0..<130 {
            for _ in 0..<(number < 120 ? 2 : 3) {
                clicks.append(Self.click(Self.time(Self.day, 8), referrerHost: "\(1_000 + number).example"))
            }
        }
        clicks.append(Self.click(Self.time(Self.day, 8), Self.crawler, referrerHost: "1129.example"))
        let answer = try Self.answer(
            Self.blocks(clicks), Self.selection(Self.time(Self.day), Self.time(Self.day + 1), by: .referrerHost))
        let point = answer.points[0]
        #expect(point.values.count == 100)
        #expect(point.values[0].value == "1129.example")
        #expect(point.values[0].count == ClickCount(people: 3, bots: 1))
        #expect(point.values[1...9].map(\.value) == (1_120..<1_129).map { "\($0).example" })
        #expect(point.values[10].value == "1000.example")
        #expect(point.rest == ClickCount(people: 60))
        let sum = point.values.reduce(into: point.rest ?? ClickCount()) { $0 += $1.count }
        #expect(sum == point.count)
    }

    @Test func keepsWhatIsClickedOftenHoweverManyOtherValuesThereAre() throws {
        var series = try ClickSeries(Self.selection(Self.time(Self.day), Self.time(Self.day + 1), by: .referrerHost))
        for number in 0..<16_000 {
            var batch = ClickBatch()
            batch.add(Self.click(Self.time(Self.day, 8), referrerHost: "\(number).flood.example"))
            if number % 50 == 0 { batch.add(Self.click(Self.time(Self.day, 8), referrerHost: "news.example")) }
            try series.add(batch.blocks(salts: [:]) { Int64(number) }[0].block)
        }
        let point = series.finished().points[0]
        #expect(point.values.first == ClickSeries.Value(value: "news.example", count: ClickCount(people: 320)))
        #expect(point.values.count == 100)
        #expect(point.values.reduce(into: point.rest ?? ClickCount()) { $0 += $1.count } == point.count)
        #expect(point.count == ClickCount(people: 16_320))
    }

    @Test func refusesWhatIsDamaged() throws {
        var series = try ClickSeries(Self.selection(Self.time(Self.day), Self.time(Self.day + 1)))
        let key = ClickBlock.Key(link: Self.link, day: Self.day, number: 1)
        #expect(throws: StoreError.self) { try series.add(ClickBlock(key: key, bytes: [1, 2, 3])) }
        #expect(series.examined == 0)
    }

    // MARK: Visitors

    @Test(arguments: [0, 1, 1_000, DistinctVisitors.capacity])
    func countsAsManyVisitorsAsItHasRoomForExactly(count: Int) {
        var visitors = DistinctVisitors()
        for _ in 0..<3 {
            for number in 0..<count { visitors.add(Self.hash(UInt64(number))) }
        }
        let found = visitors.count()
        #expect(found == (count == 0 ? nil : count))
    }

    @Test(arguments: [70_000, 300_000])
    func countsMoreVisitorsWithinOneInAHundred(count: Int) throws {
        var visitors = DistinctVisitors()
        for number in 0..<count { visitors.add(Self.hash(UInt64(number))) }
        for number in 0..<min(count, 50_000) { visitors.add(Self.hash(UInt64(number))) }
        let counted = visitors.count()
        let found = try #require(counted)
        #expect(abs(found - count) <= count / 100, "\(found) of \(count)")
    }

    /// 40 bits, no two alike for the first million by chance.
    private static func hash(_ number: UInt64) -> UInt64 {
        SipHash(key: [UInt8](0..<16)).map { $0.hash(number, 0) & 0xFF_FFFF_FFFF } ?? 0
    }
}
