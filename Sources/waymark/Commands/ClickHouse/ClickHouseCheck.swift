import ArgumentParser
import WaymarkLinks
import WaymarkService
import WaymarkSockets
import WaymarkStores

/// `waymark clickhouse check`
struct ClickHouseCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Compare the clicks in ClickHouse with the records of the database, while servers run.",
        discussion: """
            Counts clicks by day, application, link and block on both sides, and looks for rows that are there twice; then what \
            apps did and conversions, by day until yesterday. What differs gets some seconds to arrive. Exit status: 0 equal, 1 the first difference is printed, 2 nothing could be compared.
            """)

    @Option(name: .long, help: ArgumentHelp("The first day. Default: the first one with records.", valueName: "day"))
    var from: String?

    @Option(name: .long, help: ArgumentHelp("The last day. Default: today (UTC).", valueName: "day"))
    var to: String?

    @Option(
        name: .long, help: ArgumentHelp("How long a difference gets to arrive. Default: 15.", valueName: "seconds"))
    var patience: Int = 15

    @OptionGroup var options: StoreOptions

    mutating func run() async throws {
        guard (0...3_600).contains(patience) else { throw CommandFailure.usage("--patience: give 0 to 3600 seconds") }
        let target = try ClickHouseTarget(try options.configuration())
        let now = { Timestamp(rawValue: WallClock.milliseconds()) }
        let days = try target.days(from: from, to: to, end: now().day)
        let database = target.configuration.database
        guard !database.isMissing else { throw CommandFailure.usage("\(database.text) does not exist") }
        let today = now().day
        let (report, counters) = try await target.asking {
            let tables = try await target.client.tables()
            do {
                let archive = try database.archive(.reading)
                defer { archive.close() }
                let tries = patience + 1
                let clicks = try await ClickComparison(archive, target.client, tables, tries: tries, now: now).run(days)
                guard clicks.difference == nil else { return (clicks, CounterComparison.Report?.none) }
                let over = days.lowerBound..<max(days.lowerBound, min(days.upperBound + 1, today))
                return (
                    clicks, try await CounterComparison(archive, target.client, tables, tries: tries).run(over)
                )
            } catch let failure as CommandFailure {
                throw CommandFailure.usage(failure.message)
            } catch let error as StoreError {
                throw CommandFailure.usage("\(database.text): \(error.sentence)")
            }
        }
        guard let difference = report.difference else {
            print("\(report.clicks.counted("click")) of \(report.days.counted("day")): equal, each once")
            guard let counters else {
                print("no tables for what apps did and for conversions: run waymark clickhouse migrate")
                return
            }
            guard let difference = counters.difference else {
                print("\(counters.rows.counted("row")) of counters: equal")
                return
            }
            print(Self.text(of: difference))
            StandardOutput.flush()
            throw ExitCode(CommandFailure.failed)
        }
        print(Self.text(of: difference))
        StandardOutput.flush()
        throw ExitCode(CommandFailure.failed)
    }

    static func text(of difference: CounterComparison.Difference) -> String {
        """
        \(ClickHouseTarget.text(of: difference.day)), table \(difference.table): \(difference.column) are \
        \(difference.here) here, \(difference.there) in ClickHouse
        the server compares them at least every few minutes: check again later, or see docs/operations/clickhouse.md#differences
        """
    }

    static func text(of difference: ClickComparison.Difference) -> String {
        let day = ClickHouseTarget.text(of: difference.day)
        let application = difference.application.map { "application \($0.text)" } ?? "an application that is not known"
        var lines = [
            "\(day), \(application): \(difference.here.counted("click")) here, \(difference.there) in ClickHouse"
        ]
        lines += difference.blocks.map { block in
            let doubles = block.doubles > 0 ? ", \(block.doubles) of them twice" : ""
            return "link \(difference.link.rawValue), block \(block.number): \(block.here.counted("click")) here, "
                + "\(block.there) in ClickHouse\(doubles)"
        }
        let isLoss = difference.blocks.contains { $0.there == 0 }
        let isToday = difference.day >= Timestamp(rawValue: WallClock.milliseconds()).day
        lines.append(
            isLoss && isToday
                ? "to mend it, unless the server is behind (waymark status): waymark clickhouse backfill, tomorrow"
                : isLoss
                    ? "to mend it: waymark clickhouse backfill --from \(day), unless the server is behind (waymark status)"
                    : "to mend it: docs/operations/clickhouse.md#differences")
        return lines.joined(separator: "\n")
    }
}
