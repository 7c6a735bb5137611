import WaymarkJSON
import WaymarkLinks

extension SourceLink {
    /// Dub: the visitor's system, then the country, then a test that is running, which replaces the URL
    /// alone. A test runs while it has an end that is yet to come. Parameters of the visit replace those of
    /// the URL.
    static func dub(_ row: SourceValues, _ time: ForeignTime) -> SourceLink {
        var link = SourceLink()
        link.addresses = row.addresses(
            short: ["smartlink", "shortLink", "short link", "link"], slug: ["slug", "key"],
            domain: ["domain"],
            further: ["aliases"])
        link.ignoresCase = true
        link.query = .forwarded(visitorWins: true)
        if row.text("password") != nil { link.closed = "the link has a password" }
        if row.text("disabledAt") != nil { link.closed = "the link is disabled" }
        link.end = row.moment(time, "expiresAt", "expires at")
        link.expiredURL = row.text("expiredUrl", "expired url")
        let url = row.text("urls.web", "url", "destination url")
        let ios = row.text("urls.ios", "ios")
        let android = row.text("urls.android", "android")
        let countries = (row.value("geo")?.object?.members ?? []).compactMap(\.value.string)
        let test = row.value("testVariants")?.array ?? []
        let variants = test.compactMap { $0["url"]?.string }
        let testEnd = row.moment(time, "testCompletedAt")
        let isRunning: @Sendable (Timestamp) -> Bool = { now in
            variants.count > 1 && testEnd.map { $0 > now } == true
        }
        if !variants.isEmpty { link.probes = visitors }
        let shares = Dictionary(
            test.compactMap { one in one["url"]?.string.map { ($0, one["percentage"]?.integer ?? 0) } },
            uniquingKeysWith: { $0.addingReportingOverflow($1).partialValue })
        link.shares = { now in isRunning(now) && countries.isEmpty ? shares : [:] }
        link.decide = { visit, now in
            switch visit.device {
            case .iphone, .ipad: if let ios { return [ExpectedAnswer(ios)] }
            case .android: if let android { return [ExpectedAnswer(android)] }
            case .desktop: break
            }
            let others = isRunning(now) ? variants : [url].compactMap { $0 }
            return (others + countries).map { ExpectedAnswer($0) }
        }
        return link
    }
}
