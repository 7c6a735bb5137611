extension Application {
    /// The hosts besides `domains` that no other application may have, in the order of their letters: `openHost`, and the
    /// host of `baseURL` where there are no domains. A loopback `baseURL` claims nothing, because every application on a developer's machine has it.
    package var otherHosts: [HostName] {
        var hosts: [HostName] = []
        if let openHost, !domains.contains(openHost) { hosts.append(openHost) }
        if domains.isEmpty, let host = baseURL?.host, !host.isLoopback, host != openHost { hosts.append(host) }
        return hosts.sorted { $0.text < $1.text }
    }
}

extension HostName {
    /// Whether it is a loopback name or address: `localhost` and what is below it, 127.0.0.0/8, ::1.
    package var isLoopback: Bool {
        if text == "localhost" || text.hasSuffix(".localhost") || text == "[::1]" { return true }
        return text.hasPrefix("127.") && isAddress
    }
}
