/// The hosts that serve an app's smart links, compared in full, ignoring case, user and port.
///
/// `localhost`, `127.0.0.1` and `::1` are the same host, as on the service: which one a link contains depends on its
/// creator.
struct LinkHosts: Sendable {
    private let names: Set<String>

    /// - Parameter names: hosts as written by the app; ports are removed.
    init(_ names: some Sequence<String>) {
        self.names = Set(names.map { Self.comparable(Self.host($0)) }.filter { !$0.isEmpty })
    }

    /// Whether the URL is a web link on one of the hosts, and so a smart link of the app.
    func contains(hostOf url: DeepLinkURL) -> Bool {
        guard url.isWeb, let host = url.host else { return false }
        return names.contains(Self.comparable(host))
    }

    /// Whether a host is the device itself: `localhost`, `::1` and 127.0.0.0/8 (RFC 1122, section 3.2.1.3).
    static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.first == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// The host of `HOST` or `HOST:PORT`; an IPv6 address may lack its brackets.
    private static func host(_ name: String) -> String {
        let isBareAddress = !name.hasPrefix("[") && name.utf8.count { $0 == UInt8(ascii: ":") } > 1
        return isBareAddress ? name : DeepLinkURL("//" + name).host ?? ""
    }

    private static func comparable(_ host: String) -> String {
        let host = host.lowercased()
        return isLoopback(host) ? "localhost" : host
    }
}
