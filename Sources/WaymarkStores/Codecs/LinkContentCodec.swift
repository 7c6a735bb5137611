import WaymarkAPI
package import WaymarkLinks

/// The compact binary format of a link's content in stores.
///
/// One byte for the format, then fields with ascending tags, each a tag, a length and a payload; missing values take
/// no space. Text is contiguous UTF-8, so that a text search can scan the bytes and only decode possible matches.
/// Equal content always has equal bytes.
package enum LinkContentCodec {
    static let format: UInt8 = 1

    // Stored numbers: their meaning must never change, and new ones need a new format or schema version.
    enum Tag {
        static let route: UInt8 = 1
        static let routeParameters: UInt8 = 2
        static let queryParameters: UInt8 = 3
        static let urls: UInt8 = 4
        static let redeemLimit: UInt8 = 5
        static let validFrom: UInt8 = 6
        static let expiresAt: UInt8 = 7
        static let maxClicks: UInt8 = 8
        static let social: UInt8 = 9
        static let campaign: UInt8 = 10
        static let tags: UInt8 = 11
        static let forwardQuery: UInt8 = 12
        static let disabled: UInt8 = 13
        static let rules: UInt8 = 14
        static let minimumVersions: UInt8 = 15
        // 16, 17: LinkLabel
        static let firebase: UInt8 = 18
        static let importedClicks: UInt8 = 19
        static let aliases: UInt8 = 20
        static let queryOverride: UInt8 = 21
        static let redirectStatus: UInt8 = 22
        static let onExpired: UInt8 = 23
        // 24: LinkLabel
        static let password: UInt8 = 25
        // 26: LinkLabel
        static let clickDetail: UInt8 = 27
    }

    static let platforms: [(Platform, UInt8)] = [
        (.iphone, 1), (.ipad, 2), (.ios, 3), (.android, 4), (.macos, 5), (.windows, 6), (.linux, 7), (.web, 8),
    ]

    package static func encode(_ content: LinkContent) -> [UInt8] {
        var writer = BinaryWriter()
        writer.reserve(96)
        writer.byte(format)
        if let route = content.route { writer.field(Tag.route) { $0.text(route.text) } }
        if !content.routeParameters.isEmpty {
            writer.field(Tag.routeParameters) { $0.parameters(content.routeParameters) }
        }
        if !content.queryParameters.isEmpty {
            writer.field(Tag.queryParameters) { $0.parameters(content.queryParameters) }
        }
        if !content.urls.isEmpty { writer.field(Tag.urls) { $0.urls(content.urls) } }
        if content.redeemLimit > 0 {
            writer.field(Tag.redeemLimit) { $0.number(UInt64(clamping: content.redeemLimit)) }
        }
        if let start = content.validFrom { writer.field(Tag.validFrom) { $0.signed(start.rawValue) } }
        if let end = content.expiresAt { writer.field(Tag.expiresAt) { $0.signed(end.rawValue) } }
        if let most = content.maxClicks { writer.field(Tag.maxClicks) { $0.number(UInt64(clamping: most)) } }
        if let social = content.social {
            writer.field(Tag.social) { $0.optionals([social.title, social.description, social.imageURL?.text]) }
        }
        if let campaign = content.campaign {
            writer.field(Tag.campaign) {
                $0.optionals([campaign.source, campaign.medium, campaign.name, campaign.term, campaign.content])
            }
        }
        if !content.tags.isEmpty {
            writer.field(Tag.tags) { for tag in content.tags { $0.text(tag) } }
        }
        if let forwardQuery = content.forwardQuery { writer.field(Tag.forwardQuery) { $0.byte(forwardQuery ? 1 : 0) } }
        if content.disabled { writer.field(Tag.disabled) { _ in } }
        if !content.rules.isEmpty {
            writer.field(Tag.rules) { field in
                for rule in content.rules {
                    var inner = BinaryWriter()
                    RuleCodec.write(rule, to: &inner)
                    field.run(inner.bytes)
                }
            }
        }
        if let versions = content.minimumVersions {
            writer.field(Tag.minimumVersions) { $0.optionals([versions.ios?.text, versions.android?.text]) }
        }
        let labels = content.labels.entries
        for entry in labels where entry.label.tag < Tag.firebase {
            writer.field(entry.label.tag) { $0.text(entry.value) }
        }
        if let firebase = content.firebase {
            writer.field(Tag.firebase) { field in
                for entry in firebase.entries {
                    field.text(entry.name.rawValue)
                    field.text(entry.value)
                }
            }
        }
        if let clicks = content.importedClicks {
            writer.field(Tag.importedClicks) { $0.number(UInt64(clamping: clicks)) }
        }
        if !content.aliases.isEmpty {
            writer.field(Tag.aliases) { for alias in content.aliases { $0.text(alias.stored) } }
        }
        if let overrides = content.queryOverride { writer.field(Tag.queryOverride) { $0.byte(overrides ? 1 : 0) } }
        if let status = content.redirectStatus {
            writer.field(Tag.redirectStatus) { $0.number(UInt64(clamping: status)) }
        }
        if let url = content.onExpired { writer.field(Tag.onExpired) { $0.text(url.text) } }
        for entry in labels where entry.label.tag > Tag.onExpired && entry.label.tag < Tag.password {
            writer.field(entry.label.tag) { $0.text(entry.value) }
        }
        if let password = content.password { writer.field(Tag.password) { $0.text(password.text) } }
        for entry in labels where entry.label.tag > Tag.password {
            writer.field(entry.label.tag) { $0.text(entry.value) }
        }
        if let detail = content.clickDetail { writer.field(Tag.clickDetail) { $0.byte(detail.level) } }
        return writer.bytes
    }

    /// - Throws: `.corrupt` for bytes not written by `encode`, including invalid values.
    package static func decode(_ bytes: some Collection<UInt8>) throws(StoreError) -> LinkContent {
        guard let content = LinkContentReader.read(ArraySlice(bytes)) else {
            throw .corrupt("the stored content of a link is damaged")
        }
        return content
    }

    /// Only the parts that listings have indexes of: the words of searches, and when the link expires.
    ///
    /// - Throws: `.corrupt` as `decode` does, but not for damage in other parts.
    package static func decodeIndexed(_ bytes: some Collection<UInt8>) throws(StoreError) -> LinkContent {
        guard let content = LinkContentReader.read(ArraySlice(bytes), passing: LinkContentReader.notIndexed) else {
            throw .corrupt("the stored content of a link is damaged")
        }
        return content
    }
}

