package import WaymarkJSON

/// A link as returned by the server, without its metadata.
public struct LinkResponse: Sendable, Hashable {
    /// The URL to share.
    public var smartlink: String
    public var domain: String
    public var slug: String
    /// Earlier slugs, oldest first, which lead to the link too. Only sent if there are any.
    public var aliases: [String] = []
    public var app: String
    public var route: String?
    public var routeParameters: [String: String] = [:]
    public var queryParameters: [String: String] = [:]
    public var urls: [String: URLEntryRequest] = [:]
    public var hasMetadata = false
    /// 0: unlimited.
    public var redeemLimit = 0
    public var redeem: RedeemCount
    /// `disabled`, `expired`, `exhausted`, `scheduled` or `active`.
    public var state: String
    public var disabled = false
    /// RFC 3339.
    public var validFrom: String?
    /// RFC 3339.
    public var expiresAt: String?
    public var maxClicks: Int?
    /// Human clicks, up to two seconds old.
    public var clicks = 0
    public var social: SocialRequest?
    public var campaign: CampaignRequest?
    public var tags: [String] = []
    public var title: String?
    public var note: String?
    public var forwardQuery = true
    /// Absent where it is false.
    public var queryOverride = false
    /// Which of `forwardQuery` and `queryOverride` the link sets itself; the others are the application's. Only sent if not
    /// empty.
    public var ownSettings: [String] = []
    /// Only sent if the link has its own.
    public var redirectStatus: Int?
    /// Only sent if the link has its own.
    public var onExpired: String?
    /// RFC 3339.
    public var createdAt: String
    /// RFC 3339.
    public var updatedAt: String
    /// Incremented by each patch and each new slug; the `ETag`.
    public var version: Int
    /// Only sent if not empty.
    public var rules: [RuleRequest] = []
    /// Only sent if the link has one.
    public var minimumVersion: MinimumVersionRequest?
    /// Only sent for links created as Firebase Dynamic Links: the parameters that took effect.
    public var firebase: [String: String] = [:]
    /// Only sent for imported links: the clicks counted by the previous service. `clicks` does not include them.
    public var importedClicks: Int?

    /// The other members are set afterwards.
    package init(
        smartlink: String, domain: String, slug: String, app: String, redeem: RedeemCount, state: String,
        createdAt: String, updatedAt: String, version: Int
    ) {
        self.smartlink = smartlink
        self.domain = domain
        self.slug = slug
        self.app = app
        self.redeem = redeem
        self.state = state
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.version = version
    }

    public var json: [UInt8] { JSONWriter.text(capacity: 896) { write(to: &$0) } }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("smartlink", smartlink)
        writer.member("domain", domain)
        writer.member("slug", slug)
        if !aliases.isEmpty { writer.strings("aliases", aliases) }
        writer.member("app", app)
        writer.member("route", route)
        writer.parameters("routeParameters", routeParameters)
        writer.parameters("queryParameters", queryParameters)
        writer.urls("urls", urls)
        writer.member("hasMetadata", hasMetadata)
        writer.member("redeemLimit", redeemLimit)
        writer.name("redeem")
        redeem.write(to: &writer)
        writer.member("state", state)
        writer.member("disabled", disabled)
        writer.member("validFrom", validFrom)
        writer.member("expiresAt", expiresAt)
        writer.member("maxClicks", maxClicks)
        writer.member("clicks", clicks)
        writer.name("social")
        if let social { social.write(to: &writer) } else { writer.null() }
        writer.name("campaign")
        if let campaign { campaign.write(to: &writer) } else { writer.null() }
        writer.strings("tags", tags)
        writer.member("title", title)
        writer.member("note", note)
        writer.member("forwardQuery", forwardQuery)
        if queryOverride { writer.member("queryOverride", true) }
        if !ownSettings.isEmpty { writer.strings("ownSettings", ownSettings) }
        writer.member("redirectStatus", ifGiven: redirectStatus)
        writer.member("onExpired", ifGiven: onExpired)
        writer.member("createdAt", createdAt)
        writer.member("updatedAt", updatedAt)
        writer.member("version", version)
        if !rules.isEmpty { writer.rules(rules) }
        if let minimumVersion {
            writer.name("minimumVersion")
            minimumVersion.write(to: &writer)
        }
        if !firebase.isEmpty { writer.parameters("firebase", firebase) }
        if let importedClicks { writer.member("importedClicks", importedClicks) }
        writer.endObject()
    }
}

/// The client's side: unknown members are ignored, because a newer server may send more.
extension LinkResponse {
    /// Decodes a link in a server's response; nil if the bytes are not one.
    public init?(json: [UInt8]) {
        guard let value = try? JSONValue(parsing: json) else { return nil }
        self.init(value)
    }

