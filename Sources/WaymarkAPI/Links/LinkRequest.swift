package import WaymarkJSON

/// What creates a link: the body of `POST /api/v1/links` and one element of a batch.
///
/// Only shape is checked here (names and JSON types). Whether a slug is free, a route is known or a URL may be led to
/// is the server's answer.
public struct LinkRequest: Sendable, Hashable {
    /// May be left out where the server has one application only.
    public var app: String?
    public var domain: String?
    /// Nil: the server makes one.
    public var slug: String?
    public var route: String?
    public var routeParameters: [String: String] = [:]
    public var queryParameters: [String: String] = [:]
    /// Platform → URL: `iphone`, `ipad`, `ios`, `android`, `macos`, `windows`, `linux`, `web`.
    public var urls: [String: URLEntryRequest] = [:]
    /// At most 16 KiB as sent.
    public var metadata: RawJSON?
    /// How many resolves receive the metadata; 0 and nil: all.
    public var redeemLimit: Int?
    /// RFC 3339.
    public var validFrom: String?
    /// RFC 3339.
    public var expiresAt: String?
    public var maxClicks: Int?
    public var social: SocialRequest?
    public var campaign: CampaignRequest?
    public var tags: [String] = []
    /// A name for lists, up to 200 characters. Visitors never see it.
    public var title: String?
    /// Remarks for colleagues, up to 2,000 characters. Visitors never see them.
    public var note: String?
    /// Nil leaves it to the application.
    public var forwardQuery: Bool?
    public var disabled: Bool?
    /// The same body again gives the same link again.
    public var unique: Bool?
    /// The first that matches wins over `urls` and the template.
    public var rules: [RuleRequest] = []
    /// What the link wants of the installed app, ahead of what the application wants.
    public var minimumVersion: MinimumVersionRequest?

    package static let shape: JSONShape = {
        let parameters = JSONShape.map(.scalar, atMost: BodyMaximum.names)
        return .names(
            [
                "app", "domain", "slug", "route", "redeemLimit", "validFrom", "expiresAt", "maxClicks", "forwardQuery",
                "disabled", "unique", "title", "note",
            ],
            [
                "routeParameters": parameters, "queryParameters": parameters, "urls": .urls,
                "metadata": .bytes(atMost: BodyMaximum.metadata),
                "social": .names(["title", "description", "imageURL"]),
                "campaign": .names(["source", "medium", "name", "term", "content"]),
                "tags": .strings(atMost: BodyMaximum.tags), "rules": .rules,
                "minimumVersion": .names(["ios", "android"]),
            ])
    }()

    public init() {}

    /// Reads a body, with every unknown field and wrong type named.
    public init(json: [UInt8]) throws(BodyError) {
        self = try ObjectReader.body(json, shape: Self.shape) { LinkRequest(reading: &$0) }
    }

    package init(_ document: JSONDocument, _ value: JSONValue? = nil) throws(BodyError) {
        self = try ObjectReader.body(document, value) { LinkRequest(reading: &$0) }
    }

    /// What can be read of a body, and what is wrong with its shape.
    package static func attempt(
        _ document: JSONDocument, _ value: JSONValue? = nil
    ) -> (body: LinkRequest?, problems: [FieldProblem]) {
        ObjectReader.attempt(document, value) { LinkRequest(reading: &$0) }
    }

    private init(reading reader: inout ObjectReader) {
        app = reader.string("app")
        domain = reader.string("domain")
        slug = reader.string("slug")
        route = reader.string("route")
        routeParameters = reader.parameters("routeParameters") ?? [:]
        queryParameters = reader.parameters("queryParameters") ?? [:]
        urls = reader.urls("urls") ?? [:]
        metadata = reader.rawObject("metadata")
        redeemLimit = reader.integer("redeemLimit")
        validFrom = reader.string("validFrom")
        expiresAt = reader.string("expiresAt")
        maxClicks = reader.integer("maxClicks")
        social = reader.object("social") { SocialRequest(reading: &$0) }
        campaign = reader.object("campaign") { CampaignRequest(reading: &$0) }
        tags = reader.strings("tags") ?? []
        title = reader.string("title")
        note = reader.string("note")
        forwardQuery = reader.bool("forwardQuery")
        disabled = reader.bool("disabled")
        unique = reader.bool("unique")
        rules = reader.rules()
        minimumVersion = reader.object("minimumVersion") { MinimumVersionRequest(reading: &$0) }
    }

    /// The body that is sent: only what is given.
    public var json: [UInt8] { JSONWriter.text { write(to: &$0) } }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("app", ifGiven: app)
        writer.member("domain", ifGiven: domain)
        writer.member("slug", ifGiven: slug)
        writer.member("route", ifGiven: route)
        if !routeParameters.isEmpty { writer.parameters("routeParameters", routeParameters) }
        if !queryParameters.isEmpty { writer.parameters("queryParameters", queryParameters) }
        if !urls.isEmpty { writer.urls("urls", urls) }
        if let metadata { writer.member("metadata", raw: metadata.bytes) }
        writer.member("redeemLimit", ifGiven: redeemLimit)
        writer.member("validFrom", ifGiven: validFrom)
        writer.member("expiresAt", ifGiven: expiresAt)
        writer.member("maxClicks", ifGiven: maxClicks)
        if let social {
            writer.name("social")
            social.write(to: &writer)
        }
        if let campaign {
            writer.name("campaign")
            campaign.write(to: &writer)
        }
        if !tags.isEmpty { writer.strings("tags", tags) }
        writer.member("title", ifGiven: title)
        writer.member("note", ifGiven: note)
        writer.member("forwardQuery", ifGiven: forwardQuery)
        writer.member("disabled", ifGiven: disabled)
        writer.member("unique", ifGiven: unique)
        if !rules.isEmpty { writer.rules(rules) }
        if let minimumVersion {
            writer.name("minimumVersion")
            minimumVersion.write(to: &writer)
        }
        writer.endObject()
    }
}
