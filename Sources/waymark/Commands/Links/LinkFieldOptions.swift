import ArgumentParser
import WaymarkAPI
import WaymarkJSON

/// The fields of a link that can be changed, each a flag of `waymark links create` and `update`.
struct LinkFieldOptions: ParsableArguments {
    @Option(name: .long, help: "A route of the application's templates, such as products/:product_id.")
    var route: String?
    @Option(name: .long, parsing: .singleValue, help: ArgumentHelp("A route parameter.", valueName: "name=value"))
    var parameter: [String] = []
    @Option(name: .long, parsing: .singleValue, help: ArgumentHelp("A query parameter.", valueName: "name=value"))
    var query: [String] = []
    @Option(name: .long, parsing: .singleValue, help: ArgumentHelp("A platform's URL.", valueName: "platform=url"))
    var link: [String] = []
    @Option(name: .long, help: ArgumentHelp("Private metadata, a JSON object.", valueName: "json"))
    var metadata: String?
    @Option(name: .long, help: ArgumentHelp("How many resolves receive the metadata; 0 is no limit.", valueName: "n"))
    var redeemLimit: Int?
    @Option(name: .long, help: "When the link starts, such as 2027-01-31T00:00:00Z.")
    var validFrom: String?
    @Option(name: .long, help: "When the link ends.")
    var expiresAt: String?
    @Option(name: .long, help: ArgumentHelp("How many clicks it may have; 0 is no limit.", valueName: "n"))
    var maxClicks: Int?
    @Option(name: .long, parsing: .singleValue, help: "A tag; may be repeated. They replace the present ones.")
    var tag: [String] = []
    @OptionGroup var labels: LinkLabelOptions
    @Option(
        name: .long, parsing: .singleValue,
        help: ArgumentHelp("title, description or imageURL of the preview in chats.", valueName: "name=text"))
    var social: [String] = []
    @Option(
        name: .long, parsing: .singleValue,
        help: ArgumentHelp("source, medium, name, term or content: the utm_* parameters.", valueName: "name=text"))
    var campaign: [String] = []
    @Option(
        name: .long,
        help: ArgumentHelp("Whether the visit's query is passed on; else as the application.", valueName: "true|false"))
    var forwardQuery: Bool?
    @Option(
        name: .long,
        help: ArgumentHelp("Whether the visit's parameters replace the link's own.", valueName: "true|false"))
    var queryOverride: Bool?
    @Option(name: .long, help: ArgumentHelp("301, 302, 307 or 308; else the application's.", valueName: "status"))
    var redirectStatus: Int?
    @Option(name: .long, help: ArgumentHelp("Where visitors go once the link has expired.", valueName: "url"))
    var onExpired: String?
    @Option(
        name: .long,
        help: ArgumentHelp("How much of a click is stored: full, noVisitors or countOnly.", valueName: "level"))
    var clickDetail: String?
    @Option(name: .long, help: ArgumentHelp("The rules, a JSON array.", valueName: "json"))
    var rules: String?
    @Option(
        name: .long, parsing: .singleValue,
        help: ArgumentHelp("The app's minimum version on ios or android.", valueName: "platform=version"))
    var minimumVersion: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A file whose first line visitors must give as password; - is standard input.", valueName: "file"))
    var passwordFile: String?

    static let platforms = ["iphone", "ipad", "ios", "android", "macos", "windows", "linux", "web"]

    /// The members of a request.
    ///
    /// - Parameters:
    ///   - destination: the URL that no flag names.
    ///   - isPatch: whether an empty text and 0 clicks remove what the link has.
    func members(_ destination: String?, isPatch: Bool) throws -> JSONObject {
        func text(_ value: String) -> JSONValue { isPatch && value.isEmpty ? .null : JSONValue(value) }
        var members = JSONObject()
        members["route"] = route.map(text)
        members["routeParameters"] = try Self.object(parameter, of: "--parameter")
        members["queryParameters"] = try Self.object(query, of: "--query")
        members["urls"] = try Self.urls(link, destination)
        members["metadata"] = try metadata.map { try Self.value($0, of: "--metadata") }
        members["redeemLimit"] = redeemLimit.map { JSONValue($0) }
        members["validFrom"] = validFrom.map(text)
        members["expiresAt"] = expiresAt.map(text)
        members["maxClicks"] = maxClicks.map { isPatch && $0 == 0 ? .null : JSONValue($0) }
        let tags = tag.filter { !isPatch || !$0.isEmpty }
        if !tag.isEmpty { members["tags"] = JSONValue(tags.map { JSONValue($0) }) }
        labels.add(to: &members, text)
        members["social"] = try Self.object(social, of: "--social", names: SocialRequest.members.names)
        members["campaign"] = try Self.object(campaign, of: "--campaign", names: CampaignRequest.members.names)
        members["forwardQuery"] = forwardQuery.map { JSONValue($0) }
        members["queryOverride"] = queryOverride.map { JSONValue($0) }
        members["redirectStatus"] = redirectStatus.map { JSONValue($0) }
        members["onExpired"] = onExpired.map(text)
        members["clickDetail"] = clickDetail.map(text)
        members["rules"] = try rules.map { try Self.value($0, of: "--rules") }
        members["minimumVersion"] = try Self.object(
            minimumVersion, of: "--minimum-version", names: MinimumVersionRequest.members.names,
            form: "PLATFORM=VERSION, such as ios=3.2")
        members["password"] = try passwordFile.map { JSONValue(try SecretFile.line($0, of: "--password-file")) }
        return members
    }

