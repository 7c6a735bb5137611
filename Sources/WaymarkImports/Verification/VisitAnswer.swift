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
