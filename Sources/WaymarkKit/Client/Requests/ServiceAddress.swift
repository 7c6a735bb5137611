/// Where the service is: `https://go.example.com`, perhaps with a port and a path that a proxy put in front.
struct ServiceAddress: Sendable {
    /// Without a slash at the end.
    let base: String
    let host: String

    init(_ text: String, allowsPlainLoopback: Bool) throws(WaymarkClientError) {
        let url = DeepLinkURL(text)
        guard let host = url.host?.lowercased(), !host.isEmpty else { throw .invalidAddress("it has no host") }
        guard url.query == nil, url.fragment == nil else { throw .invalidAddress("it has a query or a fragment") }
        guard let authority = url.authority, !authority.utf8.contains(UInt8(ascii: "@")) else {
            throw .invalidAddress("it has a user")
        }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
            throw .invalidAddress("it has characters that no URL has")
        }
        switch url.scheme?.lowercased() {
        case "https": break
        case "http" where allowsPlainLoopback && LinkHosts.isLoopback(host): break
        case "http" where LinkHosts.isLoopback(host):
            throw .invalidAddress(
                "it must begin with https; for a service on this device set ClientOptions.allowsPlainLoopback")
        case "http": throw .invalidAddress("the key would be sent in the clear; it must begin with https")
        default: throw .invalidAddress("it must begin with https")
        }
        self.host = host
        var base = text[...]
        while base.utf8.last == UInt8(ascii: "/") { base.removeLast() }
        self.base = String(base)
    }
}
