import WaymarkBytes

/// What follows the slug in a smart link as a visitor opens it: a further path, a query and a fragment (RFC 3986
/// section 3). Redirects, pages, the clipboard, Play's referrer, resolves and claims all add it with
/// `Link.additions`.
package struct OpenedSuffix: Sendable, Hashable {
    /// `/more/path`, encoded as opened; empty for the link alone.
    package var path: String
    /// Without `?`.
    package var query: String?
    /// Without `#`.
    package var fragment: String?
    /// Whether the query is open: decisions mark where that of a visit goes. No request can ask for it.
    package var takesAnyQuery = false

    package init(path: String = "", query: String? = nil, fragment: String? = nil) {
        self.path = path
        self.query = query
        self.fragment = fragment
    }

    /// The URL's part behind the slug: `/more?ref=ana#reviews`.
    package var text: String { path + (query.map { "?" + $0 } ?? "") + (fragment.map { "#" + $0 } ?? "") }

    /// The parameters of the query; nil without one.
    var clicked: ClickQuery? { takesAnyQuery ? .any : query.map { ClickQuery($0) } }

    /// As stored with a claim: a query alone without `?`, which is all that programs before 0.3 know.
    package var stored: String {
        guard path.isEmpty, fragment == nil, let query, query.first.map({ $0 != "/" && $0 != "?" }) ?? false else {
            return text
        }
        return query
    }

    /// Of `text` or `stored`.
    package init(text: String) {
        var rest = text[...]
        if let hash = rest.firstIndex(of: "#") {
            fragment = String(rest[rest.index(after: hash)...])
            rest = rest[..<hash]
        }
        guard rest.first.map({ $0 == "/" || $0 == "?" }) ?? true else {
            path = ""
            query = String(rest)
            return
        }
        if let mark = rest.firstIndex(of: "?") {
            query = String(rest[rest.index(after: mark)...])
            rest = rest[..<mark]
        }
        path = String(rest)
    }

    /// In bytes, of the path and of the fragment; longer ones are left out.
    package static let maximumBytes = 2048

    /// The path in a form that is valid in a URL; empty if it is too long or holds control characters, or if a segment is
    /// `.` or `..`, which browsers and servers would resolve against the destination's path. Some servers do so after
    /// decoding, or ignore what follows a semicolon. A click ID may carry any path.
    var soundPath: String {
        guard path.utf8.first == UInt8(ascii: "/"), path.utf8.count <= Self.maximumBytes else { return "" }
        let decoded = PercentEncoding.decodeLeniently(path.utf8)
        let isSound =
            !decoded.contains(where: \.isControl)
            && decoded.split { "/\\;".utf8.contains($0) }.allSatisfy {
                !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8)
            }
        return isSound ? String(decoding: ClickQuery.sound(path[...].utf8, keeping: "&;"), as: UTF8.self) : ""
    }

    /// The fragment in a form that is valid in a URL; nil if it is empty, too long, or holds control characters.
    var soundFragment: String? {
        guard let fragment, !fragment.isEmpty, fragment.utf8.count <= Self.maximumBytes else { return nil }
        let decoded = PercentEncoding.decodeLeniently(fragment.utf8)
        guard !decoded.contains(where: \.isControl) else { return nil }
        return String(decoding: ClickQuery.sound(Substring(fragment).utf8, keeping: "&;'"), as: UTF8.self)
    }
}

extension ClickID {
    /// What follows the 32 characters of a click ID in URLs that apps receive, so that a resolve by the ID knows what the
    /// click brought: the suffix in base64url; empty for a link opened without one. Further parameters are left out.
    static func carrying(_ path: String, _ query: ClickQuery?) -> String {
        if let query, query.isAny { return QueryPlace.mark(carriedBehind: path, leavingOut: query.leftOut) }
        let limit = carriedLimit
        var suffix = path.utf8.count <= limit ? path : ""
        var separator = "?"
        for pair in query?.pairs ?? [] where suffix.utf8.count + 1 + pair.encoded.count <= limit {
            suffix += separator + String(decoding: pair.encoded, as: UTF8.self)
            separator = "&"
        }
        return suffix.isEmpty ? "" : Base64.urlText(Array(suffix.utf8))
    }

    /// In characters, with what the click brought. Clients accept no more.
    private static let maximumLength = 1024
    /// In bytes, of what the click brought.
    static let carriedLimit = (maximumLength - length) * 3 / 4

    /// A click ID as an app has received it: the ID itself, and what the click brought.
    package static func split(_ text: String) -> (id: String, opened: OpenedSuffix?) {
        let bytes = text.utf8
        guard bytes.count > length, bytes.count <= maximumLength, bytes.allSatisfy({ $0 < 0x80 }) else {
            return (text, nil)
        }
        let end = bytes.index(bytes.startIndex, offsetBy: length)
        let opened = Base64.bytes(lenient: String(text[end...])).flatMap { String(validUTF8: $0) }
        return (String(text[..<end]), opened.map { OpenedSuffix(text: $0) })
    }
}
