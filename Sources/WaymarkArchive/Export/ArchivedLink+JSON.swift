internal import WaymarkAPI
import WaymarkBytes
internal import WaymarkJSON
internal import WaymarkLinks
internal import WaymarkStores

// Reads and writes a link in an export. Every field is in both halves.

extension ArchivedLink {
    init?(_ fields: inout Fields) {
        guard let id = fields.number("id"), let application = fields.text("app").flatMap({ ApplicationID($0) }),
            let domain = fields.text("domain").flatMap({ HostName($0) }),
            let slug = fields.text("slug").flatMap({ Slug($0) }), let content = LinkContent(&fields, of: domain),
            let createdAt = fields.time("createdAt"), let updatedAt = fields.time("updatedAt"),
            let version = fields.number("version")
        else { return nil }
        let metadata = fields.hexadecimal("sealedMetadata") ?? fields.bytes("metadata")
        let counts = ["redeemed", "clicks", "reservedClicks", "opens", "installs", "freeClicks"].map {
            fields.number($0) ?? 0
        }
        guard counts.allSatisfy({ $0 >= 0 }) else { return nil }
        var history: [LinkHistoryEntry] = []
        for value in fields.array("history") {
            guard let entry = value.object.flatMap({ LinkHistoryEntry($0, domain) }) else { return nil }
            history.append(entry)
        }
        self.init(
            link: Link(
                id: LinkID(rawValue: Int64(id)), application: application, domain: domain, slug: slug,
                content: content, hasMetadata: metadata != nil, redeemed: counts[0], clicks: counts[1],
                freeClicks: counts[5], reservedClicks: counts[2], createdAt: createdAt, updatedAt: updatedAt,
                version: version),
            identity: fields.hexadecimal("identity"), metadata: metadata,
            events: EventCounts(opens: counts[3], installs: counts[4]), redeemLimit: content.redeemLimit,
            maxClicks: content.maxClicks, history: history)
    }
}

extension LinkHistoryEntry {
    fileprivate init?(_ object: JSONObject, _ domain: HostName) {
        var fields = Fields(object)
        guard let version = fields.number("version"), let at = fields.time("at") else { return nil }
        var author: ChangeAuthor?
        if let id = fields.text("key") { author = ChangeAuthor(id: id, name: fields.text("name") ?? "") }
        self.init(version: version, at: at, author: author, fields: fields.texts("fields"))
        if let object = fields.object("former") {
            var inner = Fields(object)
            guard let slug = inner.text("slug").flatMap({ Slug($0) }), let content = LinkContent(&inner, of: domain),
                inner.areRead
            else { return nil }
            former = Former(slug: slug, content: content)
        }
        guard fields.areRead else { return nil }
    }
}

extension LinkContent {
    fileprivate init?(_ fields: inout Fields, of domain: HostName) {
        self.init()
        if let text = fields.text("route") {
            guard let route = Route(text) else { return nil }
            self.route = route
        }
        self.routeParameters = fields.parameters("routeParameters")
        self.queryParameters = fields.parameters("queryParameters")
        if let entries = fields.object("urls") {
            for entry in entries.members {
                guard let platform = Platform(rawValue: entry.name), let object = entry.value.object,
                    let url = URLEntry(object)
                else { return nil }
                self.urls[platform] = url
            }
        }
        self.redeemLimit = fields.number("redeemLimit") ?? 0
        self.validFrom = fields.time("validFrom")
        self.expiresAt = fields.time("expiresAt")
        self.maxClicks = fields.number("maxClicks")
        if let object = fields.object("social") {
            var inner = Fields(object)
            self.social = SocialCard(title: inner.text("title"), description: inner.text("description"), imageURL: nil)
            if let text = inner.text("imageURL") {
                guard let url = WebURL(text) else { return nil }
                self.social?.imageURL = url
            }
            guard inner.areRead else { return nil }
        }
        if let object = fields.object("campaign") {
            var inner = Fields(object)
            self.campaign = CampaignRequest(
                source: inner.text("source"), medium: inner.text("medium"), name: inner.text("name"),
                term: inner.text("term"), content: inner.text("content"))
            guard inner.areRead else { return nil }
        }
        self.tags = fields.texts("tags")
        for label in LinkLabel.all { self.labels[label] = fields.text(label.text) }
        for value in fields.array("rules") {
            guard let rule = Rule(archived: value) else { return nil }
            self.rules.append(rule)
        }
        self.importedClicks = fields.number("importedClicks")
        for text in fields.texts("aliases") {
            guard let alias = LinkAlias(text, of: domain) else { return nil }
            self.aliases.append(alias)
        }
        let firebase = fields.parameters("firebase")
        if !firebase.isEmpty {
            var values: [FirebaseParameter: String] = [:]
            for (name, value) in firebase {
                guard let name = FirebaseParameter(rawValue: name) else { return nil }
                values[name] = value
            }
            self.firebase = FirebaseParameters(values)
        }
        self.forwardQuery = fields.flag("forwardQuery")
        self.queryOverride = fields.flag("queryOverride")
        if let status = fields.number("redirectStatus") {
            guard ApplicationRequest.redirectStatuses.contains(status) else { return nil }
            self.redirectStatus = status
        }
        if let text = fields.text("clickDetail") {
            guard let detail = ClickDetail(rawValue: text) else { return nil }
            self.clickDetail = detail
        }
        if let text = fields.text("onExpired") {
            guard let url = WebURL(text) else { return nil }
            self.onExpired = url
        }
        if let text = fields.text("passwordHash") {
            guard let password = LinkPassword(text) else { return nil }
            self.password = password
        }
        self.disabled = fields.flag("disabled") ?? false
        if let object = fields.object("minimumVersion") {
            var inner = Fields(object)
            var versions = MinimumVersions()
            if let text = inner.text("ios") {
                guard let version = AppVersion(text) else { return nil }
                versions.ios = version
            }
            if let text = inner.text("android") {
                guard let version = AppVersion(text) else { return nil }
                versions.android = version
            }
            guard inner.areRead, versions != MinimumVersions() else { return nil }
            self.minimumVersions = versions
        }
    }
}

