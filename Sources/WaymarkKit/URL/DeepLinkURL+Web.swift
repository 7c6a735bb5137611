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
