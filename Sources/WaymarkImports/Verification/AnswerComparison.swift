import WaymarkBytes
import WaymarkLinks

/// Compares an answer with what a source says about a link.
struct AnswerComparison {
    private let slug: String
    /// Query parameters that Waymark adds to destinations.
    private let additions: [String: String?]

    init(_ link: ForeignLink, slug: String) {
        self.slug = slug
        var additions: [String: String?] = [:]
        for (name, value) in link.draft.queryParameters { additions.updateValue(value, forKey: name) }
        for (name, value) in link.draft.campaign?.parameters ?? [] { additions.updateValue(value, forKey: name) }
        for parameter: FirebaseParameter in [
            .utmSource, .utmMedium, .utmCampaign, .utmTerm, .utmContent, .at, .ct, .mt, .pt,
        ] {
            if let value = link.firebase[parameter] { additions.updateValue(value, forKey: parameter.rawValue) }
        }
        for name in ["_hk_cid", "_hk_md"] { additions.updateValue(nil, forKey: name) }
        self.additions = additions
    }

    /// The reason why the answer differs from all expected ones; nil if it is one of them.
    func difference(_ answer: VisitAnswer, from expected: [ExpectedAnswer]) -> String? {
        if answer.failure != nil { return "there is no answer" }
        var first: String?
        for one in expected {
            guard let reason = difference(answer, from: one) else { return nil }
            first = first ?? reason
        }
        return first
    }

    /// Why the answer is wrong for a link that must not lead to its destination. An error is right, and so is a redirect to
    /// a page about the link's state.
    func difference(_ answer: VisitAnswer, ofInactive expected: [ExpectedAnswer], because reason: String) -> String? {
        if answer.failure != nil { return "there is no answer" }
        let leadsThere = expected.contains { $0 != .any && difference(answer, from: $0) == nil }
        return leadsThere ? "it leads to its destination although \(reason)" : nil
    }

    private func difference(_ answer: VisitAnswer, from expected: ExpectedAnswer) -> String? {
        guard answer.status < 400 else { return "the link does not work" }
        switch expected {
        case .any: return nil
        case .web(let url):
            guard answer.isRedirect, let location = answer.location else {
                return "it answers with a page instead of a redirect"
            }
            return isSame(location, url) ? nil : "it leads to another URL"
        case .app(let link, let package, let fallback):
            if answer.isRedirect { return intentDifference(answer.location ?? "", link, package, fallback) }
            return pageDifference(answer.links, link, fallback)
        }
    }

    private func intentDifference(_ location: String, _ link: String, _ package: String?, _ fallback: String?)
        -> String?
    {
        guard let intent = IntentURL(location) else { return "it does not open the app" }
        if let package, intent.appPackage != package { return "it opens another app" }
        guard isSame(intent.appURL, link) || opensPath(intent.appURL, link) else {
            return "it opens another URL in the app"
        }
        guard let fallback else { return nil }
        return intent.fallback.map { isSame($0, fallback) } == true ? nil : "it leads to another URL without the app"
    }

    private func pageDifference(_ links: [String], _ link: String, _ fallback: String?) -> String? {
        let expected = Self.expected(link)
        let opensApp = links.contains { url in
            isSame(url, expected) || opensPath(url, link) || Self.deepLink(url).map { isSame($0, expected) } == true
                // The same slug on the host that opens the app.
                || ForeignLink.Address(url: url)?.slug == slug
        }
        guard opensApp else { return "it does not open the app with this URL" }
        guard let fallback = fallback.map(Self.expected) else { return nil }
        return links.contains { isSame($0, fallback) } ? nil : "it leads to another URL without the app"
    }

    /// A URL of the source, in which a colon is no variable.
    private static func expected(_ url: String) -> ComparableURL { ComparableURL(FirebaseLinkDraft.literal(url)) }

    private func isSame(_ url: String, _ expected: String) -> Bool { isSame(url, Self.expected(expected)) }

    private func isSame(_ url: String, _ expected: ComparableURL) -> Bool {
        let url = ComparableURL(url)
        if url.isSame(as: expected, additions: additions) { return true }
        // The App Store and Play get campaign parameters and a referrer, which identify no destination.
        guard expected.origin == url.origin, url.path == expected.path else { return false }
        switch url.origin {
        case "https://apps.apple.com": return true
        case "https://play.google.com":
            let isID = { (pair: String) in pair.hasPrefix("id=") }
            return url.query.first(where: isID) == expected.query.first(where: isID)
        default: return false
        }
    }

    /// A path inside the app, whose scheme the source does not have.
    private func opensPath(_ url: String, _ path: String) -> Bool {
        guard !path.contains("://"), let scheme = url.firstRange(of: "://") else { return false }
        return isSame("app://" + url[scheme.upperBound...], "app://" + path.drop { $0 == "/" })
    }

    /// The link in a URL as Firebase's SDK expects it.
    private static func deepLink(_ url: String) -> String? {
        guard !ForeignLink.isWeb(url), let mark = url.firstIndex(of: "?") else { return nil }
        for pair in url[url.index(after: mark)...].split(separator: "&") where pair.hasPrefix("deep_link_id=") {
            return PercentEncoding.decodeTextLeniently(pair.dropFirst("deep_link_id=".count).utf8)
        }
        return nil
    }
}