    package init?(_ value: JSONValue) {
        guard let smartlink = value["smartlink"]?.string, let domain = value["domain"]?.string,
            let slug = value["slug"]?.string, let app = value["app"]?.string,
            let redeem = RedeemCount(value["redeem"]), let state = value["state"]?.string,
            let version = value["version"]?.integer
        else { return nil }
        self.init(
            smartlink: smartlink, domain: domain, slug: slug, app: app, redeem: redeem, state: state,
            createdAt: value["createdAt"]?.string ?? "", updatedAt: value["updatedAt"]?.string ?? "", version: version)
        aliases = (value["aliases"]?.array ?? []).compactMap(\.string)
        route = value["route"]?.string
        routeParameters = Self.parameters(value["routeParameters"])
        queryParameters = Self.parameters(value["queryParameters"])
        urls = Self.urls(value["urls"])
        hasMetadata = value["hasMetadata"]?.bool ?? false
        redeemLimit = value["redeemLimit"]?.integer ?? 0
        disabled = value["disabled"]?.bool ?? false
        validFrom = value["validFrom"]?.string
        expiresAt = value["expiresAt"]?.string
        maxClicks = value["maxClicks"]?.integer
        clicks = value["clicks"]?.integer ?? 0
        social = value["social"]?.object.map { social in
            SocialRequest(
                title: social["title"]?.string, description: social["description"]?.string,
                imageURL: social["imageURL"]?.string)
        }
        campaign = value["campaign"]?.object.map { campaign in
            CampaignRequest(
                source: campaign["source"]?.string, medium: campaign["medium"]?.string,
                name: campaign["name"]?.string, term: campaign["term"]?.string,
                content: campaign["content"]?.string)
        }
        tags = (value["tags"]?.array ?? []).compactMap(\.string)
        title = value["title"]?.string
        note = value["note"]?.string
        forwardQuery = value["forwardQuery"]?.bool ?? true
        queryOverride = value["queryOverride"]?.bool ?? false
        ownSettings = (value["ownSettings"]?.array ?? []).compactMap(\.string)
        redirectStatus = value["redirectStatus"]?.integer
        onExpired = value["onExpired"]?.string
        rules = (value["rules"]?.array ?? []).compactMap { RuleRequest.attempt($0).rule }
        minimumVersion = MinimumVersionRequest(value["minimumVersion"])
        firebase = Self.parameters(value["firebase"])
        importedClicks = value["importedClicks"]?.integer
    }

    static func parameters(_ value: JSONValue?) -> [String: String] {
        var parameters: [String: String] = [:]
        for member in value?.object?.members ?? [] { parameters[member.name] = ParameterText.read(member.value) }
        return parameters
    }

    private static func urls(_ value: JSONValue?) -> [String: URLEntryRequest] {
        var urls: [String: URLEntryRequest] = [:]
        for member in value?.object?.members ?? [] {
            guard let link = member.value.string ?? member.value["link"]?.string else { continue }
            urls[member.name] = URLEntryRequest(link, fallback: member.value["fallback"]?.string)
        }
        return urls
    }
}

/// One page of links.
public struct LinkListResponse: Sendable, Hashable {
    /// How many links match.
    public struct Total: Sendable, Hashable {
        public var links: Int
        /// Whether there may be more.
        public var isLowerBound: Bool

        public init(links: Int, isLowerBound: Bool) {
            self.links = links
            self.isLowerBound = isLowerBound
        }
    }

    /// May be fewer than requested even if there is a cursor.
    public var links: [LinkResponse]
    /// The start of the next page; nil on the last page.
    public var cursor: String?
    /// If it was requested.
    public var total: Total?

    public init(links: [LinkResponse], cursor: String?, total: Total? = nil) {
        self.links = links
        self.cursor = cursor
        self.total = total
    }

    public var json: [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            writer.array("links", links) { $0.write(to: &$1) }
            writer.member("cursor", cursor)
            if let total {
                writer.member("total", total.links)
                if total.isLowerBound { writer.member("totalIsLowerBound", true) }
            }
            writer.endObject()
        }
    }

    /// Decodes a page in a server's response; nil if the bytes are not one.
    public init?(json: [UInt8]) {
        guard let value = try? JSONValue(parsing: json), let links = value["links"]?.array else { return nil }
        self.links = links.compactMap { LinkResponse($0) }
        cursor = value["cursor"]?.string
        total = value["total"]?.integer.map {
            Total(links: $0, isLowerBound: value["totalIsLowerBound"]?.bool ?? false)
        }
    }
}
