import WaymarkKit

/// The app's link domains, each with a path prefix if it has one: `https://go.example.com`,
/// `https://example.com/links`.
///
/// Hosts are compared in full, ignoring case, user and port; path prefixes exactly, up to a slash. `http` and `https`
/// are the same.
struct LinkDomains: Sendable {
    private struct Domain {
        let host: String
        /// Without a trailing slash; empty if there is none.
        let prefix: String
    }

    private let domains: [Domain]

    /// Ignores texts that aren't web URLs, as Firebase's SDK did.
    init(_ texts: some Sequence<String>) {
        domains = texts.compactMap { text in
            let url = DeepLinkURL(text)
            guard url.isWeb, let host = url.host?.lowercased(), !host.isEmpty else { return nil }
            var prefix = url.path[...]
            while prefix.utf8.last == UInt8(ascii: "/") { prefix.removeLast() }
            return Domain(host: host, prefix: String(prefix))
        }
    }

    var isEmpty: Bool { domains.isEmpty }

    var hosts: Set<String> { Set(domains.map(\.host)) }

    /// The path behind the domain's path prefix, empty or with its leading slash; nil if the URL is not on one of the
    /// domains.
    func path(of url: DeepLinkURL) -> Substring? {
        guard url.isWeb, let host = url.host?.lowercased() else { return nil }
        for domain in domains where domain.host == host && url.path.utf8.starts(with: domain.prefix.utf8) {
            let rest = url.path.utf8.dropFirst(domain.prefix.utf8.count)
            if rest.isEmpty || rest.first == UInt8(ascii: "/") { return Substring(rest) }
        }
        return nil
    }
}

extension LinkDomains: CustomStringConvertible {
    var description: String {
        domains.isEmpty ? "none" : domains.map { "https://" + $0.host + $0.prefix }.joined(separator: ", ")
    }
}
