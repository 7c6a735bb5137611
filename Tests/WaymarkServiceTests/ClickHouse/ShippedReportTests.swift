import Logging
import Synchronization
import Testing
import WaymarkClient
import WaymarkLinks
import WaymarkStores
import WaymarkTestSupport

@testable import WaymarkService

/// Reports read from ClickHouse; a stand-in server gives its responses.
@Suite(.timeLimit(.minutes(5))) struct ShippedReportTests {
    /// A database with two people and a program on each of some days, and what ClickHouse would answer of them.
    struct Fixture {
        let shipping: ShippingFixture
        let service: LinkService
        let link: Link
        let days: [Int]
        var query: ClickReportQuery

        init(daysAgo: [Int], retention: Int = 400, url: String? = nil) async throws {
            var configuration = ServiceConfiguration()
            configuration.clickRetentionDays = retention
            shipping = try await ShippingFixture()
            let settings = ClickHouseClient.Settings(
                url: url ?? shipping.clickHouse.url, database: "clicks", user: "waymark",
                password: FakeClickHouse.password, retentionDays: 100)
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            service = shipping.service.neighbour(
                configuration, clickHouse: ClickHouseReader(ClickHouseClient(settings, HTTPClient()), logger: logger))
            try await service.load()
            link = try await shipping.service.create("sale")
            days = daysAgo.map { [today = shipping.today] in today - $0 }
            for day in days { try await shipping.append(link, days: day) }
            let start = Int64(days.min() ?? 0) * Timestamp.secondsOfDay
            let end = Int64(shipping.today + 1) * Timestamp.secondsOfDay
            query = ClickReportQuery(
                boundaries: Array(stride(from: start, through: end, by: Int(Timestamp.secondsOfDay))),
                interval: .day, applications: [try #require(ApplicationID("shop"))],
                filter: [.destination: ["app", "preview"], .campaign: [nil]], by: [.platform],
                top: [.countries, .links])
        }

        /// What ClickHouse answers of the days.
        func answers(_ known: [Int]) -> @Sendable (String) -> (Int, String)? {
            let (link, first) = (link.id.rawValue, days.min() ?? 0)
            return { statement in
                func rows(_ line: (Int) -> String) -> (Int, String) {
                    (200, known.sorted().map { line($0) + "\n" }.joined())
                }
                if statement.contains("waymark_schema") { return nil }
                let isOfVisitors =
                    statement.hasPrefix("SELECT d, part, rank") || statement.contains("uniqExact(visitor)")
                if isOfVisitors { return (200, "") }
                if statement.contains("LIMIT 101 BY part") {
                    return rows { "\($0 - first)\tiphone\t2\t0\n\($0 - first)\tweb\t0\t1" }
                }
                if statement.contains("AS part, countIf") { return rows { "\($0)\t\($0 - first)\t2\t1\t2\t0\t2\t1" } }
                if statement.hasPrefix("SELECT toUInt32(day) AS d, countIf") { return rows { "\($0)\t2\t1\t0" } }
                if statement.hasPrefix("SELECT if(link > 0, link") {
                    return (200, "\(link)\t\(2 * known.count)\t\(known.count)\n")
                }
                if statement.hasPrefix("SELECT country AS value") {
                    return (200, "\t\(2 * known.count)\t\(known.count)\n")
                }
                return (500, "Code: 62. DB::Exception: what?")
            }
        }

        func records() async throws -> ClickReport { try #require(try await service.reportFromRecords(query)) }

        func report() async throws -> ClickReport { try #require(try await service.report(query)) }
    }

    @Test func `a report is read from ClickHouse`() async throws {
        let fixture = try await Fixture(daysAgo: [3, 2, 1])
        fixture.shipping.clickHouse.answer(fixture.answers(fixture.days))
        #expect(try await fixture.report() == fixture.records())
        let asked = fixture.shipping.clickHouse.statements.filter { $0.contains("`clicks`.clicks") }
        #expect(asked.count == 6)
        #expect(asked.allSatisfy { $0.contains("app IN ('shop')") })
        let metrics = try #require(fixture.service.dependencies.clickHouse?.metrics)
        #expect(metrics.queries.load(ordering: .relaxed) == 7)
        #expect(metrics.failures.load(ordering: .relaxed) == 0)
        let head = try #require(fixture.shipping.clickHouse.heads.last)
        for limit in ["max_execution_time=", "max_memory_usage=", "max_result_rows=", "max_result_bytes="] {
            #expect(head.contains(limit))
        }
    }

    @Test func `days that ClickHouse lacks come from records`() async throws {
        let fixture = try await Fixture(daysAgo: [3, 2, 1, 0])
        fixture.shipping.clickHouse.answer(fixture.answers([fixture.days[0], fixture.days[1]]))
        let report = try await fixture.report()
        #expect(try await report == fixture.records())
        #expect(report.isComplete)
        #expect(report.count == ClickCount(people: 8, bots: 4))
    }

    @Test func `ClickHouse has days that are no longer recorded`() async throws {
        let fixture = try await Fixture(daysAgo: [20, 1], retention: 7)
        fixture.shipping.clickHouse.answer(fixture.answers(fixture.days))
        let records = try await fixture.records()
        #expect(!records.isComplete)
        let report = try await fixture.report()
        #expect(report.isComplete)
        #expect(report.points == records.points)
    }

    @Test func `missing clicks without records are told`() async throws {
        let fixture = try await Fixture(daysAgo: [20, 1], retention: 7)
        fixture.shipping.clickHouse.answer(fixture.answers([fixture.days[1]]))
        let report = try await fixture.report()
        #expect(!report.isComplete)
        #expect(report.count == ClickCount(people: 2, bots: 1))
    }

    @Test(arguments: [
        (500, "Code: 241. DB::Exception: Memory limit exceeded"), (403, ""), (200, "<html>Back soon</html>"),
        (200, "1\n"),
        (200, "1\t2\t3\t4\t5\t6\n"), (200, "99999999999999999999\t1\t1\t0\n"), (200, "-1\t-1\t-1\t-1\n"),
        (200, "1\t1\t1\t1"), (404, "Code: 60. DB::Exception: Table clicks.clicks does not exist."),
    ])
    func `records answer where ClickHouse can't`(status: Int, text: String) async throws {
        let fixture = try await Fixture(daysAgo: [2, 0])
        fixture.shipping.clickHouse.answer { $0.contains("waymark_schema") ? nil : (status, text) }
        #expect(try await fixture.report() == fixture.records())
        let metrics = try #require(fixture.service.dependencies.clickHouse?.metrics)
        #expect(metrics.queries.load(ordering: .relaxed) > 0)
        #expect(metrics.failures.load(ordering: .relaxed) == 1)
    }

    @Test(arguments: ["0\tiphone\t9\t0\n", "0\tiphone\t1\t0\n", "9\tiphone\t1\t0\n", ""])
    func `values of other clicks lead to records`(text: String) async throws {
        let fixture = try await Fixture(daysAgo: [2, 1])
        let answers = fixture.answers(fixture.days)
        fixture.shipping.clickHouse.answer { statement in
            statement.contains(" BY part FORMAT") ? (200, text) : answers(statement)
        }
        #expect(try await fixture.report() == fixture.records())
    }

    @Test func `link totals beat an incomplete report`() async throws {
        var fixture = try await Fixture(daysAgo: [20, 1], retention: 7)
        fixture.query.filter = [:]
        fixture.query.by = []
        fixture.query.top = []
        fixture.query.links = [fixture.link.id]
        fixture.shipping.clickHouse.answer(fixture.answers([fixture.days[1]]))
        #expect(try await fixture.report().count == ClickCount(people: 4, bots: 2))
    }

    @Test func `link totals beat a query that saw fewer clicks`() async throws {
        var fixture = try await Fixture(daysAgo: [2, 1])
        fixture.query.filter = [:]
        fixture.query.by = []
        fixture.query.top = []
        fixture.query.links = [fixture.link.id]
        let (answers, fewer) = (fixture.answers(fixture.days), fixture.answers([fixture.days[1]]))
        fixture.shipping.clickHouse.answer { $0.contains("AS part, countIf") ? fewer($0) : answers($0) }
        #expect(try await fixture.report().count == ClickCount(people: 4, bots: 2))
        let metrics = try #require(fixture.service.dependencies.clickHouse?.metrics)
        #expect(metrics.failures.load(ordering: .relaxed) == 1)
    }

    @Test func `today is read from records`() async throws {
        let fixture = try await Fixture(daysAgo: [1, 0])
        let (all, others) = (fixture.answers(fixture.days), fixture.answers([fixture.days[0]]))
        fixture.shipping.clickHouse.answer { statement in
            statement.hasPrefix("SELECT toUInt32(day) AS d, countIf") ? all(statement) : others(statement)
        }
        let report = try await fixture.report()
        #expect(try await report == fixture.records())
        #expect(report.isComplete)
        let asked = fixture.shipping.clickHouse.statements.filter { $0.contains("LIMIT 101 BY part") }
        #expect(asked.count == 1)
    }

    @Test func `an interval with records gets a longer list`() async throws {
        var fixture = try await Fixture(daysAgo: [1, 0])
        fixture.query.boundaries = [fixture.query.seconds.lowerBound, fixture.query.seconds.upperBound]
        let (all, others) = (fixture.answers(fixture.days), fixture.answers([fixture.days[0]]))
        fixture.shipping.clickHouse.answer { statement in
            if statement.contains("LIMIT 10001 BY part") { return (200, "0\tiphone\t2\t0\n0\tweb\t0\t1\n") }
            return statement.hasPrefix("SELECT toUInt32(day) AS d, countIf") ? all(statement) : others(statement)
        }
        let report = try await fixture.report()
        #expect(report.count == ClickCount(people: 4, bots: 2))
        #expect(report.isComplete)
        #expect(fixture.shipping.clickHouse.statements.contains { $0.contains("LIMIT 10001 BY part") })
    }

    @Test func `a request without time has an incomplete report`() async throws {
        let fixture = try await Fixture(daysAgo: [2, 1])
        let before = fixture.shipping.clickHouse.statements.count
        let report = try #require(try await fixture.service.report(fixture.query, until: ContinuousClock.now))
        #expect(!report.isComplete)
        #expect(report.count == ClickCount())
        #expect(fixture.shipping.clickHouse.statements.count == before)
    }

    @Test func `a query that fails keeps no other from ClickHouse`() async throws {
        let breaking = try FakeService { target, _ in
            target.contains("max_execution_time") ? .text("") : .json("1\t\n")
        }
        let fixture = try await Fixture(daysAgo: [2, 1], url: breaking.url)
        for _ in 0..<2 { #expect(try await fixture.report() == fixture.records()) }
        let metrics = try #require(fixture.service.dependencies.clickHouse?.metrics)
        #expect(metrics.queries.load(ordering: .relaxed) == 4)
        #expect(metrics.failures.load(ordering: .relaxed) == 2)
    }

    @Test func `only some reports ask at once`() async throws {
        let fixture = try await Fixture(daysAgo: [1])
        let reader = try #require(fixture.service.dependencies.clickHouse)
        let end = ContinuousClock.now + .seconds(60)
        func depth() async throws -> Int {
            try await reader.report(until: end) { _ in try await depth() + 1 } ?? 0
        }
        for _ in 0..<2 { #expect(try await depth() == ClickHouseReader.reportLimit) }
    }

    @Test(arguments: [2, 4, 6], ["x\ty\n", ""])
    func `a later query that fails leaves no half report`(place: Int, text: String) async throws {
        let fixture = try await Fixture(daysAgo: [2, 1])
        let (answers, asked) = (fixture.answers(fixture.days), Counter())
        fixture.shipping.clickHouse.answer { statement in
            guard !statement.contains("waymark_schema") else { return nil }
            return asked.next() == place ? (200, text) : answers(statement)
        }
        #expect(try await fixture.report() == fixture.records())
    }

    @Test func `records answer while ClickHouse is away`() async throws {
        let fixture = try await Fixture(daysAgo: [2, 0], url: "http://127.0.0.1:1")
        for _ in 0..<2 { #expect(try await fixture.report() == fixture.records()) }
        // The second report does not try.
        let metrics = try #require(fixture.service.dependencies.clickHouse?.metrics)
        #expect(metrics.queries.load(ordering: .relaxed) == 1)
        #expect(metrics.failures.load(ordering: .relaxed) == 1)
    }

    @Test func `records answer while ClickHouse is silent`() async throws {
        let silent = try FakeService { _, _ in .silence }
        let fixture = try await Fixture(daysAgo: [2, 0], url: silent.url)
        #expect(try await fixture.report() == fixture.records())
    }

    @Test func `an answer without end is cut off`() async throws {
        let endless = try FakeService { _, _ in
            .text("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n" + String(repeating: "1\t\n", count: 100_000))
        }
        let fixture = try await Fixture(daysAgo: [2, 0], url: endless.url)
        #expect(try await fixture.report() == fixture.records())
    }

    @Test func `missing clicks of a link are told`() async throws {
        let fixture = try await Fixture(daysAgo: [20, 1], retention: 7)
        fixture.shipping.clickHouse.answer(fixture.answers([fixture.days[1]]))
        let first = Timestamp(seconds: Int64(fixture.days[0]) * Timestamp.secondsOfDay)
        let end = first.advanced(byMilliseconds: 21 * 86_400_000)
        let selection = try #require(ClickSelection(from: first, to: end, interval: .day, field: .platform))
        let found = try #require(try await fixture.service.clicks(of: fixture.link.id, selection))
        #expect(!found.isComplete)
        #expect(found.count == ClickCount(people: 2, bots: 1))
    }

    @Test func `too many clicks of a link are an incomplete answer`() async throws {
        let fixture = try await Fixture(daysAgo: [2, 1], url: "http://127.0.0.1:1")
        let first = Timestamp(seconds: Int64(fixture.days[0]) * Timestamp.secondsOfDay)
        let end = first.advanced(byMilliseconds: 3 * 86_400_000)
        let selection = try #require(ClickSelection(from: first, to: end, interval: .day))
        let found = try #require(try await fixture.service.clicks(of: fixture.link.id, selection, limit: 1))
        #expect(!found.isComplete)
        let all = try #require(try await fixture.service.clicks(of: fixture.link.id, selection))
        #expect(all.isComplete)
    }

    @Test(arguments: [[3, 2, 1], [3]])
    func `the clicks of a link are read from ClickHouse`(known: [Int]) async throws {
        let fixture = try await Fixture(daysAgo: [3, 2, 1])
        fixture.shipping.clickHouse.answer(fixture.answers(known.map { fixture.shipping.today - $0 }))
        let first = Timestamp(seconds: Int64(fixture.days[0]) * Timestamp.secondsOfDay)
        let end = first.advanced(byMilliseconds: 4 * 86_400_000)
        let selection = try #require(ClickSelection(from: first, to: end, interval: .day, field: .platform))
        let found = try await fixture.service.clicks(of: fixture.link.id, selection)
        let recorded = try await fixture.shipping.service.service.clicks(of: fixture.link.id, selection)
        #expect(found == recorded)
        #expect(found?.count == ClickCount(people: 6, bots: 3))
        #expect(fixture.shipping.clickHouse.statements.contains { $0.contains("uniqExact(visitor)") })
    }

    @Test func `reports that totals answer ask nobody`() async throws {
        var fixture = try await Fixture(daysAgo: [2, 0])
        fixture.query.filter = [:]
        fixture.query.top = [.countries]
        let before = fixture.shipping.clickHouse.statements.count
        #expect(try await fixture.report().count == ClickCount(people: 4, bots: 2))
        #expect(fixture.shipping.clickHouse.statements.count == before)
    }

    @Test func `hostile values are literals`() async throws {
        var fixture = try await Fixture(daysAgo: [1])
        fixture.query.filter = [.campaign: ["') OR 1 --", "\\", "a\u{0}", "", nil], .rule: [""]]
        fixture.shipping.clickHouse.answer(fixture.answers(fixture.days))
        _ = try await fixture.report()
        let asked = fixture.shipping.clickHouse.statements.filter { $0.contains("AS part, countIf") }
        #expect(!asked.isEmpty)
        #expect(
            asked.allSatisfy {
                $0.contains("campaign IN ('','\\x27\\x29\\x20OR\\x201\\x20--','\\x5c','a\\x00')")
                    && $0.contains(" AND 0")
            })
    }
}
