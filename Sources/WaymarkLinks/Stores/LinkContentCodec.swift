/// The compact binary form in which database stores keep a link's content.
///
/// One byte for the format, then fields in rising order of their tags, each a tag, a length and a payload; what is not
/// given takes no byte. Text is plain UTF-8 in one piece, so that a search for literal text can look through the bytes
/// and only decode what may hold it. The same content always gives the same bytes.
package enum LinkContentCodec {
    static let format: UInt8 = 1

    // Stored numbers: they never change meaning, and new ones need a new format or a new schema version.
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
        return writer.bytes
    }

    /// - Throws: `.corrupt` for anything that `encode` never gives, values that no rule allows included.
    package static func decode(_ bytes: some Collection<UInt8>) throws(StoreError) -> LinkContent {
        guard let content = LinkContentReader.read(ArraySlice(bytes)) else {
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

    /// A byte with one bit for each text that is there, then those.
    fileprivate mutating func optionals(_ texts: [String?]) {
        var present: UInt8 = 0
        for (index, text) in texts.enumerated() where text != nil { present |= 1 << UInt8(index) }
        byte(present)
        for case let given? in texts { text(given) }
    }
}
