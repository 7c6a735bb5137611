import WaymarkAPI
import WaymarkBytes
import WaymarkLinks

/// Links by their number: the same seed gives the same links on every machine, and any of them without those before it.
struct LinkGenerator: Sendable {
    static let host = "go.example.com"
    static let application = "shop"
    /// When the first one was made, in milliseconds since 1970; each later one came a second later.
    static let start: Int64 = 1_700_000_000_000

    let seed: UInt64

    /// Seven base62 characters, as generated slugs have, without a pattern that an index could profit from. Two numbers
    /// may share one, about a dozen times in ten million.
    func slug(_ number: Int) -> String {
        var rest = Self.mixed(seed &+ UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15)
        var text: [UInt8] = []
        for _ in 0..<7 {
            text.append(Base62.alphabet[Int(rest % 62)])
            rest /= 62
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// What a shop's back end makes: a product from a template, some with a campaign, every tenth with metadata for one
    /// redeem, every hundredth with a tag.
    func link(_ number: Int) -> NewLink? {
        guard let application = ApplicationID(Self.application), let domain = HostName(Self.host),
            let slug = Slug(slug(number)), let route = Route("products/:product_id")
        else { return nil }
        let value = Self.mixed(seed ^ UInt64(truncatingIfNeeded: number))
        var content = LinkContent(route: route)
        content.routeParameters = ["product_id": String(value % 1_000_000)]
        content.queryParameters = ["referrer": "customer-\(value % 7_919)"]
        if number % 4 == 0 {
            content.campaign = CampaignRequest(
                source: "mail", medium: "newsletter", name: "autumn", term: nil, content: nil)
        }
        if number % 100 == 0 { content.tags = ["batch-\(number / 100_000)"] }
        let hasMetadata = number % 10 == 0
        if hasMetadata { content.redeemLimit = 1 }
        return NewLink(
            application: application, domain: domain, slug: slug, content: content,
            metadata: hasMetadata ? Array("{\"coupon\":\"\(String(value, radix: 36))\"}".utf8) : nil,
            createdAt: Timestamp(rawValue: Self.start + Int64(number) * 1_000))
    }

    /// The finisher of SplitMix64.
    static func mixed(_ value: UInt64) -> UInt64 {
        var bits = value &+ 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
