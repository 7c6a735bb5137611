import ArgumentParser
import Foundation
import WaymarkBytes
import WaymarkClient
import WaymarkJSON
import WaymarkLinks

/// `waymark links clicks LINK`: a link's clicks by day, or by the values of a field.
struct LinksClicks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clicks", abstract: "Count a link's clicks by day (UTC), or by a field such as country.",
        discussion: """
            waymark links clicks go.example.com/spring --from 2026-11-01
            waymark links clicks go.example.com/spring --by country --where platform=iphone
            """)

    @Argument(help: "The link: its URL, DOMAIN/SLUG or SLUG.")
    var link: String

    @Option(name: .long, help: "The first day or time, such as 2026-11-01. [default: 30 days]")
    var from: String?

    @Option(name: .long, help: "The last day, or the time to end at. [default: now]")
    var to: String?

    @Option(name: .long, help: ArgumentHelp("\(LinksClicks.names.joined(separator: ", ")).", valueName: "field"))
    var by: String?

    @Option(
        name: .customLong("where"), parsing: .singleValue,
        help: ArgumentHelp(
            "Only clicks with this value, or without one (none); may be repeated.", valueName: "field=value"))
    var conditions: [String] = []

    @Option(name: .long, help: "day or hour, without --by. [default: day]")
    var interval: String?

    @Flag(name: .long, help: "Print CSV.")
    var csv = false

    @OptionGroup var client: ClientOptions

    static let names = ClickField.allCases.map(\.name)

    mutating func run() async throws {
        try CommandFailure.check(by, of: "--by", Self.names)
        try CommandFailure.check(interval, of: "--interval", ["day", "hour"])
        guard !csv || !client.json else { throw CommandFailure.usage("--csv: --json is given too; give one of them") }
        guard by == nil || interval == nil else {
            throw CommandFailure.usage("--interval: --by counts the whole time; leave out one of them")
        }
        var pairs = try conditions.map(Self.pair) + [("from", from), ("to", to)]
        if csv { pairs.append(("format", "csv")) }
        let reference = try LinkReference(link)
        let isHourly = interval == "hour"
        guard let by else {
            return try await write(reference, pairs + [("interval", interval)], report: false) {
                Self.table($0, isHourly: isHourly)
            }
        }
        try await write(reference, pairs + [("by", by), ("interval", "total")], report: true) {
            Self.table($0, by: by)
        }
    }

    /// - Parameter report: whether the report on all links counts the link: it has the sums of a whole time.
    private func write(
        _ reference: LinkReference, _ pairs: [(String, String?)], report: Bool, text: (JSONValue) -> String
    ) async throws {
        let api = try await client.open(.fails)
        do {
            let answer: [UInt8]
            if report {
                let located = try await api.link("GET", reference)
                let name = "\(located["domain"]?.string ?? "")/\(located["slug"]?.string ?? "")"
                let response = try await api.send(
                    APIRequest(
                        method: "GET", target: "/api/v1/clicks" + PercentEncoding.query(pairs + [("link", name)])))
                guard response.isSuccess else { throw CommandFailure.failed(APIFailure.sentence(response)) }
                answer = response.body
            } else {
                let part = "/clicks" + PercentEncoding.query(pairs)
                answer = try await api.linkResponse("GET", reference, part: part).body
            }
            await api.close()
            guard !csv else {
                // Its lines end with CR LF, and a terminal gets no control characters.
                let isTerminal = isatty(STDOUT_FILENO) == 1
                let lines = String(decoding: answer, as: UTF8.self).replacing("\r\n", with: "\n")
                StandardOutput.reportBrokenPipes()
                do {
                    try FileHandle.standardOutput.write(
                        contentsOf: isTerminal ? Data(lines.terminalText.utf8) : Data(answer))
                    return
                } catch {
                    throw CommandFailure.failed("standard output can't be written")
                }
            }
            let value = (try? JSONValue(parsing: answer)) ?? .null
            print(client.json ? value.text(style: .pretty) : text(value))
        } catch {
            await api.close()
            throw error
        }
    }

    private static func pair(_ text: String) throws -> (String, String?) {
        guard let equals = text.firstIndex(of: "=") else {
            throw CommandFailure.usage("--where: \"\(text)\" is not allowed; give FIELD=VALUE, such as country=DE")
        }
        let name = String(text[..<equals])
        try CommandFailure.check(name, of: "--where", names)
        return (name, String(text[text.index(after: equals)...]))
    }

    /// The intervals that have clicks, and their sum.
    static func table(_ answer: JSONValue, isHourly: Bool) -> String {
        func row(_ name: String, _ counts: JSONValue?) -> [String] {
            [name] + ["people", "bots", "visitors"].map { counts?[$0]?.integer.map(String.init) ?? "-" }
        }
        let intervals = (answer["series"]?.array ?? [])
            .filter { $0["people"]?.integer != 0 || $0["bots"]?.integer != 0 }
            .map { row(String(($0["start"]?.string ?? "").prefix(isHourly ? 16 : 10)), $0) }
        return Table(
            [isHourly ? "HOUR" : "DAY", "PEOPLE", "BOTS", "VISITORS"], intervals + [row("total", answer["total"])]
        ).text
    }

    /// The values of a field, the most frequent first as the server sorts them.
    static func table(_ answer: JSONValue, by field: String) -> String {
        let total = answer["total"]
        let people = total?["people"]?.integer ?? 0
        func row(_ name: String, _ counts: JSONValue?) -> [String] {
            let own = counts?["people"]?.integer ?? 0
            // The numbers are the server's, so no product of them is taken for granted.
            let share = people > 0 ? "\(Int((Double(own) / Double(people) * 100).rounded())) %" : "-"
            return [name, "\(own)", share, "\(counts?["bots"]?.integer ?? 0)"]
        }
        let values = (answer["series"]?.array ?? []).flatMap { $0["by"]?.array ?? [] }.map { value in
            row(value["rest"]?.bool == true ? "(rest)" : value["value"]?.string ?? "(none)", value)
        }
        let note = answer["complete"]?.bool == false ? "\n\nsome clicks of this time are no longer known" : ""
        return Table([field.uppercased(), "PEOPLE", "SHARE", "BOTS"], values + [row("total", total)]).text + note
    }
}
