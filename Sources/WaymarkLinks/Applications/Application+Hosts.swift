extension Application {
    /// The hosts, besides `domains`, that no other application may have, sorted: `openHost`, and the host of
    /// `baseURL` if there are no domains. A loopback `baseURL` reserves nothing, because all applications on a
    /// developer's machine have it.
    package var otherHosts: [HostName] {
        var hosts: [HostName] = []
        if let openHost, !domains.contains(openHost) { hosts.append(openHost) }
        if domains.isEmpty, let host = baseURL?.host, !host.isLoopback, host != openHost { hosts.append(host) }
        return hosts.sorted { $0.text < $1.text }
    }
}

extension HostName {
    /// Whether it is a loopback name or address: `localhost` and its subdomains, 127.0.0.0/8, ::1.
    package var isLoopback: Bool {
        if text == "localhost" || text.hasSuffix(".localhost") || text == "[::1]" { return true }
        return text.hasPrefix("127.") && isAddress
    }
}
