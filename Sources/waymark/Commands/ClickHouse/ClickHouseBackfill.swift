import ArgumentParser
import WaymarkLinks
import WaymarkService
import WaymarkSockets
import WaymarkStores

/// `waymark clickhouse backfill`
struct ClickHouseBackfill: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backfill", abstract: "Let the server ship what ClickHouse lacks of days that are over.",
        discussion: """
            Writes an order into the database, which the server that ships carries out in the background, a day after the other; it \
            asks ClickHouse which blocks are there. A later order replaces one that is not done. Exit status: 0 ordered, 1 it was not, \
            2 wrong arguments, or clickhouse is not configured.
            """)

    @Option(name: .long, help: ArgumentHelp("The first day. Default: the first one with records.", valueName: "day"))
    var from: String?

    @Option(name: .long, help: ArgumentHelp("The last day, before today. Default: yesterday (UTC).", valueName: "day"))
    var to: String?

    @OptionGroup var options: StoreOptions

    mutating func run() async throws {
        let target = try ClickHouseTarget(try options.configuration())
        let now = Timestamp(rawValue: WallClock.milliseconds())
        let days = try target.days(from: from, to: to, end: BackfillOrder.lastDay(now: now))
        let database = target.configuration.database
        guard !database.isMissing else { throw CommandFailure.failed("\(database.text) does not exist") }
        let archive = try database.archive(.beside)
        defer { archive.close() }
        try reportingFailures(of: database.text) {
            _ = try archive.removeSecret(BackfillOrder.secretName)
            try archive.addSecret(BackfillOrder(days: days).secret)
        }
        print(
            "the server ships what is missing of \(ClickHouseTarget.text(of: days.lowerBound)) to "
                + "\(ClickHouseTarget.text(of: days.upperBound)), and logs the end; waymark status shows what waits")
    }
}
