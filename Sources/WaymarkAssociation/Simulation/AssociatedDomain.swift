/// One entry of an app's Associated Domains entitlement for links: `applinks:example.com`, `applinks:*.example.com`,
/// with an optional `?mode=…`.
package struct AssociatedDomain: Hashable, Sendable {
    package let text: String
    /// The host whose file is asked for; for a wildcard the parent's. In lower case.
    package let fileHost: String
    package let isWildcard: Bool

    /// Nil for entries that no system takes: another service, a port, a path, or no host.
    package init?(_ text: String) {
        let prefix = "applinks:"
        guard text.hasPrefix(prefix) else { return nil }
        let parts = text.dropFirst(prefix.count).split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let host = parts.first else { return nil }
        if parts.count > 1, !["mode=developer", "mode=managed", "mode=developer+managed"].contains(parts[1]) {
            return nil
        }
        let isWildcard = host.hasPrefix("*.")
        let name = isWildcard ? host.dropFirst(2) : host
        let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard
            labels.allSatisfy({ label in
                !label.isEmpty
                    && label.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") || $0 >= 0x80 }
            })
        else { return nil }
        self.text = text
        self.isWildcard = isWildcard
        fileHost = name.lowercased()
    }

    private func covers(_ host: String) -> Bool {
        isWildcard ? host.hasSuffix("." + fileHost) : host == fileHost
    }

    /// The entry that the system goes by: an exact one before a wildcard, then the longest. Nil where none fits, and for
    /// every URL with a port, which entries cannot name.
    package static func entry(for url: AssociationURL, among texts: [String]) -> AssociatedDomain? {
        guard url.isWeb, url.port == nil else { return nil }
        let fitting = texts.compactMap { AssociatedDomain($0) }.filter { $0.covers(url.host) }
        return fitting.first { !$0.isWildcard } ?? fitting.max { $0.fileHost.utf8.count < $1.fileHost.utf8.count }
    }
}
