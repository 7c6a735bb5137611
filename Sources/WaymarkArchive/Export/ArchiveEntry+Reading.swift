internal import WaymarkJSON
internal import WaymarkLinks
internal import WaymarkStores

extension ArchiveEntry {
    /// Nil if the value is not an entry, or has members unknown to this version: nothing is ignored.
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
        case "route":
            guard let route = ArchivedRoute(&fields) else { return nil }
            self = .route(route)
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
            expiresAt: fields.time("expiresAt"), lastUsedAt: fields.time("lastUsedAt"), platform: fields.platform())
    }
}

extension ArchivedRoute {
    fileprivate init?(_ fields: inout Fields) {
        guard let application = fields.text("app").flatMap({ ApplicationID($0) }),
            let path = fields.text("path").flatMap({ Route($0) }), let registeredAt = fields.time("registeredAt")
        else { return nil }
        self.init(
            application: application,
            route: RegisteredRoute(
                path: path, platform: fields.platform(), device: fields.text("device"), build: fields.text("build"),
                version: fields.text("version"), urlSchemes: fields.texts("urlSchemes"), registeredAt: registeredAt))
    }
}
