/// The reading half of `LinkContentCodec`: nil wherever the bytes can't be what was written.
enum LinkContentReader {
    typealias Tag = LinkContentCodec.Tag

    static func read(_ bytes: ArraySlice<UInt8>) -> LinkContent? {
        var reader = BinaryReader(bytes)
        guard reader.byte() == LinkContentCodec.format else { return nil }
        var content = LinkContentFields()
        var last: UInt8 = 0
        while !reader.isAtEnd {
            // Rising tags: a field that came twice would be damage too.
            guard let tag = reader.byte(), tag > last, let payload = reader.run() else { return nil }
            last = tag
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
        case Tag.disabled:
            content.disabled = true
            return true
        case Tag.rules: return set(&content.rules, rules(&field))
        case Tag.minimumVersions: return set(&content.minimumVersions, versions(&field))
        default: return false
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

    private static func campaign(_ field: inout BinaryReader) -> Campaign? {
        optionals(&field, count: 5).map {
            Campaign(source: $0[0], medium: $0[1], name: $0[2], term: $0[3], content: $0[4])
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
