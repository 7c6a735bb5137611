import WaymarkLinks

extension SourceLink {
    /// Firebase Dynamic Links: the parameters of its manual construction guide.
    static func firebase(_ row: SourceValues, _ time: ForeignTime) -> SourceLink {
        var link = SourceLink()
        link.addresses = row.addresses(
            short: ["smartlink", "short_link", "short link"], slug: ["slug"], domain: ["domain"],
            further: ["aliases"])
        for name in ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] {
            if let value = row.text(name) { link.additions.updateValue(value, forKey: name) }
        }
        for name in ["at", "ct", "mt", "pt"] {
            if let value = row.text(name, "itunes connect \(name)") {
                link.additions.updateValue(value, forKey: name)
            }
        }
        guard let deepLink = row.text("link", "deep link") else { return link }
        let desktop = row.text("ofl") ?? deepLink
        let android = androidAnswer(row, deepLink)
        let phone = appleAnswer(row, deepLink, bundle: row.text("ibi"), page: row.text("ifl"))
        let pad = appleAnswer(
            row, deepLink, bundle: row.text("ipbi", "ibi"), page: row.text("ipfl", "ifl"))
        link.decide = { visit, _ in
            switch visit.device {
            case .iphone: [phone]
            case .ipad: [pad]
            case .android: [android]
            case .desktop: [.web(desktop)]
            }
        }
        return link
    }

    private static func androidAnswer(_ row: SourceValues, _ deepLink: String) -> ExpectedAnswer {
        guard let package = row.text("apn") else { return .web(deepLink) }
        let store = "https://play.google.com/store/apps/details?id=\(package)"
        return .app(
            .init(link: row.text("al") ?? deepLink, package: package, fallback: row.text("afl") ?? store))
    }

    /// The scheme is `ius`, else the bundle ID: the SDK takes no other.
    private static func appleAnswer(
        _ row: SourceValues, _ deepLink: String, bundle: String?, page: String?
    ) -> ExpectedAnswer {
        guard let bundle else { return .web(deepLink) }
        let store = row.text("isi").map { "https://apps.apple.com/app/id\($0)" }
        let fallback = page ?? store ?? deepLink
        guard row.flag("efr") != true else { return .web(fallback) }
        return .app(.init(link: deepLink, scheme: row.text("ius") ?? bundle, fallback: fallback))
    }
}
