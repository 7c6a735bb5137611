import WaymarkAPI
import WaymarkImports
import WaymarkJSON
import WaymarkLinks
import WaymarkStores

/// The schemas of all bodies, by subject; the order is that of the document.
enum Schemas {
    static let all: [NamedSchema] = [
        links, bulk, changes, rules, applications, keys, people, clicks, apps, association, imports, webhooks, firebase,
        hoko,
        operation,
    ].flatMap { $0 }
}

// Types that several bodies have.
extension Schema {
    static let platform = Schema.choice(of: Platform.self)
    static let linkState = Schema.choice(LinkState.all.map(\.rawValue))
    static let clickDetail = Schema.choice(ClickDetail.allCases.map(\.rawValue))
    static let redirectStatus = Schema.choice(ApplicationRequest.redirectStatuses.sorted())
    static let importSource = Schema.choice(of: ForeignService.self)
    static let associationKind = Schema.choice(["apple-app-site-association", "assetlinks.json"])
    /// The value of a parameter, which becomes text.
    static let parameterValue = Schema.anyType("string", "integer", "number", "boolean")

    /// Of a rule, or of an entry of a template: not digits only.
    static let ruleName = Schema.text(1...Rule.nameLimit).pattern("[^0-9]")

    /// Where the app runs that has a key.
    static let keyPlatform = Schema.choice(StoredKey.platforms.map(\.rawValue))

    static let eventPatterns = {
        let types = EventType.subscribable.map { "`\($0.name)`" }.joined(separator: ", ")
        return Schema.list(of: .text, 1...32).examples(["link.*"])
            .described("Types of events (\(types)), groups (`link.*`, `app.*`, `key.*`) or `*`.")
    }()

    /// The visits of one address that no link has.
    static let visitedAddress = Schema.answer([Field(optional: "value", .text, "Host and path."), .people, .bots])
        .described("The visits of one address; they are no clicks.")

    /// A link of one platform, as HOKO's API has it.
    static let hokoRoute = Schema.object([
        Field(required: "link", .text),
        Field("fallback", .text.orNull, "Where visitors without the app go; empty: the default."),
    ])

    /// The message of an event.
    static func event(_ data: [Field]) -> Schema {
        let app = Field("app", .text.orNull, "The application; null for an event of none.")
        return .answer([
            Field("type", .text),
            Field("timestamp", .time, "When the event happened."),
            Field("data", .object([app] + data)),
        ])
    }
}

// Members that several bodies have.
extension Field {
    static let people = Field("people", .count, "Clicks of people.")
    static let bots = Field("bots", .count, "Clicks of programs: link previews, crawlers, scanners, monitors.")
    static let visitors = Field(
        "visitors", .count.orNull,
        """
        Different people of each day (UTC), added up, within 2 %: a person who clicks before and after midnight UTC \
        counts twice, in any zone. null if those of a day were not told apart, or only for other clicks.
        """)

    /// The texts of a link for its owners.
    static let labels = LinkLabel.all.map { label in
        let text = Schema.text(atMost: label.limit)
        return Field(
            label.text, (label.form == .path ? text.pattern("^[^/]+(/[^/]+){0,\(LinkLabel.depth - 1)}$") : text).orNull,
            description(of: label))
    }

    private static func description(of label: LinkLabel) -> String {
        switch label {
        case .title: "A name for lists; in no public response."
        case .note: "Remarks for colleagues; in no public response. May contain line breaks and tabs."
        case .folder:
            "A path to file the link under, such as `campaigns/spring`: up to 10 names separated by `/`; in no public response."
        case .managedBy:
            "Who keeps the link, such as the folder of files that `waymark apply` read: others leave it alone. In no public response."
        default: preconditionFailure("\(label.text) has no description")
        }
    }

    static let activity: [Field] = [
        Field("opens", .count, "Openings that apps reported."),
        Field("installs", .count, "First starts after an installation that apps reported."),
        Field("resolves", .count, "Answered resolves."),
        Field("redeems", .count, "Resolves and claims that took a redeem."),
        Field("claims", .count, "Deferred links that an installation received."),
        Field("conversions", .count, "Conversions; none are recorded yet."),
    ]
}
