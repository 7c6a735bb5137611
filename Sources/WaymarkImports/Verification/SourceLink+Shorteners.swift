import WaymarkJSON
import WaymarkLinks

// Services whose links have one destination.

extension SourceLink {
    private init(to url: String?) {
        guard let url else { return }
        decide = { _, _ in [ExpectedAnswer(url)] }
    }

    /// Links for apps (`deeplinks`) may lead anywhere on their system.
    static func bitly(_ row: SourceValues, _ time: ForeignTime) -> SourceLink {
        let url = row.text("urls.web", "long_url", "destination url", "destination", "original url")
        var link = SourceLink()
        link.addresses = row.addresses(
            short: ["smartlink", "link", "short link", "bitlink", "short url", "id"], slug: ["slug"],
            domain: ["domain"],
            further: ["aliases", "custom_bitlinks", "custom_bitlink", "custom link"])
        let systems = (row.value("deeplinks")?.array ?? []).compactMap { $0["os"]?.string?.lowercased() }
        link.decide = { visit, _ in
            let system = visit.device == .iphone || visit.device == .ipad ? "ios" : visit.device.rawValue
            guard let url, !systems.contains(system) else { return [.any] }
            return [ExpectedAnswer(url)]
        }
        return link
    }

    static func rebrandly(_ row: SourceValues, _ time: ForeignTime) -> SourceLink {
        var link = SourceLink(to: row.text("urls.web", "destination", "destination url", "long url"))
        link.addresses = row.addresses(
            short: ["smartlink", "shortUrl", "short url", "link"], slug: ["slug", "slashtag"],
            domain: ["domainName", "domain name", "domain.fullName", "domain"], further: ["aliases"])
        if let forwards = row.flag("forwardParameters") {
            link.query = forwards ? .forwarded(visitorWins: nil) : .dropped
        }
        if let status = row.text("status"), status.lowercased() != "active" {
            link.closed = "the link is \(status)"
        }
        link.end = row.moment(time, "expiresAt", "expiredAt", "expired at")
        return link
    }

    static func yourls(_ row: SourceValues, _ time: ForeignTime) -> SourceLink {
        var link = SourceLink(to: row.text("urls.web", "url", "long url"))
        link.addresses = row.addresses(
            short: ["smartlink", "shorturl"], slug: ["slug", "keyword"], domain: ["domain"],
            further: ["aliases"])
        return link
    }

    static func kutt(_ row: SourceValues, _ time: ForeignTime) -> SourceLink {
        var link = SourceLink(to: row.text("urls.web", "target"))
        link.addresses = row.addresses(
            short: ["smartlink", "link"], slug: ["slug", "address"], domain: ["domain", "domain.address"],
            further: ["aliases"])
        if row.flag("banned") == true { link.closed = "the link is banned" }
        if let password = row.text("password"), password != "false" {
            link.closed = "the link has a password"
        }
        link.end = row.moment(time, "expire_in")
        return link
    }

    /// A link with a secret answers with it alone.
    static func polr(_ row: SourceValues, _ time: ForeignTime) -> SourceLink {
        var link = SourceLink(to: row.text("urls.web", "long_url"))
        link.addresses = row.addresses(
            short: ["smartlink"], slug: ["slug", "short_url"], domain: ["domain"], further: ["aliases"])
        if let secret = row.text("secret_key") {
            link.addresses = link.addresses.map { Address(domain: $0.domain, slug: "\($0.slug)/\(secret)") }
        }
        if row.flag("is_disabled") == true { link.closed = "the link is disabled" }
        return link
    }
}
