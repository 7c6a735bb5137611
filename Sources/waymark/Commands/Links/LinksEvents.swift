import ArgumentParser
import WaymarkBytes
import WaymarkJSON

/// `waymark links events LINK`: a link's app activity by day.
struct LinksEvents: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "Count opens, installs, resolves, redeems and claims of a link by day (UTC).")

    @Argument(help: "The link: its URL, DOMAIN/SLUG or SLUG.")
    var link: String

    @Option(name: .long, help: "The first day or time, such as 2026-11-01. [default: 30 days]")
    var from: String?

    @Option(name: .long, help: "The last day, or the time to end at. [default: now]")
    var to: String?

    @OptionGroup var client: ClientOptions

    mutating func run() async throws {
        let reference = try LinkReference(link)
        let query = PercentEncoding.query([("from", from), ("to", to)])
        try await client.perform {
            try await $0.link("GET", reference, part: "/events" + query)
        } text: { answer in
            let names = ["opens", "installs", "resolves", "redeems", "claims", "conversions"]
            func row(_ name: String, _ counts: JSONValue?) -> [String] {
                [name] + names.map { counts?[$0]?.integer.map(String.init) ?? "" }
            }
            let days = (answer["series"]?.array ?? [])
                .filter { day in names.contains { day[$0]?.integer != 0 } }
                .map { row(String(($0["start"]?.string ?? "").prefix(10)), $0) }
            return Table(["DAY"] + names.map { $0.uppercased() }, days + [row("total", answer["total"])]).text
        }
    }
}
