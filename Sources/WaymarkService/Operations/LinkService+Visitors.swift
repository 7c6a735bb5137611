import WaymarkBytes

/// Numbers that identify visitors for percentages of rules, without a cookie or a record: the same on every server and
/// after a restart, and not traceable to an address.
package struct VisitorNumbers: Sendable {
    let secret: SipHash

    /// - Parameters:
    ///   - address: the subscriber's part of the address: an IPv4 address in mapped form, or the first 64 bits of an
    ///     IPv6 address.
    ///   - userAgent: unmodified.
    package func number(_ address: (high: UInt64, low: UInt64), userAgent: [UInt8]) -> UInt64 {
        // A prefix, so that no click ID is ever computed from the same bytes.
        var message = Array("visitor ".utf8)
        message.reserveCapacity(message.count + 16 + userAgent.count)
        for half in [address.high, address.low] {
            // Safety: an integer has no padding; its bytes are read within the closure.
            unsafe withUnsafeBytes(of: half.bigEndian) { unsafe message.append(contentsOf: $0) }
        }
        message.append(contentsOf: userAgent)
        return secret.hash(message)
    }
}

extension LinkService {
    /// Nil until the service has loaded its secret.
    package var visitorNumbers: VisitorNumbers? { clickSecret.map { VisitorNumbers(secret: $0) } }
}
