import ArgumentParser
import WaymarkJSON

/// `waymark explain URL`: explains how a visit would be answered, without recording it.
struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Show where a visit of a smart link ends, and why.",
        discussion: "It asks what answers visits, at a running server or with the database itself, and counts nothing.")

    @Argument(help: "The link: its URL, as it is followed, DOMAIN/SLUG or SLUG.")
    var smartlink: String

    @Option(
        name: .long, help: ArgumentHelp("The visitor's User-Agent. [default: none]", valueName: "text"))
    var userAgent: String?

    @Option(
        name: .long, parsing: .singleValue,
        help: ArgumentHelp("A further header field, 'Accept-Language: de'; may be repeated.", valueName: "field"))
    var header: [String] = []

    @Option(name: .long, help: ArgumentHelp("The visitor's address.", valueName: "address"))
    var ip: String?

    @Option(
        name: .long,
        help: ArgumentHelp("When the visit comes, such as 2026-11-21T10:00:00Z. [default: now]", valueName: "time"))
    var at: String?

    @OptionGroup var client: ClientOptions

    mutating func run() async throws {
        var headers: JSONObject = [:]
        if let userAgent { headers["User-Agent"] = JSONValue(userAgent) }
        for field in header {
            guard let colon = field.firstIndex(of: ":"), colon != field.startIndex else {
                throw CommandFailure.usage("--header: \"\(field)\" is not allowed; give 'Name: value'")
            }
            headers[String(field[..<colon])] = JSONValue(String(field[field.index(after: colon)...].drop { $0 == " " }))
        }
        var body: JSONObject = ["headers": JSONValue(headers)]
        if let ip { body["ip"] = JSONValue(ip) }
        if let at { body["at"] = JSONValue(at) }
        let (members, shown) = (body, smartlink)
        try await client.perform { api in
            var request = members
            request["url"] = JSONValue(try await api.smartlink(shown))
            return try await api.json("POST", "/api/v1/explain", JSONValue(request))
        } text: {
            ExplanationText(shown, $0).text
        }
    }
}

/// A human-readable explanation.
struct ExplanationText {
    private let smartlink: String
    private let answer: JSONValue

    init(_ smartlink: String, _ answer: JSONValue) {
        self.smartlink = smartlink
        self.answer = answer
    }

    var text: String {
        var lines = ["\(smartlink): \(ending)", ""]
        add("link", [link], to: &lines)
        add("visitor", [visitor] + texts(answer["visitor"]?["why"]), to: &lines)
        if let association { add("association", association, to: &lines) }
        add("looked at", (answer["candidates"]?.array ?? []).map(candidate), to: &lines)
        if let rule = answer["rule"]?.string { add("rule", [rule], to: &lines) }
        add("answer", response, to: &lines)
        let counted = answer["click"]?["counted"]?.bool == true
        add("click", ["\(counted ? "counted" : "not counted"): \(text(answer["click"]?["why"]))"], to: &lines)
        return lines.joined(separator: "\n")
    }

    private func add(_ name: String, _ texts: [String], to lines: inout [String]) {
        for (location, text) in (texts.isEmpty ? ["nothing"] : texts).enumerated() {
            let label = location == 0 ? name : ""
            lines.append(label + String(repeating: " ", count: max(1, 12 - label.count)) + text)
        }
    }

    private var ending: String {
        switch text(answer["outcome"]) {
        case "redirect": "leads on"
        case "openApp": "opens the app"
        case "store": "leads to the store"
        case "page": "shows a page"
        case "preview": "shows a preview"
        case "gone": "does not work any more"
        case "scheduled": "does not work yet"
        default: "leads nowhere"
        }
    }

    private var link: String {
        guard let link = answer["link"], !link.isNull else { return "there is no link at this URL" }
        return "\(text(link["domain"]))/\(text(link["slug"])), \(text(link["state"]))"
    }

    private var visitor: String {
        let visitor = answer["visitor"]
        var parts = [text(visitor?["platform"]), text(visitor?["device"])]
        if let browser = visitor?["browser"]?.string { parts.append(browser) }
        if let app = visitor?["inApp"]?.string { parts.append("inside of \(app)") }
        if let bot = visitor?["bot"]?.string { parts.append("no person (\(bot))") }
        if visitor?["prefetch"]?.bool == true { parts.append("prefetching") }
        if let language = visitor?["language"]?.string { parts.append("language \(language)") }
        if let country = visitor?["country"]?.string { parts.append("country \(country)") }
        return parts.joined(separator: ", ")
    }

    private func candidate(_ candidate: JSONValue) -> String {
        let mark = candidate["taken"]?.bool == true ? "* " : "  "
        let url = candidate["url"]?.string.map { "\($0), " } ?? ""
        return "\(mark)\(text(candidate["source"])): \(url)\(text(candidate["why"]))"
    }

    /// What a tap does on a device that has the app; nil if the visitor's system has no association file.
    private var association: [String]? {
        guard let association = answer["association"], !association.isNull else { return nil }
        let verdict =
            switch association["opens"]?.bool {
            case true?: "a tap opens the app where it is installed, and the visit never comes"
            case false?: "a tap stays in the browser, even where the app is installed"
            case nil: "whether a tap opens the app is not known"
            }
        let rule = association["rule"]?.string.map { ["rule \($0)"] } ?? []
        return ["\(verdict): \(text(association["why"]))"] + rule
    }

    private var response: [String] {
        let headers = (answer["response"]?["headers"]?.object?.members ?? []).map { "\($0.name): \(text($0.value))" }
        return [answer["response"]?["status"]?.integer.map(String.init) ?? ""] + headers
    }

    private func texts(_ value: JSONValue?) -> [String] { (value?.array ?? []).map(text) }

    private func text(_ value: JSONValue?) -> String { value?.string ?? "" }
}
