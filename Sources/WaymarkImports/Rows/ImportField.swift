package import WaymarkAPI
import WaymarkBytes
internal import WaymarkJSON
package import WaymarkLinks

/// What a column of a file, or a member of an answer, says about a link. Its name is what `--map` takes.
package enum ImportField: Sendable, Hashable {
    case smartlink, slug, slugEnding, domain, aliases
    /// A platform's URL, and what follows where the app is missing.
    case url(String)
    case fallback(String)
    case firebase(FirebaseParameter)
    case route
    case routeParameter(String)
    case queryParameter(String)
    case label(LinkLabel)
    case tags, archived, createdAt, importedClicks, validFrom, expiresAt, maxClicks, redeemLimit, disabled
    case forwardQuery, queryOverride, redirectStatus, onExpired, clickDetail, password, hasPassword
    /// Whether the query of a visit is dropped: `forwardQuery` the other way round.
    case ignoredQuery
    /// Tags separated by a comma and a space, so that one may hold a comma.
    case listedTags
    /// The second URL of a split test, and its share in percent.
    case splitURL, splitPercentage
    /// A member whose value is an object or an array, as JSON.
    case json(JSONMember)
    /// A member of the metadata; nil: the whole object.
    case metadata(String?)
    case campaign(CampaignPart)
    case social(SocialPart)
    case minimumVersion(isAndroid: Bool)
    /// Known, and not taken over.
    case ignored

    package enum JSONMember: String, CaseIterable, Sendable { case routeParameters, queryParameters, rules, firebase }
    package enum CampaignPart: String, CaseIterable, Sendable { case source, medium, name, term, content }
    package enum SocialPart: String, CaseIterable, Sendable { case title, description, imageURL }

    /// Nil for a name that is no field.
    package init?(_ name: String) {
        if let member = JSONMember(rawValue: name) {
            self = .json(member)
            return
        }
        if let label = LinkLabel.all.first(where: { $0.text == name }) {
            self = .label(label)
            return
        }
        if let simple = Self.simple[name] {
            self = simple
            return
        }
        let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
        guard let kind = parts.first, let rest = parts.last, parts.count == 2 else { return nil }
        switch kind {
        case "urls":
            let entry = rest.split(separator: ".").map(String.init)
            guard let platform = entry.first, Platform(rawValue: platform) != nil else { return nil }
            switch entry.dropFirst().first {
            case nil, "link": self = .url(platform)
            case "fallback": self = .fallback(platform)
            default: return nil
            }
        case "routeParameters": self = .routeParameter(rest)
        case "queryParameters": self = .queryParameter(rest)
        case "metadata": self = .metadata(rest)
        case "campaign":
            guard let part = CampaignPart(rawValue: rest) else { return nil }
            self = .campaign(part)
        case "social":
            guard let part = SocialPart(rawValue: rest) else { return nil }
            self = .social(part)
        case "minimumVersion":
            guard rest == "ios" || rest == "android" else { return nil }
            self = .minimumVersion(isAndroid: rest == "android")
        case "firebase":
            guard let parameter = FirebaseParameter(rawValue: rest) else { return nil }
            self = .firebase(parameter)
        default: return nil
        }
    }

    private static let simple: [String: ImportField] = [
        "smartlink": .smartlink, "slug": .slug, "domain": .domain, "aliases": .aliases, "route": .route,
        "tags": .tags, "archived": .archived, "createdAt": .createdAt,
        "importedClicks": .importedClicks, "validFrom": .validFrom, "expiresAt": .expiresAt, "maxClicks": .maxClicks,
        "redeemLimit": .redeemLimit, "disabled": .disabled, "forwardQuery": .forwardQuery,
        "queryOverride": .queryOverride, "redirectStatus": .redirectStatus, "onExpired": .onExpired,
        "clickDetail": .clickDetail,
        "password": .password, "hasPassword": .hasPassword,
        "metadata": .metadata(nil), "ignored": .ignored,
    ]
}

