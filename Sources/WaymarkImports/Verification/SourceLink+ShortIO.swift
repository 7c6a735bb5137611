import WaymarkLinks

extension SourceLink {
    /// Short.io: the visitor's system, then a split test. What has expired leads to its own URL, if there is
    /// one.
    static func shortIO(_ row: SourceValues, _ time: ForeignTime) -> SourceLink {
        var link = SourceLink()
        link.addresses = row.addresses(
            short: ["smartlink", "secureShortURL", "shortURL", "short link", "link"], slug: ["slug", "path"],
            domain: ["domain"], further: ["aliases"])
        // Of the domain, which lists of links do not name.
        link.ignoresCase = row.flag("caseSensitive") == false
        if let drops = row.flag("skipQS", "skip_qs") {
            link.query = drops ? .dropped : .forwarded(visitorWins: nil)
        }
        if row.flag("hasPassword") == true || row.text("password") != nil {
            link.closed = "the link has a password"
        }
        if let most = row.text("clicksLimit").flatMap({ Int($0) }),
            let made = row.text("clicks", "totalClicks").flatMap({ Int($0) }), made >= most
        {
            link.closed = "the link has had its \(most) clicks"
        }
        link.end = row.moment(time, "expiresAt", "expire_at")
        link.expiredURL = row.text("expiredURL", "expire_url")
        let url = row.text("urls.web", "originalURL", "long url", "destination")
        let ios = row.text("urls.ios", "iphoneURL")
        let android = row.text("urls.android", "androidURL")
        let split = row.text("splitURL")
        if let split, let url, split != url {
            link.probes = visitors
            let share = row.text("splitPercent").flatMap { Int($0) } ?? 0
            if (1...99).contains(share) { link.shares = { _ in [url: 100 - share, split: share] } }
        }
        link.decide = { visit, _ in
            let others = [url, split].compactMap { $0 }.map { ExpectedAnswer($0) }
            switch visit.device {
            case .iphone: return ios.map { [ExpectedAnswer($0)] } ?? others
            // The service does not say whether an iPad is one.
            case .ipad: return (ios.map { [ExpectedAnswer($0)] } ?? []) + others
            case .android: return android.map { [ExpectedAnswer($0)] } ?? others
            case .desktop: return others
            }
        }
        return link
    }
}
