extension DeepLinkURL {
    /// The host of the authority as written, without user, port and the brackets of an IP literal. Nil without an
    /// authority; empty if the authority has no host (`shop:///products`, `shop://:80/`).
    ///
    /// RFC 3986, section 3.2: user information ends at the last `@`; the port is the text after the last `:` if it is
    /// empty or consists of digits. `a:b` has no port and is a host with a colon. Brackets are removed only if they
    /// enclose all of the host and it has a colon, as an IPv6 address does.
    public var host: String? {
        guard let authority else { return nil }
        var host = authority[...]
        if let at = host.utf8.lastIndex(of: UInt8(ascii: "@")) {
            host = host[host.utf8.index(after: at)...]
        }
        if let colon = host.utf8.lastIndex(of: UInt8(ascii: ":")),
            host.utf8[host.utf8.index(after: colon)...].allSatisfy({ (0x30...0x39).contains($0) })
        {
            host = host[..<colon]
        }
        if host.utf8.first == UInt8(ascii: "["), host.utf8.last == UInt8(ascii: "]"),
            host.utf8.contains(UInt8(ascii: ":"))
        {
            return String(host.utf8.dropFirst().dropLast())
        }
        return String(host)
    }

    /// The segments between the slashes of the path, as written and in order, including empty ones. The leading slash
    /// is not a separator: `/a//b/` has four segments, of which the second and the last are empty; an empty path has
    /// none.
    public var segments: [Substring] {
        guard !path.isEmpty else { return [] }
        var path = path[...]
        if path.utf8.first == UInt8(ascii: "/") { path = path[path.utf8.index(after: path.startIndex)...] }
        return path.split(at: UInt8(ascii: "/"))
    }

    /// One item of a query between two `&`, as written.
    public struct QueryItem: Sendable, Hashable {
        /// The text before the first `=`, or the whole item if there is none. May be empty.
        public let name: Substring
        /// The text after the first `=`; nil without one, empty if nothing follows it.
        public let value: Substring?

        init(_ item: Substring) {
            guard let equals = item.utf8.firstIndex(of: UInt8(ascii: "=")) else {
                name = item
                value = nil
                return
            }
            name = item[..<equals]
            value = item[item.utf8.index(after: equals)...]
        }
    }

    /// The items of the query between `&`, as written and in order. None if there is no query or it is empty;
    /// otherwise one more than there are `&` (`a=1&` has two, the second with an empty name).
    public var queryItems: [QueryItem] {
        guard let query, !query.isEmpty else { return [] }
        return query[...].split(at: UInt8(ascii: "&")).map(QueryItem.init)
    }
}

extension Substring {
    /// The parts between the separators, including empty ones.
    package func split(at separator: UInt8) -> [Substring] {
        utf8.split(separator: separator, omittingEmptySubsequences: false).map(Substring.init)
    }
}
