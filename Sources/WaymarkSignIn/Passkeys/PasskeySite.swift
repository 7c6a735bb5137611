import WaymarkBytes

/// The site that passkeys belong to.
package struct PasskeySite: Sendable, Equatable {
    /// The relying party's id: the host of the address.
    package let id: String
    /// For people.
    package let name: String
    /// Scheme, host, and the port unless it is the scheme's.
    package let origin: String

    /// - Parameters:
    ///   - host: the host of the address in the browser, in lower case, without a port.
    ///   - port: nil for the scheme's own.
    /// - Returns: nil where browsers have no passkeys: at IP addresses, and over plain HTTP except at `localhost`.
    package init?(isSecure: Bool, host: String, port: Int?, name: String) {
        let isLocal = host == "localhost" || host.hasSuffix(".localhost")
        guard !host.isEmpty, host.utf8.count <= 253,
            host.utf8.allSatisfy({ $0.isLowerLetter || $0.isDigit || $0 == 0x2D || $0 == 0x2E }),
            IPAddress(host) == nil, isSecure || isLocal
        else { return nil }
        id = host
        self.name = name
        let isUsual = port == nil || port == (isSecure ? 443 : 80)
        origin = (isSecure ? "https://" : "http://") + host + (isUsual ? "" : ":\(port ?? 0)")
    }
}
