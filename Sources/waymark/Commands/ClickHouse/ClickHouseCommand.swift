import ArgumentParser
import WaymarkBytes
import WaymarkLinks
import WaymarkService
import WaymarkSockets

/// `waymark clickhouse`: the copy of the clicks in ClickHouse.
struct ClickHouseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clickhouse",
        abstract: "Make the tables for clicks in ClickHouse, compare and fill them, or leave ClickHouse.",
        subcommands: [ClickHouseMigrate.self, ClickHouseCheck.self, ClickHouseBackfill.self, ClickHouseOff.self])
}

/// The part of a configuration that these commands need.
struct ClickHouseTarget {
    let configuration: Configuration
    let client: ClickHouseClient

    init(_ configuration: Configuration) throws {
        guard let client = try configuration.clickHouseClient() else {
            throw CommandFailure.usage(
                "clickhouse of the configuration is not set; docs/operations/clickhouse.md says how")
        }
        self.configuration = configuration
        self.client = client
    }

    /// - Throws: `CommandFailure` with status 2: nothing could be done.
    func asking<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let failure as ClickHouseFailure {
            throw CommandFailure.usage("\(client.settings.url): \(failure.sentence)")
        }
    }

    /// The days of `--from` and `--to`, both included; those that records are kept of.
    ///
    /// - Parameter end: the last one that is possible.
    func days(from: String?, to: String?, end: Int) throws -> ClosedRange<Int> {
        // ClickHouse deletes by the time zone of its server.
        let kept = min(configuration.clicks.retentionDays, client.settings.retentionDays - 1)
        let oldest = Timestamp(rawValue: WallClock.milliseconds()).day - kept + 1
        let first = try from.map { try Self.day($0, of: "--from") } ?? oldest
        let last = try to.map { try Self.day($0, of: "--to") } ?? end
        guard first <= end else { throw CommandFailure.usage("--from: the last possible day is \(Self.text(of: end))") }
        guard first <= last else { throw CommandFailure.usage("--to: the day is before that of --from") }
        guard last >= oldest else {
            throw CommandFailure.usage(
                "--to: of days before \(Self.text(of: oldest)) records are not kept on both sides (retentionDays)")
        }
        return max(first, oldest)...min(last, end)
    }

    private static func day(_ text: String, of flag: String) throws -> Int {
        guard text.utf8.count == 10, let time = Timestamp(rfc3339: text + "T00:00:00Z") else {
            throw CommandFailure.usage(
                "\(flag): \"\(text.shown(atMost: 40))\" is not allowed; give a day, such as 2026-11-28")
        }
        return time.day
    }

    static func text(of day: Int) -> String {
        String(Timestamp(seconds: Int64(day) * Timestamp.secondsOfDay).rfc3339.prefix(10))
    }
}