extension BinaryWriter {
    fileprivate mutating func parameters(_ parameters: [String: String]) {
        for (name, value) in parameters.inOrderOfNames {
            text(name)
            text(value)
        }
    }

    mutating func urls(_ urls: PlatformURLs) {
        for (platform, number) in LinkContentCodec.platforms {
            guard let entry = urls[platform] else { continue }
            byte(number)
            text(entry.link.text)
            switch entry.fallback {
            case nil: byte(0)
            case .store: byte(1)
            case .web: byte(2)
            case .url(let url):
                byte(3)
                text(url.text)
            }
        }
    }

    /// A bitmap of the texts that are present, followed by the texts.
    fileprivate mutating func optionals(_ texts: [String?]) {
        var present: UInt8 = 0
        for (index, text) in texts.enumerated() where text != nil { present |= 1 << UInt8(index) }
        byte(present)
        for case let given? in texts { text(given) }
    }
}

/// The reading half of `LinkContentCodec`: nil for invalid bytes.
enum LinkContentReader {
    typealias Tag = LinkContentCodec.Tag

    /// Fields without words of searches, as bits.
    static let notIndexed = [
        Tag.routeParameters, Tag.queryParameters, Tag.redeemLimit, Tag.validFrom, Tag.maxClicks, Tag.social,
        Tag.campaign, Tag.forwardQuery, Tag.disabled, Tag.minimumVersions, Tag.firebase, Tag.importedClicks,
        Tag.queryOverride, Tag.redirectStatus, Tag.password, Tag.clickDetail,
    ].reduce(UInt64(0)) { $0 | 1 << UInt64($1) }

