extension DeepLinkURL {
    /// The host of the authority, as written: without user, port and the brackets of an IP literal. Nil without an
    /// authority; empty where the authority names none (`shop:///products`, `shop://:80/`).
    ///
    /// RFC 3986, section 3.2: user information ends at the last `@`; a port is what follows the last `:` where it
    /// consists of digits or of nothing. `a:b` has no port and is a host with a colon.
    public var host: String? {
        guard let authority else { return nil }
        var host = authority[...]
        if let at = host.utf8.lastIndex(of: UInt8(ascii: "@")) {
            host = host[host.utf8.index(after: at)...]
        }
        if host.utf8.first == UInt8(ascii: "["), let end = host.utf8.firstIndex(of: UInt8(ascii: "]")) {
            return String(host[host.utf8.index(after: host.startIndex)..<end])
        }
        if let colon = host.utf8.lastIndex(of: UInt8(ascii: ":")),
            host.utf8[host.utf8.index(after: colon)...].allSatisfy({ (0x30...0x39).contains($0) })
        {
            host = host[..<colon]
        }
        return String(host)
    }

    /// What stands between the slashes of the path, as written and in order, empty ones included. The slash that begins
    /// a path separates nothing: `/a//b/` has four segments, of which the second and the last are empty; an empty path has
    /// none.
    public var segments: [Substring] {
        guard !path.isEmpty else { return [] }
        var path = path[...]
        if path.utf8.first == UInt8(ascii: "/") { path = path[path.utf8.index(after: path.startIndex)...] }
        return path.split(at: UInt8(ascii: "/"))
    }

    /// One part of a query between two `&`, as written.
    public struct QueryItem: Sendable, Hashable {
        /// What stands before the first `=`; all of it where there is none. May be empty.
        public let name: Substring
        /// What stands behind the first `=`; nil without one, empty where nothing follows it.
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

    /// The parts of the query between its `&`, as written and in order. None where there is no query or an empty one;
    /// otherwise as many as there are `&`, and one more (`a=1&` has two, the second with an empty name).
    public var queryItems: [QueryItem] {
        guard let query, !query.isEmpty else { return [] }
        return query[...].split(at: UInt8(ascii: "&")).map(QueryItem.init)
    }
}

extension Substring {
    /// What stands between such bytes, empty parts included.
    package func split(at separator: UInt8) -> [Substring] {
        utf8.split(separator: separator, omittingEmptySubsequences: false).map(Substring.init)
    }
}
