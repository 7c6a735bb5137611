import WaymarkBytes
import WaymarkClient
import WaymarkLinks

/// Compares an answer with what a source says about a link.
struct AnswerComparison {
    private let slug: String
    /// Query parameters that may be added to destinations.
    private let additions: [String: String?]

    init(_ additions: [String: String?], slug: String) {
        self.additions = additions
        self.slug = slug
    }

    /// The reason why the answer differs from all expected ones; nil if it is one of them.
    func difference(
        _ result: Result<HTTPResponse, HTTPFailure>, from expected: [ExpectedAnswer]
    ) -> String? {
        guard case .success(let answer) = result else { return "there is no answer" }
        var first: String?
        for one in expected {
            guard let reason = difference(answer, from: one) else { return nil }
            first = first ?? reason
        }
        return first
    }

    /// Why the answer is wrong for a link that must not lead to its destination. An error is right, and so is
    /// a redirect to a page about the link's state.
    func difference(
        _ result: Result<HTTPResponse, HTTPFailure>, ofInactive expected: [ExpectedAnswer], because reason: String
    ) -> String? {
        guard case .success(let answer) = result else { return "there is no answer" }
        let leadsThere = expected.contains { $0 != .any && difference(answer, from: $0) == nil }
        return leadsThere ? "it leads to its destination although \(reason)" : nil
    }

    private func difference(_ answer: HTTPResponse, from expected: ExpectedAnswer) -> String? {
        guard answer.status < 400 else { return "the link does not work" }
        switch expected {
        case .any: return nil
        case .web(let url):
            guard answer.isRedirect, let location = answer.location else {
                return "it answers with a page instead of a redirect"
            }
            return isSame(location, url) ? nil : "it leads to another URL"
        case .appOrStore:
            guard answer.isRedirect, let location = answer.location else {
                return answer.links.contains { !ExpectedAnswer.isWeb($0) } ? nil : "it does not open the app"
            }
            let isRight = IntentURL(location) != nil || Self.stores.contains(ComparableURL(location).origin)
            return isRight ? nil : "it leads neither to the app nor to its store"
        case .app(let opening):
            if answer.isRedirect { return intentDifference(answer.location ?? "", opening) }
            return pageDifference(answer.links, opening)
        }
    }

    private static let stores: Set<String> = ["https://apps.apple.com", "https://play.google.com"]

    private func intentDifference(_ location: String, _ opening: ExpectedAnswer.AppOpening) -> String? {
        guard let intent = IntentURL(location) else { return "it does not open the app" }
        if let package = opening.package, intent.appPackage != package { return "it opens another app" }
        guard opening.link.map({ isSame(intent.appURL, $0) || opensPath(intent.appURL, $0) }) ?? true else {
            return "it opens another URL in the app"
        }
        guard let fallback = opening.fallback else { return nil }
        return intent.fallback.map { isSame($0, fallback) } == true
            ? nil : "it leads to another URL without the app"
    }

    private func pageDifference(_ links: [String], _ opening: ExpectedAnswer.AppOpening) -> String? {
        let opensApp = links.contains { url in
            // The same slug on the host that opens the app.
            if ForeignLink.Address(url: url)?.slug == slug { return true }
            guard let link = opening.link else { return !ExpectedAnswer.isWeb(url) }
            // A web page alone opens no app, though the page may have it for visitors without the app.
            if !ExpectedAnswer.isWeb(url), isSame(url, link) || opensPath(url, link) { return true }
            guard let carried = Self.deepLink(url), isSame(carried, link) else { return false }
            return opening.scheme.map { url.lowercased().hasPrefix($0.lowercased() + "://") } ?? true
        }
        guard opensApp else { return "it does not open the app with this URL" }
        guard let fallback = opening.fallback else { return nil }
        return links.contains { isSame($0, fallback) } ? nil : "it leads to another URL without the app"
    }

    private func isSame(_ url: String, _ expected: String) -> Bool {
        let url = ComparableURL(url)
        if isSame(url, ComparableURL(expected)) { return true }
        // As browsers correct it: `50%`, spaces, an international host.
        guard let corrected = WebURL(expected)?.text, corrected != expected else { return false }
        return isSame(url, ComparableURL(corrected))
    }

    private func isSame(_ url: ComparableURL, _ expected: ComparableURL) -> Bool {
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
        guard !ExpectedAnswer.isWeb(url), let mark = url.firstIndex(of: "?") else { return nil }
        let name = "deep_link_id="
        for pair in url[url.index(after: mark)...].split(separator: "&") where pair.hasPrefix(name) {
            return PercentEncoding.decodeTextLeniently(pair.dropFirst(name.count).utf8)
        }
        return nil
    }
}