    /// The platforms' URLs, with the one that no flag names.
    private static func urls(_ links: [String], _ destination: String?) throws -> JSONValue? {
        var urls = links
        if let destination {
            guard !links.contains(where: { $0.hasPrefix("web=") }) else {
                throw CommandFailure.usage("--link: web is given twice: leave out \"\(destination)\" or --link web=…")
            }
            // As the address bar of a browser completes it.
            let isHost = !destination.contains(":") && destination.contains(".")
            urls.append("web=" + (isHost ? "https://" : "") + destination)
        }
        return try object(
            urls, of: "--link", names: platforms, form: "PLATFORM=URL, such as web=https://example.com/")
    }

    /// - Parameter names: those that are allowed; empty: all.
    private static func object(
        _ pairs: [String], of flag: String, names: [String] = [], form: String = "NAME=VALUE"
    ) throws -> JSONValue? {
        guard !pairs.isEmpty else { return nil }
        var members = JSONObject()
        for pair in pairs {
            guard let equals = pair.firstIndex(of: "="), equals != pair.startIndex,
                // A URL may have an equals sign in its query.
                !pair[..<equals].contains(":")
            else {
                throw CommandFailure.usage("\(flag): \"\(pair)\" is not allowed; give \(form)")
            }
            let name = String(pair[..<equals])
            if !names.isEmpty { try CommandFailure.check(name, of: flag, names) }
            members[name] = JSONValue(String(pair[pair.index(after: equals)...]))
        }
        return JSONValue(members)
    }

    static func value(_ text: String, of flag: String) throws -> JSONValue {
        do {
            return try JSONValue(parsing: text)
        } catch {
            throw CommandFailure.usage("\(flag): \(error)")
        }
    }
}

/// The fields that `waymark links update --clear` removes.
enum ClearedFields {
    /// In the API's names. The rest of a link is fixed, or has a command of its own.
    static let names = LinkRequest.members.names.filter {
        !["app", "domain", "slug", "unique", "disabled"].contains($0)
    }

    /// The members of objects, as in `campaign.term`.
    private static let parts = [
        "urls": LinkFieldOptions.platforms, "social": SocialRequest.members.names,
        "campaign": CampaignRequest.members.names, "minimumVersion": MinimumVersionRequest.members.names,
    ]
    private static let open = ["routeParameters", "queryParameters"]

    /// Adds a null for each field; names may be those of the flags, such as `expires-at`.
    ///
    /// - Throws: `CommandFailure` for an unknown field, and for one that is set too.
    static func add(_ fields: [String], to members: inout JSONObject) throws {
        for field in fields {
            let path = field.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let name = try resolved(path[0], in: names)
            guard path.count == 2 else {
                guard members[name] == nil else { throw clash(field) }
                members[name] = .null
                continue
            }
            let part: String
            if open.contains(name) {
                part = path[1]
            } else {
                guard let known = parts[name] else {
                    throw CommandFailure.usage("--clear: \"\(field)\" is not allowed; \(name) has no parts")
                }
                part = try resolved(path[1], in: known)
            }
            guard members[name].map({ $0.object != nil }) ?? true else { throw clash(field) }
            var object = members[name]?.object ?? JSONObject()
            guard object[part] == nil else { throw clash(field) }
            object[part] = .null
            members[name] = JSONValue(object)
        }
    }

    private static func clash(_ field: String) -> CommandFailure {
        .usage("--clear: \(field) is set and cleared; leave out one of the two")
    }

    /// The name in the API: flags have hyphens in place of capitals, and are singular.
    private static func resolved(_ text: String, in names: [String]) throws -> String {
        func plain(_ name: String) -> String { name.lowercased().filter { $0 != "-" } }
        let typed = plain(text)
        let flags = [
            "link": "urls", "tag": "tags", "parameter": "routeParameters", "query": "queryParameters",
        ]
        if let name = names.first(where: { plain($0) == typed }) { return name }
        if let name = flags[typed], names.contains(name) { return name }
        throw CommandFailure.unknown(text, of: "--clear", names)
    }
}
