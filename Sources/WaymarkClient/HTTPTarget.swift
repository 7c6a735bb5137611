import Foundation

/// Where a URL leads.
package struct HTTPTarget: Sendable, Equatable {
    package let isSecure: Bool
    /// As in a URL; IPv6 in brackets.
    package let host: String
    package let port: Int
    /// The value of `Host`: with the port if the URL has one.
    package let authority: String
    /// With the query.
    package let path: String

    /// Nil for what is no http or https URL.
    package init?(_ text: String) {
        guard let url = URLComponents(string: text), let scheme = url.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let host = url.encodedHost, !host.isEmpty,
            host.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), (1...65_535).contains(url.port ?? 1)
        else { return nil }
        isSecure = scheme == "https"
        self.host = host
        port = url.port ?? (isSecure ? 443 : 80)
        authority = host + (url.port.map { ":\($0)" } ?? "")
        path =
            (url.percentEncodedPath.isEmpty ? "/" : url.percentEncodedPath)
            + (url.percentEncodedQuery.map { "?\($0)" } ?? "")
    }
}
