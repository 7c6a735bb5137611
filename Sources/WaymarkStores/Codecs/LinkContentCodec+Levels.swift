import WaymarkAPI
package import WaymarkLinks

extension LinkContentCodec {
    /// Fields that programs of lower levels can't read; all others are of the first level.
    private static let needs = LinkLabel.all.reduce(into: otherNeeds) { needs, label in
        needs[label.tag] = FormatNeed(FormatLevel(rawValue: label.level), label.text)
    }

    private static let otherNeeds: [UInt8: FormatNeed] = [
        Tag.firebase: FormatNeed(.v0_2, "parameters of Firebase Dynamic Links"),
        Tag.importedClicks: FormatNeed(.v0_2, "clicks before an import"),
        Tag.aliases: aliasNeed,
        Tag.queryOverride: FormatNeed(.v0_3, "queryOverride"),
        Tag.redirectStatus: FormatNeed(.v0_3, "redirectStatus"),
        Tag.onExpired: FormatNeed(.v0_3, "onExpired"),
        Tag.clickDetail: FormatNeed(.v0_3, "clickDetail"),
        Tag.password: FormatNeed(.v0_3, "passwords of links"),
    ]

    /// Of links that are renamed, or created with further slugs.
    package static let aliasNeed = FormatNeed(.v0_2, "slugs that a link had before")

    /// What a program must read to read the contents; nil if every program can.
    package static func need(of contents: some Sequence<LinkContent>) -> FormatNeed? {
        contents.lazy.compactMap { content in
            [
                need(ofEncoded: encode(content)), need(ofDestinations: content), need(ofRules: content.rules),
                need(ofAliases: content.aliases),
            ].compactMap { $0 }.highest
        }.highest
    }

    /// Destinations that programs of lower levels refuse.
    private static func need(ofDestinations content: LinkContent) -> FormatNeed? {
        var isNew = false
        content.forEachDestination { url in
            let authority = url.utf8.drop { $0 != UInt8(ascii: "/") }.dropFirst(2).prefix { $0 != UInt8(ascii: "/") }
            if url.utf8.count > 4096 || authority.contains(UInt8(ascii: "_")) { isNew = true }
        }
        return isNew ? FormatNeed(.v0_3, "such a destination") : nil
    }

    private static func need(ofAliases aliases: [LinkAlias]) -> FormatNeed? {
        let elsewhere =
            aliases.contains { $0.domain != nil } ? FormatNeed(.v0_3, "aliases on other domains than the link's") : nil
        return elsewhere ?? aliases.lazy.compactMap { need(of: $0.slug) }.highest
    }

    /// Names and conditions that programs of lower levels can't read.
    package static func need(ofRules rules: [Rule]) -> FormatNeed? {
        let isNew = rules.contains { !$0.when.stores.isEmpty || !$0.when.referrerApps.isEmpty }
        if isNew { return FormatNeed(.v0_3, "rules by store or referring app") }
        return rules.contains { $0.name != nil } ? FormatNeed(.v0_3, "rules with a name") : nil
    }

    /// What a program must read to read a link with this slug; nil if every program can.
    package static func need(of slug: Slug) -> FormatNeed? {
        let isOld = slug.text.utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "~") && $0 != UInt8(ascii: "@") }
        guard isOld else { return FormatNeed(.v0_3, "a slug with such characters") }
        return slug.isOfCompatibility ? FormatNeed(.v0_3, "a slug that begins with v1, v2 or lazy") : nil
    }

    /// Of bytes that `encode` has written.
    static func need(ofEncoded bytes: [UInt8]) -> FormatNeed? {
        var reader = BinaryReader(bytes[...])
        var highest: FormatNeed?
        guard reader.byte() == format else { return nil }
        while let tag = reader.byte(), reader.run() != nil {
            guard let need = needs[tag], need.level > highest?.level ?? .v0_1 else { continue }
            highest = need
        }
        return highest
    }
}
