import WaymarkJSON

extension RoutingDialect {
    /// The segments that routes are compared with, decoded: the host first, then the path. Nil where the URL has no scheme
    /// or nothing but slashes behind it: such a URL matches no route.
    ///
    /// `shop://a/b`, `shop:///a/b` and `shop:a/b` have the same segments; user, port and fragment do not count.
    func segments(of url: DeepLinkURL) -> [String]? {
        guard url.scheme != nil else { return nil }
        let slash = UInt8(ascii: "/")
        let path = (url.host ?? "") + url.path
        var rest = path[...]
        while rest.utf8.first == slash { rest = rest[rest.utf8.index(after: rest.startIndex)...] }
        if rest.utf8.last == slash { rest = rest[..<rest.utf8.index(before: rest.endIndex)] }
        guard !rest.isEmpty else { return nil }

        var segments = rest.split(at: slash).map { PercentEncoding.decoded($0) }
        if escapedSlashSeparates, path.utf8.contains(UInt8(ascii: "%")) {
            segments = segments.flatMap { segment in
                segment[...].split(at: slash).map { String($0) }
            }
        }
        if !keepsEmptySegments { segments.removeAll(where: \.isEmpty) }
        return segments.isEmpty ? nil : segments
    }

    /// The query as names and values, decoded, with `+` for a space.
    func queryParameters(of url: DeepLinkURL) -> QueryParameters {
        var parameters = QueryParameters()
        for item in url.queryItems {
            let name = PercentEncoding.decoded(item.name, plusIsSpace: true)
            if duplicateQueryItem == .first, parameters.contains(name) { continue }
            let value = item.value.map { PercentEncoding.decoded($0, plusIsSpace: true) }
            parameters.set(name, value ?? (flagIsEmptyString ? "" : nil))
        }
        return parameters
    }

    /// The form in which two segments, or two formats, are compared.
    func comparable(_ text: String) -> ExactText {
        isCaseSensitive ? ExactText(text) : ExactText(CaseFolding.folded(text))
    }
}
