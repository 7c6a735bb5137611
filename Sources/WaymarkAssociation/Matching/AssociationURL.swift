import WaymarkBytes

/// A URL split into its parts as it is written (RFC 3986, section 3, without any normalisation): that is what the
/// systems compare with the patterns of an association file.
package struct AssociationURL: Hashable, Sendable {
    package let text: String
    /// In lower case.
    package let scheme: String
    /// In lower case, without port and user information; empty if the URL has none.
    package let host: String
    /// As written, without the colon; nil if there is no colon after the host.
    package let port: String?
    package let hasUserInformation: Bool
    /// As written; may be empty.
    package let path: String
    /// The text between the first `?` and the `#`; nil without a `?`.
    package let query: String?
    /// The text after the first `#`; nil without one.
    package let fragment: String?

    /// Maximum length of a URL in bytes; servers and browsers have lower limits.
    package static let lengthLimit = 16_384

    /// Maximum number of query items in a URL that is matched with rules.
    package static let itemLimit = 1_000

    /// Why a text can't be matched, to follow its name; nil if it can.
    package static func problem(of text: String) -> String? {
        guard text.utf8.count <= lengthLimit else { return "must be at most \(lengthLimit) bytes long" }
        guard let url = AssociationURL(text) else { return "must be an absolute URL" }
        let items = (url.query ?? "").utf8.split(separator: UInt8(ascii: "&")).count
        return items <= itemLimit ? nil : "must have at most \(itemLimit) query items"
    }

    /// Nil if the text has no scheme, an http or https URL has no host, or it has control characters.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.lengthLimit, bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }),
            let colon = bytes.firstIndex(of: UInt8(ascii: ":")), let first = bytes.first, first.isLetter,
            bytes[..<colon].allSatisfy({ $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) })
        else { return nil }
        scheme = Self.string(bytes[..<colon]).lowercased()
        var rest = bytes[(colon + 1)...]

        var fragment: String?
        if let mark = rest.firstIndex(of: UInt8(ascii: "#")) {
            fragment = Self.string(rest[(mark + 1)...])
            rest = rest[..<mark]
        }
        var query: String?
        if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
            query = Self.string(rest[(mark + 1)...])
            rest = rest[..<mark]
        }
        self.fragment = fragment
        self.query = query

        var authority: ArraySlice<UInt8> = []
        if rest.starts(with: "//".utf8) {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            authority = rest[..<end]
            rest = rest[end...]
        }
        path = Self.string(rest)
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
            hasUserInformation = true
            authority = authority[(at + 1)...]
        } else {
            hasUserInformation = false
        }
        // The colons of an IPv6 address are inside the brackets.
        let hostEnd = authority.lastIndex(of: UInt8(ascii: "]")) ?? authority.startIndex
        if let mark = authority[hostEnd...].firstIndex(of: UInt8(ascii: ":")) {
            port = Self.string(authority[(mark + 1)...])
            authority = authority[..<mark]
        } else {
            port = nil
        }
        host = Self.string(authority).lowercased()
        self.text = text
        if isWeb, host.isEmpty { return nil }
    }

    /// Whether the scheme is http or https: no other URL is a universal link or an App Link.
    package var isWeb: Bool { scheme == "https" || scheme == "http" }

    private static func string(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}

/// The items of a query as written, separated by `&` and split at the first `=`.
struct QueryItems: Sequence {
    private let query: String

    init(_ query: String) {
        self.query = query
    }

    /// The value is nil if the item has no `=`.
    func makeIterator() -> IndexingIterator<[(name: String, value: String?)]> {
        let items: [(name: String, value: String?)] = query.utf8.split(separator: UInt8(ascii: "&")).map { item in
            guard let mark = item.firstIndex(of: UInt8(ascii: "=")) else { return (String(Substring(item)), nil) }
            return (String(Substring(item[..<mark])), String(Substring(item[item.index(after: mark)...])))
        }
        return items.makeIterator()
    }
}
