import WaymarkBytes
import WaymarkTLS

/// Random bytes that an authenticator signs, once. The caller knows that it made the challenge, and that it is answered once
/// (`PasskeyChallenges`).
package struct PasskeyChallenge: Sendable, Equatable {
    package static let byteCount = 32

    package let bytes: [UInt8]

    /// A new one.
    package init() { bytes = SecureRandom.bytes(count: Self.byteCount) }

    /// One that was remembered; nil unless it has 32 bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// In base64url, as in options and in client data.
    package var text: String { Base64.urlText(bytes) }
}
