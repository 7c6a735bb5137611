import WaymarkJSON

/// What the API document can't say about a tool: which call it is, and what assistants read about it.
struct ToolDefinition: Sendable {
    /// What a tool does, beside its call.
    enum Behaviour: Sendable {
        case reads
        case creates
        case changes
        /// Waits for the import that its call starts.
        case importsDry
        /// Asks other servers.
        case asksElsewhere
    }

    let name: String
    let title: String
    let description: String
    let method: String
    let path: String
    var behaviour = Behaviour.reads
    /// Members of the body of each call; not arguments.
    var fixed: [String: JSONValue] = [:]
    /// Sent unless the argument is given, instead of the API's own default.
    var defaults: [String: String] = [:]
    /// Parameters that are no arguments.
    var omitted: Set<String> = ["format", "Expect"]
    /// Schemas of arguments that differ from the API's.
    var replaced: [String: JSONValue] = [:]

    static let all = [
        ToolDefinition(
            name: "find_links", title: "Find links",
            description: """
                Lists smart links: by text (search), domain, application, tag, campaign, state or time of creation, in the order of \
                sort, page by page. Each link has its destinations, state and number of clicks.
                """,
            method: "GET", path: "/api/v1/links"),
        ToolDefinition(
            name: "create_link", title: "Create a link",
            description: """
                Creates a smart link. urls has a destination for each platform, web for all others; route fills a template of the \
                application instead. The answer has the URL to share as smartlink.
                """,
            method: "POST", path: "/api/v1/links", behaviour: .creates),
        ToolDefinition(
            name: "update_link", title: "Change a link",
            description: """
                Changes the link at domain and slug. Only the arguments given change; null removes a value, and urls is merged entry \
                by entry. ifMatch with the link's version in quotation marks refuses the change if someone else was faster.
                """,
            method: "PATCH", path: "/api/v1/links/{domain}/{slug}", behaviour: .changes),
        ToolDefinition(
            name: "plan_change", title: "Plan a change of links",
            description: """
                Says which links a change would change, and which fields of each from what to what. Changes nothing. The answer's \
                hash lets change_links make exactly this change within an hour, of exactly these versions. Show people the plan.
                """,
            method: "POST", path: "/api/v1/changes:plan"),
        ToolDefinition(
            name: "rehearse_change", title: "Rehearse a change of links",
            description: """
                Plans a change of up to 100 links, and decides the recorded clicks of whole days as if it had been made: how many \
                visitors would have gone elsewhere (byOutcome), how many to the same place (equal), and what can't be decided and why. \
                Changes nothing. The hash is for change_links, as that of plan_change.
                """,
            method: "POST", path: "/api/v1/changes:rehearse"),
        ToolDefinition(
            name: "change_links", title: "Change many links",
            description: """
                Makes the same change of all selected links. More than a few need, as plan, the hash of plan_change or rehearse_change \
                for the same select, patch, addTags and removeTags, and may need a person's confirmation: the refusal says what to do. \
                A hash is good for one request; if a link was changed meanwhile it is refused, so plan again.
                """,
            method: "PATCH", path: "/api/v1/links:batch", behaviour: .changes),
        ToolDefinition(
            name: "verify_links", title: "List what verification found",
            description: """
                Lists links as find_links does; with verified (good, broken or unknown) those that the last walks of the server found so, \
                each with what was found as an iPhone, iPad, Android device, desktop, in-app browser and crawler.
                """,
            method: "GET", path: "/api/v1/links"),
        ToolDefinition(
            name: "verify_link", title: "Verify a link now",
            description: """
                Walks one link now as several devices do, and answers what is wrong: its destination, the association file or its rules. \
                It requests the destination once more; nothing is counted.
                """,
            method: "POST", path: "/api/v1/links/{domain}/{slug}:verify", behaviour: .asksElsewhere),
        ToolDefinition(
            name: "link_statistics", title: "Count a link's clicks",
            description: """
                Counts the clicks of people and of programs on one link by hour or day, and by the values of one field: platform, \
                country, referrerHost and others.
                """,
            method: "GET", path: "/api/v1/links/{domain}/{slug}/clicks"),
        ToolDefinition(
            name: "top_links", title: "Find the links with the most clicks",
            description: """
                Lists the 50 links with the most clicks of people in a time, with the clicks on all links. top lists referrers, \
                countries, campaigns or unknown addresses instead, by divides the clicks by the values of fields, and compare adds an \
                earlier time.
                """,
            method: "GET", path: "/api/v1/clicks", defaults: ["top": "links", "interval": "total"]),
        ToolDefinition(
            name: "explain_visit", title: "Explain a visit",
            description: """
                Says where a visit of a smart link would end and why: the visitor's platform, each destination that was looked at, \
                and the answer. headers makes it the visit of a device, such as User-Agent and Accept-Language. Nothing is counted.
                """,
            method: "POST", path: "/api/v1/explain"),
        ToolDefinition(
            name: "explain_difference", title: "Explain why visits end differently",
            description: """
                Explains the same visit at two moments, each a time or a version of the link: what differs, the rule or destination \
                that decided, and which fields were changed in between. Nothing is counted.
                """,
            method: "POST", path: "/api/v1/explain:difference"),
        ToolDefinition(
            name: "lint_association", title: "Check an association file",
            description: """
                Finds mistakes in an apple-app-site-association or assetlinks.json file: of the text in document, or of the file that \
                Waymark makes for an application.
                """,
            method: "POST", path: "/api/v1/association/lint"),
        ToolDefinition(
            name: "simulate_association", title: "Ask whether a URL opens an app",
            description: """
                Says whether a URL opens an app on iOS or Android by an association file (document, or that of an application), which \
                rule decides, and what Apple and Google leave open.
                """,
            method: "POST", path: "/api/v1/association/simulate"),
        ToolDefinition(
            name: "import_dry_run", title: "Try an import",
            description: """
                Checks which links of another service could be imported: those of the export in file, or those that its API lists \
                with credentials. Nothing is created. Answers counts and, up to 1,000 rows, the outcome of each row as CSV.
                """,
            method: "POST", path: "/api/v1/imports", behaviour: .importsDry, fixed: ["dryRun": JSONValue(true)],
            replaced: [
                "file": [
                    "type": JSONValue("string"),
                    "description": JSONValue("The text of one file of the service's export, such as CSV."),
                ]
            ]),
    ]
}
