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
    /// Whether visitors need a password.
    public var hasPassword = false
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
    package var labels = LinkLabels()
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
    /// Only sent if the link has its own.
    public var clickDetail: String?
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
    /// Only sent for active links that were verified since their last change.
    public var verified: LinkVerified?

    public var title: String? {
        get { labels[.title] }
        set { labels[.title] = newValue }
    }

    public var note: String? {
        get { labels[.note] }
        set { labels[.note] = newValue }
    }

    public var folder: String? {
        get { labels[.folder] }
        set { labels[.folder] = newValue }
    }

    public var managedBy: String? {
        get { labels[.managedBy] }
        set { labels[.managedBy] = newValue }
    }

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

    /// Every member, in the order of the API's documents.
    package static let members = MemberTable<LinkResponse> {
        Member("smartlink", .text, always: \.smartlink)
        Member("domain", .text, always: \.domain)
        Member("slug", .text, always: \.slug)
        Member("aliases", .texts(atMost: .max), elements: \.aliases)
        Member("app", .text, always: \.app)
        Member("route", .text, \.route, .isNullable)
        Member("routeParameters", .parameters, elements: \.routeParameters, .isNullable)
        Member("queryParameters", .parameters, elements: \.queryParameters, .isNullable)
        Member("urls", .urls, elements: \.urls, .isNullable)
        Member("hasMetadata", .flag, always: \.hasMetadata)
        Member("hasPassword", .flag, always: \.hasPassword)
        Member("redeemLimit", .integer, always: \.redeemLimit)
        Member("redeem", .redeemCount, always: \.redeem)
        Member("state", .text, always: \.state)
        Member("disabled", .flag, always: \.disabled)
        Member("validFrom", .text, \.validFrom, .isNullable)
        Member("expiresAt", .text, \.expiresAt, .isNullable)
        Member("maxClicks", .integer, \.maxClicks, .isNullable)
        Member("clicks", .integer, always: \.clicks)
        Member("social", .object(SocialRequest.members) { SocialRequest() }, \.social, .isNullable)
        Member("campaign", .object(CampaignRequest.members) { CampaignRequest() }, \.campaign, .isNullable)
        Member("tags", .texts(atMost: .max), elements: \.tags, .isNullable)
        for label in LinkLabel.all {
            Member(label.name, .text, \.labels[label], .isNullable) { $0.labels[label] }
        }
        Member("forwardQuery", .flag, always: \.forwardQuery)
        Member("queryOverride", flag: \.queryOverride)
        Member("ownSettings", .texts(atMost: .max), elements: \.ownSettings)
        Member("redirectStatus", .integer, \.redirectStatus)
        Member("onExpired", .text, \.onExpired)
        Member("clickDetail", .text, \.clickDetail)
        Member("createdAt", .text, always: \.createdAt)
        Member("updatedAt", .text, always: \.updatedAt)
        Member("version", .integer, always: \.version)
        Member("rules", .rules, elements: \.rules)
        Member("minimumVersion", .object(MinimumVersionRequest.members) { MinimumVersionRequest() }, \.minimumVersion)
        Member("firebase", .parameters, elements: \.firebase)
        Member("importedClicks", .integer, \.importedClicks)
        Member("verified", .object(LinkVerified.members) { LinkVerified() }, \.verified)
    }

    public var json: [UInt8] {
        var writer = JSONWriter(capacity: 896)
        Self.members.write(self, to: &writer)
        return writer.bytes
    }

    package func write(to writer: inout JSONWriter) { Self.members.write(self, to: &writer) }
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
            createdAt: "", updatedAt: "", version: version)
        _ = ObjectReader.attempt(JSONDocument(root: value)) { Self.members.read(&$0, into: &self) }
    }
}

extension MemberType<RedeemCount> {
    fileprivate static var redeemCount: Self {
        Self(.any) { reader, name in
            RedeemCount(reader.value(name))
        } write: { writer, name, count in
            writer.name(name)
            count.write(to: &writer)
        }
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
    /// If they were requested. Not decoded.
    public var recentClicks: RecentClicksResponse?

    public init(
        links: [LinkResponse], cursor: String?, total: Total? = nil, recentClicks: RecentClicksResponse? = nil
    ) {
        self.links = links
        self.cursor = cursor
        self.total = total
        self.recentClicks = recentClicks
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
            if let recentClicks {
                writer.name("recentClicks")
                recentClicks.write(to: &writer)
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
