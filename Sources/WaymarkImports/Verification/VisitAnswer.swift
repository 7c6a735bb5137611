import WaymarkBytes

/// How a server answered a visit.
package struct VisitAnswer: Sendable {
    package var status: Int
    package var location: String?
    /// Of a page.
    package var body: [UInt8]
    /// Why there is no answer.
    package var failure: String?

    package init(status: Int, location: String? = nil, body: [UInt8] = []) {
        self.status = status
        self.location = location
        self.body = body
    }

    package init(failure: String) {
        self.init(status: 0)
        self.failure = failure
    }

    var isRedirect: Bool { (300..<400).contains(status) && location != nil }

    /// For the report.
    var text: String { failure ?? (isRedirect ? location ?? "" : String(status)) }

    /// The URLs of a page's links.
    var links: [String] {
        let marker = Array("href=\"".utf8)
        var links: [String] = []
        var rest = body[...]
        while let found = rest.firstRange(of: marker) {
            rest = rest[found.upperBound...]
            guard let end = rest.firstIndex(of: 0x22) else { break }
            var text = String(decoding: rest[..<end], as: UTF8.self)
            for (entity, character) in [("&quot;", "\""), ("&#39;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")]
            {
                text = text.split(separator: entity, omittingEmptySubsequences: false).joined(separator: character)
            }
            links.append(text)
            rest = rest[end...]
        }
        return links
    }
}

/// Chrome's `intent:` URLs.
struct IntentParts {
    /// The URL that the app receives.
    let link: String
    let package: String?
    let fallback: String?

    init?(_ url: String) {
        guard url.hasPrefix("intent:"), let mark = url.firstRange(of: "#Intent;") else { return nil }
        var (scheme, package, fallback): (String?, String?, String?)
        for field in url[mark.upperBound...].split(separator: ";") {
            let parts = field.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { continue }
            switch parts[0] {
            case "scheme": scheme = parts[1]
            case "package": package = parts[1]
            case "S.browser_fallback_url": fallback = PercentEncoding.decodeTextLeniently(parts[1].utf8)
            default: break
            }
        }
        link = (scheme ?? "https") + ":" + url[..<mark.lowerBound].dropFirst("intent:".count)
        self.package = package
        self.fallback = fallback
    }
}
