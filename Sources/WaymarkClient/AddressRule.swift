package import WaymarkBytes
package import WaymarkSockets

/// The addresses that the server may connect to on behalf of its callers: public ones, and networks that the operator
/// allows. Anything else could make the server talk to its own machine or network.
package struct AddressRule: Sendable, Equatable {
    /// Networks that are allowed although they are not public.
    package var allowedNetworks: [NetworkPrefix]

    /// Whether public addresses may be asked over plain HTTP too, which sends nothing secret there.
    package var allowsUnencrypted: Bool

    package init(allowedNetworks: [NetworkPrefix] = [], allowsUnencrypted: Bool = false) {
        self.allowedNetworks = allowedNetworks
        self.allowsUnencrypted = allowsUnencrypted
    }

    package func allows(_ address: IPAddress) -> Bool { isInAllowedNetwork(address) || Self.isPublic(address) }

    package func isInAllowedNetwork(_ address: IPAddress) -> Bool {
        allowedNetworks.contains { $0.contains(address) }
    }

    /// Whether an address is globally reachable (RFC 6890 and the registries of IANA), and no form of an address that
    /// is not.
    package static func isPublic(_ address: IPAddress) -> Bool {
        if let embedded = embeddedIPv4(address) { return isPublic(embedded) }
        let networks = address.isIPv4 ? specialIPv4 : specialIPv6
        guard !networks.contains(where: { $0.contains(address) }) else { return false }
        // Only 2000::/3 is assigned.
        return address.isIPv4 || address.high >> 61 == 1
    }

    /// The IPv4 address that a translated or tunnelled IPv6 address leads to.
    private static func embeddedIPv4(_ address: IPAddress) -> IPAddress? {
        // NAT64, 64:ff9b::/96 (RFC 6052).
        if address.high == 0x0064_FF9B_0000_0000, address.low >> 32 == 0 {
            return IPAddress(ipv4: UInt32(truncatingIfNeeded: address.low))
        }
        // 6to4, 2002::/16 (RFC 3056).
        if address.high >> 48 == 0x2002 { return IPAddress(ipv4: UInt32(truncatingIfNeeded: address.high >> 16)) }
        return nil
    }

    private static let specialIPv4 = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/3",
    ].compactMap { NetworkPrefix($0) }

    /// Of 2000::/3.
    private static let specialIPv6 = ["2001::/23", "2001:db8::/32", "3fff::/20"].compactMap { NetworkPrefix($0) }
}
