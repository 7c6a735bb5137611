import WaymarkBytes

extension HostName {
    /// Whether it is an IPv4 or IPv6 address rather than a name.
    package var isAddress: Bool {
        let bytes = text.utf8
        guard bytes.first != UInt8(ascii: "[") else { return true }
        // The last label of a name is never a number.
        return bytes.split(separator: UInt8(ascii: ".")).last?.allSatisfy(\.isDigit) == true
    }

    /// An address or `localhost`: on such a host, other ports are other services.
    package var isMachine: Bool { isAddress || text == "localhost" || text.hasSuffix(".localhost") }

    /// The IPv4 address embedded in `[::ffff:192.0.2.1]`, which connections to it reach (RFC 4291, section 2.5.5.2);
    /// nil for other hosts.
    package var mapped: HostName? {
        guard text.hasPrefix("[::ffff:"), let address = IPAddress(ipv6: text.dropFirst().dropLast()), address.isIPv4
        else { return nil }
        return HostName(address.text)
    }
}
