import Testing
import WaymarkLinks
import WaymarkStores

@testable import WaymarkService

@Suite struct ReportStatementsTests {
    private static let day = Timestamp.secondsOfDay

    private static func parts(_ boundaries: [Int64]) throws -> String {
        let query = ClickReportQuery(
            boundaries: boundaries, interval: .day, applications: [try #require(ApplicationID("shop"))])
        return ReportStatements(query, ClickHouseTables(database: "clicks")).parts([0...1])
    }

    @Test func `intervals of one length are one term`() throws {
        let statement = try Self.parts([0, 3_600, 7_200, 10_800])
        #expect(statement.contains(" intDiv(toUInt32(time) - (0), 3600) + toInt64(0), toInt64(-1)) AS part"))
    }

    @Test func `a change of clocks makes terms of its own`() throws {
        let statement = try Self.parts([0, 86_400, 172_800, 255_600, 342_000])
        #expect(
            statement.contains(
                "multiIf(toUInt32(time) < 172800, intDiv(toUInt32(time) - (0), 86400) + toInt64(0), "
                    + "toUInt32(time) < 255600, intDiv(toUInt32(time) - (172800), 82800) + toInt64(2), "
                    + "intDiv(toUInt32(time) - (255600), 86400) + toInt64(3)), toInt64(-1)) AS part"))
    }

    @Test(arguments: [
        ([-900, 900], "time >= toDateTime(0) AND time < toDateTime(900)"),
        ([0, 1 << 40], "time >= toDateTime(0) AND time < toDateTime(4294967295)"),
    ])
    func `times are those that ClickHouse can hold`(boundaries: [Int64], condition: String) throws {
        #expect(try Self.parts(boundaries).contains(condition))
    }

    @Test func `parts tell the clicks of whole days, too`() throws {
        let query = ClickReportQuery(
            boundaries: [900, 1_800], interval: .day, applications: [try #require(ApplicationID("shop"))],
            domains: [try #require(HostName("go.example.com"))], filter: [.country: ["DE"]],
            links: [LinkID(rawValue: 7)])
        let statement = ReportStatements(query, ClickHouseTables(database: "clicks")).parts([0...0])
        let fits = "(domain IN ('go.example.com') AND link IN (7) AND country IN ('DE'))"
        #expect(statement.contains("countIf(bot IS NULL AND \(fits)), countIf(bot IS NOT NULL AND \(fits))"))
        #expect(statement.contains("countIf(bot IS NULL), countIf(bot IS NOT NULL) FROM"))
        let condition = try #require(statement.split(separator: " WHERE ").last)
        for term in ["domain", "country", "link", "time"] { #expect(!condition.contains(term)) }
    }

    @Test func `values are asked for by interval`() throws {
        let query = ClickReportQuery(
            boundaries: [0, 900, 1_800, 2_700], interval: .hour, applications: [try #require(ApplicationID("shop"))])
        let statement = ReportStatements(query, ClickHouseTables(database: "clicks"))
            .values(of: .country, [0...0], in: [0..<2, 2..<3], limit: 5)
        #expect(
            statement.contains(
                " AND (toInt64(toUInt32(time)) >= 0 AND toInt64(toUInt32(time)) < 1800 OR "
                    + "toInt64(toUInt32(time)) >= 1800 AND toInt64(toUInt32(time)) < 2700) GROUP BY"))
    }

    @Test func `days are counted for all domains and values`() throws {
        let query = ClickReportQuery(
            boundaries: [0, Self.day], interval: .day, applications: [try #require(ApplicationID("shop"))],
            domains: [try #require(HostName("go.example.com"))], filter: [.country: ["DE"], .bot: [nil]])
        let statement = ReportStatements(query, ClickHouseTables(database: "clicks")).days([0...0])
        let condition = try #require(statement.split(separator: " WHERE ").last)
        #expect(!condition.contains("domain"))
        #expect(!condition.contains("country"))
        #expect(statement.contains("ifNull(bot, '') = '\\x28rest\\x29'"))
        #expect(statement.contains("AND domain IN ('go.example.com'))"))
    }
}
