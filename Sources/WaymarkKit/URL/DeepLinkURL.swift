public import Foundation

/// A URL as its raw text, cut at the delimiters of RFC 3986 and nowhere else.
///
/// Total: any text is a `DeepLinkURL`, whatever it holds, because the grammar is the expression of RFC 3986, appendix B,
/// which matches every text. Nothing is decoded, lowered or normalised on the way, so the parts put together again are
/// the text. Each dialect of routes decodes the parts by its own rules.
///
/// Reading is linear in the length of the text; there is no limit. A value is immutable and may be used from anywhere.
///
///     let url = DeepLinkURL("shop://products/42?referrer=ana#top")
///     url.scheme     // "shop"
///     url.host       // "products"
///     url.path       // "/42"
///     url.query      // "referrer=ana"
///     url.fragment   // "top"
public struct DeepLinkURL: Sendable, Hashable {
    /// What was given.
    public let text: String

    /// What stands before the first `:`, as written; nil where there is no `:`, where nothing stands before it, or where
    /// a `/`, `?` or `#` comes first. It is not checked against the grammar of RFC 3986, section 3.1.
    public let scheme: String?

    /// What stands between `//` and the next `/`, `?` or `#`, as written: user, host and port. Nil where there is no
    /// `//` at that place; empty for `shop:///products`.
    public let authority: String?

    /// The path with its slashes, as written; empty where there is none.
    public let path: String

    /// What stands between the first `?` and the fragment, as written. Nil without a `?`; empty where nothing follows it.
    public let query: String?

    /// What stands behind the first `#`, as written. Nil without a `#`; empty where nothing follows it.
    public let fragment: String?

    /// Cuts the text into its parts.
    public init(_ text: String) {
        var text = text
        // A string bridged from Objective-C would pay for every byte that is looked at.
        text.makeContiguousUTF8()
        self.text = text

        var rest = text[...]
        fragment = rest.cutTail(at: "#")
        query = rest.cutTail(at: "?")
        scheme = Self.cutScheme(from: &rest)
        authority = Self.cutAuthority(from: &rest)
        path = String(rest)
    }

    /// Puts parts together, as RFC 3986, section 5.3, does. The text is cut again, so what comes out is a URL like any
    /// other: a path without a leading slash behind an authority, say, becomes a part of that authority.
    public init(scheme: String?, authority: String?, path: String, query: String? = nil, fragment: String? = nil) {
        var text = ""
        if let scheme { text += scheme + ":" }
        if let authority { text += "//" + authority }
        text += path
        if let query { text += "?" + query }
        if let fragment { text += "#" + fragment }
        self.init(text)
    }

    private static func cutScheme(from rest: inout Substring) -> String? {
        let end = rest.utf8.firstIndex { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }
        guard let end, end > rest.startIndex, rest.utf8[end] == UInt8(ascii: ":") else { return nil }
        let scheme = String(rest[..<end])
        rest = rest[rest.utf8.index(after: end)...]
        return scheme
    }

    private static func cutAuthority(from rest: inout Substring) -> String? {
        guard rest.utf8.starts(with: "//".utf8) else { return nil }
        let start = rest.utf8.index(rest.startIndex, offsetBy: 2)
        let end = rest.utf8[start...].firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        let authority = String(rest[start..<end])
        rest = rest[end...]
        return authority
    }
}

extension DeepLinkURL: CustomStringConvertible {
    /// The text.
    public var description: String { text }
}

extension DeepLinkURL: ExpressibleByStringLiteral {
    /// Cuts a text that stands in the code.
    public init(stringLiteral text: String) {
        self.init(text)
    }
}

extension Substring {
    /// Cuts off the first such byte and what is behind it, and returns the latter; nil where there is none.
    ///
    /// Bytes are compared, not characters: `?` followed by a combining mark is one character to Swift and still a
    /// delimiter to everybody else.
    fileprivate mutating func cutTail(at delimiter: Unicode.Scalar) -> String? {
        guard let position = utf8.firstIndex(of: UInt8(ascii: delimiter)) else { return nil }
        let tail = String(self[utf8.index(after: position)...])
        self = self[..<position]
        return tail
    }
}

extension DeepLinkURL {
    /// Whether the scheme is `http` or `https`, without regard to case.
    public var isWeb: Bool {
        guard let scheme = scheme?.lowercased() else { return false }
        return scheme == "https" || scheme == "http"
    }

    /// Where a lazy link leads (`https://go.example.com/lazy?uri=shop%3A%2F%2Fproducts%2F42`), decoded; nil for any other
    /// URL. The last `uri` counts.
    var lazyDestination: DeepLinkURL? {
        guard segments.count == 1, segments[0] == "lazy" else { return nil }
        let value = queryItems.last { $0.name == "uri" }?.value.map { PercentEncoding.decoded($0, plusIsSpace: true) }
        return value.flatMap { $0.isEmpty ? nil : DeepLinkURL($0) }
    }

    /// A web link as a URL of the app: the scheme, `://`, and what stands behind the host. User and port are dropped with
    /// the host. Leading slashes are dropped, and so is one slash at the end of the whole text unless it belongs to the
    /// query or the fragment. What would turn the first segment into more than a host (`@`, `:`, brackets) is escaped.
    ///
    ///     DeepLinkURL("https://www.example.com/products/42?x=1").asAppLink(scheme: "shop")   // shop://products/42?x=1
    public func asAppLink(scheme: String) -> DeepLinkURL {
        let slash = UInt8(ascii: "/")
        var rest = path[...]
        while rest.utf8.first == slash { rest = rest[rest.utf8.index(after: rest.startIndex)...] }
        if query == nil, fragment == nil, rest.utf8.last == slash {
            rest = rest[..<rest.utf8.index(before: rest.endIndex)]
        }
        return DeepLinkURL(
            scheme: scheme, authority: "", path: Self.hostSafe(rest), query: query, fragment: fragment)
    }

    private static func hostSafe(_ path: Substring) -> String {
        let end = path.utf8.firstIndex(of: UInt8(ascii: "/")) ?? path.endIndex
        var first = ""
        for scalar in path[..<end].unicodeScalars {
            switch scalar {
            case "@", ":", "[", "]": first += PercentEncoding.encoded(String(scalar))
            default: first.unicodeScalars.append(scalar)
            }
        }
        return first + path[end...]
    }
}

/// What can be read as a URL that an app is opened with.
public protocol DeepLinkURLConvertible {
    /// The URL's text, cut into its parts.
    var deepLinkURL: DeepLinkURL { get }
}

extension DeepLinkURL: DeepLinkURLConvertible {
    /// The URL itself.
    public var deepLinkURL: DeepLinkURL { self }
}

extension String: DeepLinkURLConvertible {
    /// The text, cut into its parts.
    public var deepLinkURL: DeepLinkURL { DeepLinkURL(self) }
}

extension URL: DeepLinkURLConvertible {
    /// The text of the URL. Foundation may have escaped characters in it that URLs do not allow; nothing else of what it
    /// knows about the URL is asked.
    public var deepLinkURL: DeepLinkURL { DeepLinkURL(absoluteString) }
}
