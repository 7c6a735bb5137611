import ArgumentParser
import WaymarkJSON

/// `waymark links rehearse LINK`: what a change would have done to a link's clicks.
struct LinksRehearse: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rehearse", abstract: "Say what a change would have done to a link's clicks, without changing it.",
        discussion: """
            waymark links rehearse go.example.com/spring --patch '{"urls": {"web": "https://www.example.com/"}}'
            waymark links rehearse go.example.com/spring --patch "$(cat rules.json)" --days 7
            """)

    @Argument(help: "The link: its URL, DOMAIN/SLUG or SLUG.")
    var link: String

    @Option(name: .long, help: ArgumentHelp("The change, as a JSON merge patch of the link.", valueName: "json"))
    var patch: String

    @Option(name: .long, help: "Whole days (UTC) before today, 1 to 30. [default: 1]")
    var days: Int?

    @OptionGroup var client: ClientOptions

    mutating func run() async throws {
        let reference = try LinkReference(link)
        var body: JSONObject = ["patch": try Self.patch(patch)]
        if let days { body["days"] = JSONValue(days) }
        let request = JSONValue(body)
        try await client.perform {
            try await $0.link("POST", reference, part: ":rehearse", request)
        } text: {
            Self.text($0)
        }
    }

    private static func patch(_ text: String) throws -> JSONValue {
        guard let value = try? JSONValue(parsing: Array(text.utf8)), value.object != nil else {
            throw CommandFailure.usage("--patch: this is no JSON object; give one such as '{\"disabled\": true}'")
        }
        return value
    }

    /// Where clicks ended and would have ended, the most frequent first as the server sorts them.
    static func text(_ answer: JSONValue) -> String {
        func number(_ name: String) -> Int { answer[name]?.integer ?? 0 }
        func ending(_ value: JSONValue?) -> String {
            let rule = value?["rule"]?.string.map { " (rule \($0))" } ?? ""
            return (value?["url"]?.string ?? value?["outcome"]?.string ?? "-") + rule
        }
        var text = "\(number("changed")) of \(number("clicks")) clicks of people would have ended elsewhere"
        if number("undecidable") > 0 { text += "; \(number("undecidable")) can't be decided" }
        let groups = (answer["byOutcome"]?.array ?? []).map { group in
            [String(group["clicks"]?.integer ?? 0), ending(group["from"]), ending(group["to"])]
        }
        if !groups.isEmpty { text += "\n\n" + Table(["CLICKS", "NOW", "THEN"], groups).text }
        let reasons = (answer["why"]?.array ?? []).compactMap(\.string)
        return reasons.isEmpty ? text : text + "\n\n" + reasons.joined(separator: "\n")
    }
}
