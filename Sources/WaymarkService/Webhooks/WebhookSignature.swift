import WaymarkBytes
import WaymarkLinks
import WaymarkStores

/// Signs messages (Standard Webhooks 1.0.0, symmetric): HMAC-SHA256 (RFC 2104) over `id.timestamp.body`.
package struct WebhookSignature: Sendable {
    private static let prefix = "whsec_"
    private static let keyBytes = 24...64
    private static let blockSize = 64

    private let sha256: @Sendable ([UInt8]) -> [UInt8]

    package init(sha256: @escaping @Sendable ([UInt8]) -> [UInt8]) { self.sha256 = sha256 }

    /// The value of `webhook-signature`: one signature for each secret, so that receivers can change from one to the next.
    ///
    /// - Parameter second: Unix time of this attempt.
    package func field(id: String, second: Int64, body: [UInt8], keys: [[UInt8]]) -> String {
        let message = Array("\(id).\(second).".utf8) + body
        return keys.map { "v1,\(Base64.text(code(message, key: $0)))" }.joined(separator: " ")
    }

    func code(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        var block = key.count > Self.blockSize ? sha256(key) : key
        block += [UInt8](repeating: 0, count: Self.blockSize - block.count)
        return sha256(block.map { $0 ^ 0x5C } + sha256(block.map { $0 ^ 0x36 } + message))
    }

    /// A secret as it is shown.
    package static func text(ofKey key: [UInt8]) -> String { prefix + Base64.text(key) }

    /// Nil unless the text is a secret of 24 to 64 bytes.
    package static func key(_ text: String) -> [UInt8]? {
        guard text.hasPrefix(prefix), let key = Base64.bytes(String(text.dropFirst(prefix.count))),
            keyBytes.contains(key.count)
        else { return nil }
        return key
    }
}

extension Webhook {
    /// The keys that sign at a time.
    func keys(at now: Timestamp, _ metadataKeys: MetadataKeys) throws(StoreError) -> [[UInt8]] {
        var keys: [[UInt8]] = []
        for secret in secrets where secret.expiresAt.map({ now < $0 }) ?? true {
            keys.append(try secret.key(of: id, metadataKeys))
        }
        return keys
    }
}
