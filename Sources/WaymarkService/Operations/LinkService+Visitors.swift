import WaymarkBytes
import WaymarkLinks

extension LinkService {
    /// Tells visitors apart for shares of rules, without a cookie and without a record: the same on every server and
    /// after each start, and nothing that leads back to an address. It is 0 before the service has loaded its secret.
    ///
    /// - Parameters:
    ///   - address: what one subscriber has; IPv4 in its mapped form, of IPv6 the first 64 bits.
    ///   - userAgent: as it came.
    package func visitorNumber(_ address: (high: UInt64, low: UInt64), userAgent: [UInt8]) -> UInt64 {
        guard let secret = clickSecret else { return 0 }
        // A word ahead, so that no click's id is ever made of the same bytes.
        var message = Array("visitor ".utf8)
        for half in [address.high, address.low] {
            // Safety: an integer has no padding; its bytes are read within the closure.
            unsafe withUnsafeBytes(of: half.bigEndian) { unsafe message.append(contentsOf: $0) }
        }
        return secret.hash(message + userAgent)
    }
}