    /// - Parameter passed: the tags of fields that are not read, as bits.
    static func read(_ bytes: ArraySlice<UInt8>, passing passed: UInt64 = 0) -> LinkContent? {
        var reader = BinaryReader(bytes)
        guard reader.byte() == LinkContentCodec.format else { return nil }
        var content = LinkContentFields.empty
        var last: UInt8 = 0
        while !reader.isAtEnd {
            // Ascending tags: a duplicate field is also damage.
            guard let tag = reader.byte(), tag > last, let payload = reader.run() else { return nil }
            last = tag
            if passed >> UInt64(tag) & 1 != 0 { continue }
            var field = BinaryReader(payload)
            guard read(tag, from: &field, into: &content), field.isAtEnd else { return nil }
        }
        return LinkContent(content)
    }

    private static func read(
        _ tag: UInt8, from field: inout BinaryReader, into content: inout LinkContentFields
    ) -> Bool {
        switch tag {
        case Tag.route: return set(&content.route, field.text().flatMap { Route($0) })
        case Tag.routeParameters: return set(&content.routeParameters, parameters(&field))
        case Tag.queryParameters: return set(&content.queryParameters, parameters(&field))
        case Tag.urls: return set(&content.urls, urls(&field))
        case Tag.redeemLimit: return set(&content.redeemLimit, field.number().flatMap { Int(exactly: $0) })
        case Tag.validFrom: return set(&content.validFrom, field.signed().map { Timestamp(rawValue: $0) })
        case Tag.expiresAt: return set(&content.expiresAt, field.signed().map { Timestamp(rawValue: $0) })
        case Tag.maxClicks: return set(&content.maxClicks, field.number().flatMap { Int(exactly: $0) })
        case Tag.social: return set(&content.social, social(&field))
        case Tag.campaign: return set(&content.campaign, campaign(&field))
        case Tag.tags: return set(&content.tags, tags(&field))
        case Tag.forwardQuery: return set(&content.forwardQuery, field.byte().flatMap { $0 < 2 ? $0 == 1 : nil })
        case Tag.queryOverride: return set(&content.queryOverride, field.byte().flatMap { $0 < 2 ? $0 == 1 : nil })
        case Tag.redirectStatus:
            return set(
                &content.redirectStatus,
                field.number().flatMap { Int(exactly: $0) }.flatMap {
                    ApplicationRequest.redirectStatuses.contains($0) ? $0 : nil
                })
        case Tag.password: return set(&content.password, field.text().flatMap { LinkPassword($0) })
        case Tag.onExpired: return set(&content.onExpired, field.text().flatMap { WebURL($0) })
        case Tag.clickDetail:
            return set(&content.clickDetail, field.byte().flatMap { ClickDetail(level: $0) })
        case Tag.disabled:
            content.disabled = true
            return true
        case Tag.rules: return set(&content.rules, rules(&field))
        case Tag.minimumVersions: return set(&content.minimumVersions, versions(&field))
        case Tag.firebase: return set(&content.firebase, firebase(&field))
        case Tag.importedClicks: return set(&content.importedClicks, field.number().flatMap { Int(exactly: $0) })
        case Tag.aliases: return set(&content.aliases, aliases(&field))
        default:
            guard let label = LinkLabel.all.first(where: { $0.tag == tag }) else { return false }
            return set(&content.labels[label], field.text())
        }
    }

    private static func set<Value>(_ index: inout Value, _ value: Value?) -> Bool {
        guard let value else { return false }
        index = value
        return true
    }

