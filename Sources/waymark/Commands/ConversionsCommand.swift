import ArgumentParser
import WaymarkBytes
import WaymarkJSON

/// `waymark conversions`: purchases and other conversions, counted and summed.
struct ConversionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conversions", abstract: "Count and sum conversions by link, campaign, day (UTC) or name.")

    @Option(name: .long, help: "\(ConversionsCommand.dimensions.joined(separator: ", ")). [default: link]")
    var by: String?

    @Option(name: .long, help: "The first day or time, such as 2026-11-01. [default: 30 days]")
    var from: String?

    @Option(name: .long, help: "The last day, or the time to end at. [default: now]")
    var to: String?

    @Option(name: .long, help: "Only of this application.")
    var app: String?

    @Option(name: .long, help: "Only of this link: its URL, DOMAIN/SLUG or SLUG.")
    var link: String?

    @Option(name: .long, help: "Only of this campaign.")
    var campaign: String?

    @Option(name: .long, help: "Only after this rule decided; none: after none did.")
    var rule: String?

    @Option(name: .long, help: "Only in this variant of a test; none: in none.")
    var variant: String?

    @OptionGroup var client: ClientOptions

    static let dimensions = ["link", "campaign", "day", "name", "rule", "variant"]

    mutating func run() async throws {
        try CommandFailure.check(by, of: "--by", Self.dimensions)
        let reference = try link.map { try LinkReference($0) }
        let pairs = [
            ("by", by), ("from", from), ("to", to), ("app", app), ("campaign", campaign),
            ("rule", rule), ("variant", variant),
        ]
        let heading = (by ?? "link").uppercased()
        try await client.perform { api in
            var query = pairs
            // The report has no group of a link that does not exist; a misspelt one must not look like one without conversions.
            if let reference {
                let found = try await api.link("GET", reference)
                query.append(("link", "\(found["domain"]?.string ?? "")/\(found["slug"]?.string ?? "")"))
            }
            return try await api.json("GET", "/api/v1/conversions" + PercentEncoding.query(query))
        } text: { answer in
            Self.table(answer, heading)
        }
    }

    static func table(_ answer: JSONValue, _ heading: String) -> String {
        func sums(_ counts: JSONValue?) -> String {
            let sums = (counts?["sums"]?.object?.members ?? []).map { "\($0.value.string ?? "") \($0.name)" }
            return sums.isEmpty ? "-" : sums.joined(separator: ", ")
        }
        return Table(
            [heading, "COUNT", "SUMS", "FROM APPS"],
            (answer["groups"]?.array ?? []).map { group in
                let fromApps = group["fromApps"].flatMap { $0["count"]?.integer }.map { "\($0)" } ?? "-"
                return [
                    group["value"]?.string ?? "(none)", "\(group["count"]?.integer ?? 0)", sums(group), fromApps,
                ]
            }
        ).text
    }
}
