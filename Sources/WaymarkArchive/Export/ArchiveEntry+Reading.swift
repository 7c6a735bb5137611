internal import WaymarkJSON
internal import WaymarkLinks

extension ArchiveEntry {
    /// Nil where the value is no entry, or one that this version can't read whole: nothing is passed over.
    init?(_ value: JSONValue) {
        guard let members = value.object?.members, members.count == 1, let member = members.first else { return nil }
        var fields = Fields(member.value.object ?? JSONObject())
        switch member.name {
        case "application":
            guard let id = fields.text("id").flatMap({ ApplicationID($0) }), let version = fields.number("version"),
                let document = fields.bytes("document")
            else { return nil }
            var domains: [HostName] = []
            for name in fields.texts("domains") {
                guard let domain = HostName(name) else { return nil }
                domains.append(domain)
            }
            self = .application(StoredApplication(id: id, domains: domains, document: document, version: version))
        case "key":
            guard let key = StoredKey(&fields) else { return nil }
            self = .key(key)
        case "secret":
            guard let name = fields.text("name"), let bytes = fields.hexadecimal("value") else { return nil }
            self = .secret(StoredSecret(name: name, value: bytes))
        case "record":
            guard let scope = fields.hexadecimal("scope"), let fingerprint = fields.hexadecimal("fingerprint"),
                let end = fields.time("expiresAt"), let kind = fields.number("kind"),
                let answer = fields.hexadecimal("answer")
            else { return nil }
            self = .record(
                ArchivedRecord(
                    scope: scope, fingerprint: fingerprint, expiresAt: end, kind: Int64(kind), answer: answer))
        case "lastID":
            guard let id = member.value.integer, id >= 0 else { return nil }
            self = .lastID(Int64(id))
            return
        case "clicks":
            guard let link = fields.number("link"), let day = fields.number("day"),
                let number = fields.number("number"),
                let bytes = fields.base64("bytes"), number > .min, ClickBlock.days.contains(day)
            else { return nil }
            self = .clicks(
                ClickBlock(
                    key: ClickBlock.Key(link: LinkID(rawValue: Int64(link)), day: day, number: Int64(number)),
                    bytes: bytes))
        case "activity":
            guard let activity = DailyActivity(&fields) else { return nil }
            self = .activity(activity)
        case "link":
            guard let link = ArchivedLink(&fields) else { return nil }
            self = .link(link)
        default: return nil
        }
        guard fields.areRead else { return nil }
    }
}

extension DailyActivity {
    fileprivate init?(_ fields: inout Fields) {
        guard let link = fields.number("link"), let day = fields.number("day") else { return nil }
        let counts = Self.countNames.map { fields.number(String(describing: $0)) ?? 0 }
        self.init(link: LinkID(rawValue: Int64(link)), day: day, counts: LinkActivity(values: counts))
        guard isReadable else { return nil }
    }
}

extension StoredKey {
    fileprivate init?(_ fields: inout Fields) {
        guard let id = fields.text("id"), let name = fields.text("name"), let digest = fields.hexadecimal("sha256"),
            let createdAt = fields.time("createdAt")
        else { return nil }
        var application: ApplicationID?
        if let name = fields.text("app") {
            guard let id = ApplicationID(name) else { return nil }
            application = id
        }
        var scopes: Set<KeyScope> = []
        for name in fields.texts("scopes") {
            guard let scope = KeyScope(rawValue: name) else { return nil }
            scopes.insert(scope)
        }
        self.init(
            id: id, name: name, digest: digest, application: application, scopes: scopes, createdAt: createdAt,
            expiresAt: fields.time("expiresAt"), lastUsedAt: fields.time("lastUsedAt"))
    }
}

extension ArchivedLink {
    fileprivate init?(_ fields: inout Fields) {
        guard let id = fields.number("id"), let application = fields.text("app").flatMap({ ApplicationID($0) }),
            let domain = fields.text("domain").flatMap({ HostName($0) }),
            let slug = fields.text("slug").flatMap({ Slug($0) }), let content = LinkContent(&fields),
            let createdAt = fields.time("createdAt"), let updatedAt = fields.time("updatedAt"),
            let version = fields.number("version")
        else { return nil }
        let metadata = fields.hexadecimal("sealedMetadata") ?? fields.bytes("metadata")
        let counts = ["redeemed", "clicks", "reservedClicks", "opens", "installs"].map { fields.number($0) ?? 0 }
        guard counts.allSatisfy({ $0 >= 0 }) else { return nil }
        self.init(
            link: Link(
                id: LinkID(rawValue: Int64(id)), application: application, domain: domain, slug: slug,
                content: content, hasMetadata: metadata != nil, redeemed: counts[0], clicks: counts[1],
                reservedClicks: counts[2], createdAt: createdAt, updatedAt: updatedAt, version: version),
            identity: fields.hexadecimal("identity"), metadata: metadata,
            events: EventCounts(opens: counts[3], installs: counts[4]), redeemLimit: content.redeemLimit,
            maxClicks: content.maxClicks)
    }
}

extension LinkContent {
    fileprivate init?(_ fields: inout Fields) {
        self.init()
        if let text = fields.text("route") {
            guard let route = Route(text) else { return nil }
            self.route = route
        }
        routeParameters = fields.parameters("routeParameters")
        queryParameters = fields.parameters("queryParameters")
        if let entries = fields.object("urls") {
            for entry in entries.members {
                guard let platform = Platform(rawValue: entry.name), let object = entry.value.object,
                    let url = URLEntry(object)
                else { return nil }
                urls[platform] = url
            }
        }
        redeemLimit = fields.number("redeemLimit") ?? 0
        validFrom = fields.time("validFrom")
        expiresAt = fields.time("expiresAt")
        maxClicks = fields.number("maxClicks")
        if let object = fields.object("social") {
            var inner = Fields(object)
            social = SocialCard(title: inner.text("title"), description: inner.text("description"), imageURL: nil)
            if let text = inner.text("imageURL") {
                guard let url = WebURL(text) else { return nil }
                social?.imageURL = url
            }
            guard inner.areRead else { return nil }
        }
        if let object = fields.object("campaign") {
            var inner = Fields(object)
            campaign = Campaign(
                source: inner.text("source"), medium: inner.text("medium"), name: inner.text("name"),
                term: inner.text("term"), content: inner.text("content"))
            guard inner.areRead else { return nil }
        }
        tags = fields.texts("tags")
        for text in fields.texts("rules") {
            guard let rule = Hexadecimal.bytes(text).flatMap({ Rule(stored: $0) }) else { return nil }
            rules.append(rule)
        }
        forwardQuery = fields.flag("forwardQuery")
        disabled = fields.flag("disabled") ?? false
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
            minimumVersions = versions
        }
    }
}

extension URLEntry {
    fileprivate init?(_ object: JSONObject) {
        var fields = Fields(object)
        guard let link = fields.text("link").flatMap({ URLPattern($0) }) else { return nil }
        var fallback: Fallback?
        switch fields.text("fallback") {
        case nil: break
        case "store": fallback = .store
        case "web": fallback = .web
        case let text?:
            guard let url = WebURL(text) else { return nil }
            fallback = .url(url)
        }
        guard fields.areRead else { return nil }
        self.init(link: link, fallback: fallback)
    }
}
