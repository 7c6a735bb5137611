/// The SHA-256 fingerprint of an app's signing certificate, as `keytool` prints it: 32 bytes as pairs of hexadecimal
/// digits with colons between them.
///
/// Android takes capitals only. Small letters say the same, so they are accepted here and written as capitals.
package struct CertificateFingerprint: Hashable, Sendable {
    /// 95 characters, capitals.
    package let text: String

    /// Nil unless there are exactly 32 pairs with a colon between each two.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 95 else { return nil }
        var capitals: [UInt8] = []
        capitals.reserveCapacity(95)
        for (position, byte) in bytes.enumerated() {
            let isSeparator = position % 3 == 2
            switch byte {
            case UInt8(ascii: ":") where isSeparator, UInt8(ascii: "0")...UInt8(ascii: "9") where !isSeparator,
                UInt8(ascii: "A")...UInt8(ascii: "F") where !isSeparator:
                capitals.append(byte)
            case UInt8(ascii: "a")...UInt8(ascii: "f") where !isSeparator:
                capitals.append(byte - 0x20)
            default:
                return nil
            }
        }
        self.text = String(decoding: capitals, as: UTF8.self)
    }

    static let shape = "must be the certificate's SHA-256: 32 pairs of hexadecimal digits with colons between them"
}
