public import Foundation
import WaymarkBytes

/// A URL as its raw text, split at the delimiters of RFC 3986 and nowhere else.
///
/// Any text is a valid `DeepLinkURL`, because the regular expression of RFC 3986, appendix B, matches every text.
/// Nothing is decoded, lowercased or normalised, so the parts put together are the original text. Each routing
/// dialect decodes the parts by its own rules.
///
/// Parsing is linear in the length of the text, which is unlimited. Values are immutable and may be used from any
/// thread.
///
///     let url = DeepLinkURL("shop://products/42?referrer=ana#top")
///     url.scheme     // "shop"
///     url.host       // "products"
///     url.path       // "/42"
///     url.query      // "referrer=ana"
///     url.fragment   // "top"
public struct DeepLinkURL: Sendable, Hashable {
    /// The original text.
    public let text: String

    /// The text before the first `:`, as written; nil if there is no `:`, if nothing precedes it, or if a `/`, `?` or
    /// `#` comes first. It is not checked against the grammar of RFC 3986, section 3.1.
    public let scheme: String?

    /// The text between `//` and the next `/`, `?` or `#`, as written: user, host and port. Nil without `//` in this
    /// place; empty for `shop:///products`.
    public let authority: String?

    /// The path with its slashes, as written; empty if there is none.
    public let path: String

    /// The text between the first `?` and the fragment, as written. Nil without a `?`; empty if nothing follows it.
    public let query: String?

    /// The text after the first `#`, as written. Nil without a `#`; empty if nothing follows it.
    public let fragment: String?

    /// The longest URL that `Deeplinking` opens, in bytes of UTF-8: 16,384. Any app or page can open one, and it is
    /// read on the main actor.
    public static let lengthLimit = 16_384

    /// Splits the text into its parts.
    public init(_ text: String) {
        var text = text
        // Accessing bytes of a string bridged from Objective-C is slow.
        text.makeContiguousUTF8()
        self.text = text

        var rest = text[...]
        fragment = rest.cutTail(at: "#")
        query = rest.cutTail(at: "?")
        scheme = Self.cutScheme(from: &rest)
        authority = Self.cutAuthority(from: &rest)
        path = String(rest)
    }

    /// Joins parts as in RFC 3986, section 5.3. The text is split again, so the result may differ: for example, a
    /// path without a leading slash after an authority becomes part of the authority.
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
    /// Same as `text`.
    public var description: String { text }
}

extension DeepLinkURL: ExpressibleByStringLiteral {
    /// Creates a URL from a literal.
    public init(stringLiteral text: String) {
        self.init(text)
    }
}

extension Substring {
    /// Removes the first such byte and everything after it, and returns the latter; nil if there is none.
    ///
    /// Compares bytes rather than characters: `?` followed by a combining mark is one character in Swift, but still a
    /// delimiter of URLs.
    fileprivate mutating func cutTail(at delimiter: Unicode.Scalar) -> String? {
        guard let position = utf8.firstIndex(of: UInt8(ascii: delimiter)) else { return nil }
        let tail = String(self[utf8.index(after: position)...])
        self = self[..<position]
        return tail
    }
}

extension DeepLinkURL {
    /// Whether the scheme is `http` or `https`, ignoring case.
    public var isWeb: Bool {
        guard let scheme = scheme?.lowercased() else { return false }
        return scheme == "https" || scheme == "http"
    }

    /// The decoded destination of a lazy link (`https://go.example.com/lazy?uri=shop%3A%2F%2Fproducts%2F42`); nil for
    /// any other URL. The last `uri` wins.
    var lazyDestination: DeepLinkURL? {
        guard segments.count == 1, segments[0] == "lazy" else { return nil }
        let value = queryItems.last { $0.name == "uri" }?.value.map {
            PercentEncoding.decodeWholeText($0, plusIsSpace: true)
        }
        return value.flatMap { $0.isEmpty ? nil : DeepLinkURL($0) }
    }

    /// A web link as a URL of the app: the scheme, `://`, and everything after the host. User and port are dropped
    /// with the host. Leading slashes are dropped, and so is one slash at the end of the whole text unless it belongs
    /// to the query or the fragment. Characters that would make the first segment more than a host (`@`, `:`,
    /// brackets) are escaped.
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
            case "@", ":", "[", "]": first += PercentEncoding.encode(String(scalar))
            default: first.unicodeScalars.append(scalar)
            }
        }
        return first + path[end...]
    }
}

/// A type that can be read as a URL passed to the app.
public protocol DeepLinkURLConvertible {
    /// The URL, split into its parts.
    var deepLinkURL: DeepLinkURL { get }
}

extension DeepLinkURL: DeepLinkURLConvertible {
    /// The URL itself.
    public var deepLinkURL: DeepLinkURL { self }
}

extension String: DeepLinkURLConvertible {
    /// The text, split into its parts.
    public var deepLinkURL: DeepLinkURL { DeepLinkURL(self) }
}

extension URL: DeepLinkURLConvertible {
    /// The absolute text of the URL. Foundation may have escaped characters that URLs do not allow; nothing else of
    /// it is used.
    public var deepLinkURL: DeepLinkURL { DeepLinkURL(absoluteString) }
}