extension URLEntry {
    fileprivate init?(_ object: JSONObject) {
        var fields = Fields(object)
        guard let link = fields.text("link") else { return nil }
        let request = URLEntryRequest(link, fallback: fields.text("fallback"))
        guard fields.areRead else { return nil }
        self.init(stored: request)
    }
}

extension JSONWriter {
    mutating func write(_ archived: ArchivedLink) {
        let link = archived.link
        member("id", Int(link.id.rawValue))
        member("app", link.application.text)
        member("domain", link.domain.text)
        member("slug", link.slug.text)
        write(link.content, of: link.domain)
        if let metadata = archived.metadata {
            if SealedMetadata.isSealed(metadata) {
                member("sealedMetadata", Hexadecimal.text(metadata))
            } else {
                bytes("metadata", metadata)
            }
        }
        number("redeemed", link.redeemed)
        number("clicks", link.clicks)
        number("freeClicks", link.freeClicks)
        number("reservedClicks", link.reservedClicks)
        number("opens", archived.events.opens)
        number("installs", archived.events.installs)
        if let identity = archived.identity { member("identity", Hexadecimal.text(identity)) }
        time("createdAt", link.createdAt)
        time("updatedAt", link.updatedAt)
        member("version", link.version)
        guard !archived.history.isEmpty else { return }
        name("history")
        beginArray()
        for entry in archived.history {
            beginObject()
            member("version", entry.version)
            time("at", entry.at)
            given("key", entry.author?.id)
            given("name", entry.author?.name)
            strings("fields", entry.fields)
            if let former = entry.former {
                object("former") { writer in
                    writer.member("slug", former.slug.text)
                    writer.write(former.content, of: link.domain)
                }
            }
            endObject()
        }
        endArray()
    }

    private mutating func write(_ content: LinkContent, of domain: HostName) {
        strings("aliases", content.aliases.map { $0.text(of: domain) })
        given("route", content.route?.text)
        texts("routeParameters", content.routeParameters)
        texts("queryParameters", content.queryParameters)
        if !content.urls.isEmpty {
            object("urls") { writer in
                for platform in Platform.allCases {
                    guard let entry = content.urls[platform] else { continue }
                    writer.name(given: platform.rawValue)
                    writer.beginObject()
                    writer.member("link", entry.link.text)
                    writer.given("fallback", entry.fallback?.text)
                    writer.endObject()
                }
            }
        }
        number("redeemLimit", content.redeemLimit)
        time("validFrom", content.validFrom)
        time("expiresAt", content.expiresAt)
        if let most = content.maxClicks { member("maxClicks", most) }
        if let social = content.social {
            object("social") { writer in
                writer.given("title", social.title)
                writer.given("description", social.description)
                writer.given("imageURL", social.imageURL?.text)
            }
        }
        if let campaign = content.campaign {
            object("campaign") { writer in
                writer.given("source", campaign.source)
                writer.given("medium", campaign.medium)
                writer.given("name", campaign.name)
                writer.given("term", campaign.term)
                writer.given("content", campaign.content)
            }
        }
        strings("tags", content.tags)
        for entry in content.labels.entries { given(entry.label.name, entry.value) }
        rules(content.rules)
        if let forwardQuery = content.forwardQuery { member("forwardQuery", forwardQuery) }
        if let queryOverride = content.queryOverride { member("queryOverride", queryOverride) }
        if let status = content.redirectStatus { member("redirectStatus", status) }
        given("onExpired", content.onExpired?.text)
        given("clickDetail", content.clickDetail?.rawValue)
        given("passwordHash", content.password?.text)
        if let clicks = content.importedClicks { member("importedClicks", clicks) }
        let firebase = content.firebase?.entries ?? []
        texts("firebase", Dictionary(firebase.map { ($0.name.rawValue, $0.value) }) { first, _ in first })
        if content.disabled { member("disabled", true) }
        if let versions = content.minimumVersions {
            object("minimumVersion") { writer in
                writer.given("ios", versions.ios?.text)
                writer.given("android", versions.android?.text)
            }
        }
    }
}

extension DailyActivity {
    /// The names of `LinkActivity.values` in an export, in the same order.
    static let countNames: [StaticString] = [
        "opens", "installs", "resolves", "redeems", "claims", "androidInstallEvents", "androidInstalls",
    ]

    /// Whether the counts and the day are valid and accepted by an import.
    var isReadable: Bool { counts.values.allSatisfy { $0 >= 0 } && ClickBlock.days.contains(day) }
}
