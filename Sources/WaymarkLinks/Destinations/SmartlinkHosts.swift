import WaymarkBytes

/// Where smart links of the service stand, for telling whether a destination leads back to one.
///
/// A name belongs to the service on every port. On an IP address or `localhost`, other ports are other services, so
/// the port also has to match.
package struct SmartlinkHosts: Sendable, Equatable {
    package var hosts: Set<HostName>
    package var ports: Set<Int>

    package init(hosts: Set<HostName> = [], ports: Set<Int> = []) {
        self.hosts = hosts
        self.ports = ports
    }

    /// - Parameter defaultBaseURL: the base URL of applications with neither domains nor base URL.
    package init(_ applications: some Sequence<Application>, defaultBaseURL: WebURL? = nil) {
        self.init()
        if let defaultBaseURL { add(defaultBaseURL) }
        for application in applications {
            hosts.formUnion(application.domains)
            if let host = application.openHost { hosts.insert(host) }
            if let url = application.baseURL { add(url) }
            // It serves requests for any name of the machine.
            if application.domains.isEmpty {
                hosts.formUnion(["localhost", "127.0.0.1", "::1"].compactMap { HostName($0) })
            }
        }
    }

    private mutating func add(_ baseURL: WebURL) {
        if let host = baseURL.host { hosts.insert(host) }
        ports.insert(baseURL.url.effectivePort)
    }

    func holds(_ url: URLText) -> Bool {
        guard let given = url.host else { return false }
        let host = given.mapped ?? given
        guard hosts.contains(host) else { return false }
        // If no port is known (Unix-domain socket), the default port is assumed.
        return !host.isMachine || (ports.isEmpty ? url.port == nil : ports.contains(url.effectivePort))
    }

    /// Whether the URL is that of a smart link or of its preview page.
    ///
    /// - Parameter parameters: the values of variables; nil if they may have any.
    func leadsBack(_ pattern: URLPattern, with parameters: [String: String]?) -> Bool {
        guard pattern.isWeb, holds(pattern.url) else { return false }
        guard let parameters, !pattern.slots.isEmpty else {
            return Self.isSlug(pattern.url, variables: pattern.slots)
        }
        guard let filled = WebURL(pattern.fill(parameters)) else { return false }
        return Self.isSlug(filled.url, variables: [])
    }

    func leadsBack(_ url: WebURL) -> Bool { holds(url.url) && Self.isSlug(url.url, variables: []) }

    /// Whether the path, as sent by a browser, is one segment that may be a slug.
    private static func isSlug(_ url: URLText, variables: [URLPattern.Slot]) -> Bool {
        var kept: [(text: Substring.UTF8View, index: Int)] = []
        var index = url.pathRange.lowerBound + 1
        for segment in url.slice(url.pathRange).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .dropFirst()
        {
            defer { index += segment.count + 1 }
            // Browsers remove dot segments, including percent-encoded ones (WHATWG URL, "single-dot URL path segment").
            switch dots(segment) {
            case 1: continue
            case 2: _ = kept.popLast()
            default: kept.append((segment, index))
            }
        }
        // As visits forgive them.
        while kept.count > 1, kept.last?.text.isEmpty == true { kept.removeLast() }
        guard kept.count == 1, let only = kept.first else { return false }
        if variables.contains(where: { $0.start == only.index }) { return true }
        let text = PercentEncoding.decodeTextLeniently(only.text)
        // Slugs of several segments are left out: applications have pages of their own at such paths of a link domain.
        return OpenedPath(text).slug.map { !$0.text.utf8.contains(UInt8(ascii: "/")) } ?? false
    }

    /// 1 for `.`, 2 for `..`, 0 for other segments.
    private static func dots(_ segment: Substring.UTF8View) -> Int {
        guard (1...6).contains(segment.count) else { return 0 }
        let decoded = PercentEncoding.decodeLeniently(segment)
        return decoded.count <= 2 && decoded.allSatisfy { $0 == UInt8(ascii: ".") } ? decoded.count : 0
    }
}

extension URLText {
    fileprivate var effectivePort: Int { port ?? (schemeText == "http" ? 80 : 443) }
}