extension ForeignLink {
    /// Takes a cell over; an empty one says nothing.
    mutating func set(_ field: ImportField, _ text: String, _ time: ForeignTime) {
        guard !text.isEmpty else { return }
        switch field {
        case .smartlink: setAddress(text)
        case .slug: address.slug = Self.withoutApostrophe(text)
        case .slugEnding: slugEnding = text
        case .domain:
            let host = text.utf8.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ":") }
            address.domain = String(Substring(host))
        case .aliases:
            func addPart(_ part: String) -> Bool {
                add(alias: Address(alias: part))
                return aliases.count <= LinkLimits.aliases
            }
            if text.utf8.first == UInt8(ascii: "["), let parts = JSONText.strings(text) {
                for part in parts where !part.isEmpty { guard addPart(part) else { break } }
            } else {
                text.forEachPart(" ,|", addPart)
            }
        case .url(let platform):
            draft.urls[platform] = URLEntryRequest(text, fallback: draft.urls[platform]?.fallback)
        case .fallback(let platform):
            draft.urls[platform] = URLEntryRequest(draft.urls[platform]?.link ?? "", fallback: text)
        case .firebase(let parameter): firebase[parameter] = text
        case .route: draft.route = text
        case .routeParameter(let name): draft.routeParameters[name] = text
        case .queryParameter(let name): draft.queryParameters[name] = text
        case .label(.title): setTitle(text)
        case .label(.folder): setFolder(text)
        case .label(let label): draft.labels[label] = text
        case .tags:
            if text.utf8.first == UInt8(ascii: "["), let tags = JSONText.strings(text) {
                draft.tags = []
                setTags(tags)
            } else {
                text.forEachPart(",|") { part in add(tag: part) }
            }
        case .archived: isArchived = flag(text) ?? true
        case .createdAt: setCreation(text, time)
        case .importedClicks: setClicks(text)
        case .validFrom: draft.validFrom = moment(text, "validFrom", time)
        case .expiresAt: draft.expiresAt = moment(text, "expiresAt", time)
        case .maxClicks: draft.maxClicks = number(text, "maxClicks")
        case .redeemLimit: draft.redeemLimit = number(text, "redeemLimit")
        case .disabled: draft.disabled = flag(text) ?? true
        case .forwardQuery: draft.forwardQuery = flag(text)
        case .queryOverride: draft.queryOverride = flag(text)
        case .ignoredQuery: draft.forwardQuery = flag(text).map { !$0 }
        case .redirectStatus: setRedirectStatus(text)
        case .clickDetail: if !Self.isNull(text) { draft.clickDetail = text }
        case .onExpired: if !Self.isNull(text) { draft.onExpired = text }
        case .listedTags: setTags(text.split(separator: ", ").map(String.init))
        case .splitURL: if !Self.isNull(text) { splitURL = text }
        case .splitPercentage: splitPercentage = Int(text)
        case .password: setPassword(text)
        case .hasPassword: if flag(text) == true { hasPassword = true }
        case .json(let member):
            if let value = JSONText.value(Array(text.utf8)) {
                setMember(member, value)
            } else {
                refuse("\(member.rawValue): it is not JSON, or has more than \(JSONText.mostValues) values")
            }
        case .metadata(let name?): metadata[name] = JSONValue(text)
        case .metadata(nil):
            if let object = JSONText.value(Array(text.utf8))?.object {
                metadata = object
            } else {
                refuse("its metadata is no JSON object")
            }
        case .campaign(let part): set(part, text)
        case .social(let part): set(part, text)
        case .minimumVersion(let isAndroid):
            var versions = draft.minimumVersion ?? MinimumVersionRequest()
            if isAndroid { versions.android = text } else { versions.ios = text }
            draft.minimumVersion = versions
        case .ignored: break
        }
    }

    mutating func setAddress(_ url: String) {
        let url = Self.withoutApostrophe(url)
        guard let address = Address(url: url) else { return refuse("\"\(url.excerpt(100))\" is no short URL") }
        self.address = address
    }

    private static func withoutApostrophe(_ text: String) -> String {
        text.utf8.first == UInt8(ascii: "'") ? String(Substring(text.utf8.dropFirst())) : text
    }

    /// Titles are for lists only, so a long one is cut.
    mutating func setTitle(_ text: String) {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(LinkLabel.title.limit) {
            scalars.append(scalar.properties.generalCategory == .control ? " " : scalar)
        }
        if text.unicodeScalars.count > LinkLabel.title.limit {
            notes.append("the title was cut to \(LinkLabel.title.limit) characters")
        }
        draft.title = String(scalars)
    }

    /// Other services write paths with a slash at either end, or with spaces around names.
    mutating func setFolder(_ text: String) {
        var names: [Substring] = []
        for part in text.split(separator: "/") {
            var name = part.drop(while: \.isWhitespace)
            while name.last?.isWhitespace == true { name.removeLast() }
            if !name.isEmpty, name != ".", name != ".." { names.append(name) }
        }
        if names.count > LinkLabel.depth {
            notes.append("the folder was cut to \(LinkLabel.depth) names")
            names.removeLast(names.count - LinkLabel.depth)
        }
        var length = names.reduce(names.count - 1) { $0 + $1.unicodeScalars.count }
        if length > LinkLabel.folder.limit {
            notes.append("the folder was cut to \(LinkLabel.folder.limit) characters")
            while length > LinkLabel.folder.limit, let last = names.popLast() {
                length -= last.unicodeScalars.count + 1
            }
        }
        let path = names.joined(separator: "/")
        if path.isEmpty {
            notes.append("the folder \"\(text.excerpt(40))\" has no name")
        } else if path.holdsControlCharacters {
            notes.append("the folder holds control characters and was left out")
        } else {
            draft.folder = path
        }
    }

    mutating func setTags(_ tags: [String]) {
        for tag in tags where !add(tag: tag) { return }
    }

    /// Beyond one more than a link may have tags are not kept: the row will be refused.
    ///
    /// - Returns: Whether there is room for another.
    @discardableResult
    private mutating func add(tag: String) -> Bool {
        let tag = tag.trimmed
        if !tag.isEmpty, draft.tags.count <= LinkLimits.tags, !draft.tags.contains(tag) { draft.tags.append(tag) }
        return draft.tags.count <= LinkLimits.tags
    }

    mutating func setCreation(_ text: String, _ time: ForeignTime) {
        createdAt = time.timestamp(text)
        if createdAt == nil, text != "unknown", !Self.isNull(text) {
            notes.append("the creation time \"\(text.excerpt(40))\" is not known")
        }
    }

    private mutating func setRedirectStatus(_ text: String) {
        if let status = Int(text), ApplicationRequest.redirectStatuses.contains(status) {
            draft.redirectStatus = status
        } else if !Self.isNull(text) {
            notes.append("it redirected with the status \(text.excerpt(20)); here it has the application's")
        }
    }

    mutating func setClicks(_ text: String) {
        if let clicks = Int(text), clicks >= 0 {
            importedClicks = clicks
        } else if !Self.isNull(text) {
            notes.append("\"\(text.excerpt(40))\" is not a number of clicks")
        }
    }

    /// Takes a member of an answer over: a text, a number or a flag; null says nothing.
    mutating func set(_ field: ImportField, _ value: JSONValue?, _ time: ForeignTime) {
        switch value?.kind {
        case .string(let text): set(field, text, time)
        case .number(let number): set(field, number.text, time)
        case .bool(let flag): set(field, flag ? "true" : "false", time)
        case nil, .null, .array, .object: break
        }
    }

    /// Whether a time or a number is `null`, as CSV made of JSON has it.
    private static func isNull(_ text: String) -> Bool { text.utf8.count == 4 && text.lowercased() == "null" }

    private mutating func moment(_ text: String, _ field: String, _ time: ForeignTime) -> String? {
        if Self.isNull(text) { return nil }
        if let moment = time.timestamp(text) { return moment.rfc3339 }
        refuse("\(field): \"\(text.excerpt(40))\" is no time")
        return nil
    }

    private mutating func number(_ text: String, _ field: String) -> Int? {
        if Self.isNull(text) { return nil }
        if let number = Int(text) { return number }
        refuse("\(field): \"\(text.excerpt(40))\" is no number")
        return nil
    }

    func flag(_ text: String) -> Bool? {
        guard text.utf8.count <= 5 else { return nil }
        return switch text.lowercased() {
        case "true", "yes", "1", "on", "y", "t": true
        case "false", "no", "0", "off", "n", "f", "null": false
        default: nil
        }
    }

    private mutating func set(_ part: ImportField.CampaignPart, _ text: String) {
        var campaign = draft.campaign ?? CampaignRequest()
        switch part {
        case .source: campaign.source = text
        case .medium: campaign.medium = text
        case .name: campaign.name = text
        case .term: campaign.term = text
        case .content: campaign.content = text
        }
        draft.campaign = campaign
    }

    private mutating func set(_ part: ImportField.SocialPart, _ text: String) {
        var social = draft.social ?? SocialRequest()
        switch part {
        case .title: social.title = text
        case .description: social.description = text
        case .imageURL: social.imageURL = text
        }
        draft.social = social
    }
}