    private static func set<Value>(_ index: inout Value?, _ value: Value?) -> Bool {
        index = value
        return value != nil
    }

    private static func parameters(_ field: inout BinaryReader) -> [String: String]? {
        var parameters: [String: String] = [:]
        while !field.isAtEnd {
            guard let name = field.text(), let text = field.text() else { return nil }
            parameters[name] = text
        }
        return parameters
    }

    private static func rules(_ field: inout BinaryReader) -> [Rule]? {
        var rules: [Rule] = []
        while !field.isAtEnd {
            guard let rule = field.run().flatMap({ RuleCodec.read($0) }) else { return nil }
            rules.append(rule)
        }
        return rules
    }

    static func urls(_ field: inout BinaryReader) -> PlatformURLs? {
        var urls: PlatformURLs = [:]
        while !field.isAtEnd {
            guard let number = field.byte(),
                let platform = LinkContentCodec.platforms.first(where: { $0.1 == number })?.0,
                let link = field.text().flatMap({ URLPattern($0) }), let kind = field.byte()
            else { return nil }
            var fallback: Fallback?
            switch kind {
            case 0: break
            case 1: fallback = .store
            case 2: fallback = .web
            case 3:
                guard let url = field.text().flatMap({ WebURL($0) }) else { return nil }
                fallback = .url(url)
            default: return nil
            }
            urls[platform] = URLEntry(link: link, fallback: fallback)
        }
        return urls
    }

    private static func social(_ field: inout BinaryReader) -> SocialCard? {
        guard let texts = optionals(&field, count: 3) else { return nil }
        let image = texts[2].map { WebURL($0) }
        if case .some(.none) = image { return nil }
        return SocialCard(title: texts[0], description: texts[1], imageURL: image ?? nil)
    }

    private static func campaign(_ field: inout BinaryReader) -> CampaignRequest? {
        optionals(&field, count: 5).map {
            CampaignRequest(source: $0[0], medium: $0[1], name: $0[2], term: $0[3], content: $0[4])
        }
    }

    private static func versions(_ field: inout BinaryReader) -> MinimumVersions? {
        guard let texts = optionals(&field, count: 2) else { return nil }
        let read = texts.map { text in text.map { AppVersion($0) } }
        guard read.allSatisfy({ $0.map { $0 != nil } ?? true }) else { return nil }
        let versions = MinimumVersions(ios: read[0] ?? nil, android: read[1] ?? nil)
        return versions.ios == nil && versions.android == nil ? nil : versions
    }

    private static func tags(_ field: inout BinaryReader) -> [String]? {
        var tags: [String] = []
        while !field.isAtEnd {
            guard let tag = field.text() else { return nil }
            tags.append(tag)
        }
        return tags
    }

    private static func aliases(_ field: inout BinaryReader) -> [LinkAlias]? {
        var aliases: [LinkAlias] = []
        while !field.isAtEnd {
            guard let alias = field.text().flatMap({ LinkAlias(stored: $0) }) else { return nil }
            aliases.append(alias)
        }
        return aliases
    }

    private static func firebase(_ field: inout BinaryReader) -> FirebaseParameters? {
        var values: [FirebaseParameter: String] = [:]
        while !field.isAtEnd {
            guard let name = field.text().flatMap({ FirebaseParameter(rawValue: $0) }), let value = field.text(),
                !value.isEmpty, values.updateValue(value, forKey: name) == nil
            else { return nil }
        }
        return FirebaseParameters(values)
    }

    private static func optionals(_ field: inout BinaryReader, count: Int) -> [String?]? {
        guard let present = field.byte(), present < 1 << UInt8(count) else { return nil }
        var texts: [String?] = []
        for index in 0..<count {
            if present & (1 << UInt8(index)) == 0 {
                texts.append(nil)
            } else if let text = field.text() {
                texts.append(text)
            } else {
                return nil
            }
        }
        return texts
    }
}
