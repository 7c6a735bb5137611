import ArgumentParser
import WaymarkJSON

/// `waymark links tag TAG LINK…`
struct LinksTag: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tag", abstract: "Add tags to links, which are named or selected by the conditions of the list.",
        discussion: """
            waymark links tag spring go.example.com/sale go.example.com/news
            waymark links tag archive,old --state expired --dry-run
            """)

    @OptionGroup var tagging: LinkTagging

    mutating func run() async throws { try await tagging.run(adding: true) }
}

/// `waymark links untag TAG LINK…`
struct LinksUntag: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "untag",
        abstract: "Remove tags from links, which are named or selected by the conditions of the list.")

    @OptionGroup var tagging: LinkTagging

    mutating func run() async throws { try await tagging.run(adding: false) }
}

/// What both have in common: one request for all links.
struct LinkTagging: ParsableArguments {
    /// Links whose failures are printed.
    private static let shownFailures = 20

    @Argument(help: ArgumentHelp("The tag; several are separated by commas.", valueName: "tag"))
    var tags: String

    @Argument(help: ArgumentHelp("The links: URLs, DOMAIN/SLUG or SLUG.", valueName: "link"))
    var links: [String] = []

    @OptionGroup var filter: LinkFilterOptions

    @Flag(name: .long, help: "Change nothing, and print how many links would be changed.")
    var dryRun = false

    @OptionGroup var client: ClientOptions

    func run(adding: Bool) async throws {
        let names = tags.split(separator: ",").map(String.init)
        guard !names.isEmpty else { throw CommandFailure.usage("the tag is empty") }
        if let address = names.first(where: Self.looksLikeAddress) {
            throw CommandFailure.usage("\"\(address)\" is a link's address; the tag comes first, then the links")
        }
        let references = try links.map { try LinkReference($0) }
        let selected = try filter.conditions().filter { $0.1 != nil }
        guard references.isEmpty || selected.isEmpty else {
            throw CommandFailure.usage("give links or --\(selected.first?.0 ?? "search"), not both")
        }
        guard !references.isEmpty || !selected.isEmpty else {
            throw CommandFailure.usage("give links, or a condition such as --search")
        }
        var body: JSONObject = [
            adding ? "addTags" : "removeTags": JSONValue(names.map { JSONValue($0) }), "dryRun": JSONValue(dryRun),
        ]
        var failures: [String] = []
        let isDryRun = dryRun
        try await client.perform(references.isEmpty && !isDryRun ? .isDestructive : .isOrdinary) { api in
            var select = JSONObject()
            for (name, value) in selected { select[name] = value.map { JSONValue($0) } }
            if !references.isEmpty {
                var addresses: [JSONValue] = []
                for reference in references { addresses.append(JSONValue(try await api.located(reference).text)) }
                select["links"] = JSONValue(addresses)
            }
            body["select"] = JSONValue(select)
            let answer = try await api.json("PATCH", "/api/v1/links:batch", JSONValue(body))
            failures = await Self.failures(answer, api)
            return answer
        } text: { answer in
            let matched = answer["matched"]?.integer ?? 0
            let verb = isDryRun ? "would change" : "changed"
            return "\(verb) \(answer["changed"]?.integer ?? 0) of \(matched.counted("link"))"
        }
        guard failures.isEmpty else {
            StandardOutput.flush()
            for failure in failures { StandardError.write(failure) }
            throw ExitCode(CommandFailure.failed)
        }
    }

    private static func looksLikeAddress(_ text: String) -> Bool {
        text.contains("://") || text.contains("/") && LinkReference.looksLikeHost(String(text.prefix { $0 != "/" }))
    }

    /// Why links could not be changed.
    private static func failures(_ answer: JSONValue, _ api: any API) async -> [String] {
        var lines: [String] = []
        for result in answer["results"]?.array ?? [] {
            guard let problem = result["problem"], problem.object != nil else { continue }
            guard lines.count < shownFailures else { return lines + ["…"] }
            let link = LinkReference(domain: result["domain"]?.string ?? "", slug: result["slug"]?.string ?? "")
            var line = "\(link.text): \(problem["detail"]?.string ?? problem["title"]?.string ?? "not changed")"
            let isUnknown = (problem["type"]?.string ?? "").hasSuffix("link-unknown")
            // Each question is two searches.
            if isUnknown, lines.isEmpty { line += await LinkSuggestions.question(link, api) }
            lines.append(line)
        }
        return lines
    }
}
