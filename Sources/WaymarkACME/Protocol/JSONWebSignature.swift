import WaymarkBytes
import WaymarkJSON
import WaymarkTLS

/// Signed bodies of requests (RFC 7515, in the flattened form that RFC 8555 section 6.2 requires).
enum JSONWebSignature {
    /// How the authority finds the key of the signature.
    enum Identity: Sendable {
        /// The public key itself, for requests without an account.
        case key
        /// The URL of the account.
        case account(String)
    }

    /// - Parameter payload: JSON; nil for POST-as-GET, which has an empty payload.
    static func body(
        _ payload: [UInt8]?, key: P256Key, identity: Identity, nonce: String, url: String
    ) -> [UInt8] {
        var header = JSONWriter()
        header.beginObject()
        header.member("alg", "ES256")
        switch identity {
        case .key: header.member("jwk", raw: publicKey(key))
        case .account(let account): header.member("kid", account)
        }
        header.member("nonce", nonce)
        header.member("url", url)
        header.endObject()
        return flattened(header.bytes, payload ?? []) { key.signature(of: $0) }
    }

    /// The proof that an external account wants this key (RFC 8555 section 7.3.4).
    static func binding(_ account: ExternalAccount, to key: P256Key, url: String) -> [UInt8] {
        var header = JSONWriter()
        header.beginObject()
        header.member("alg", "HS256")
        header.member("kid", account.keyIdentifier)
        header.member("url", url)
        header.endObject()
        return flattened(header.bytes, publicKey(key)) { HMACSHA256.code(of: $0, key: account.macKey) }
    }

    /// The public key as JSON Web Key, in the form that its thumbprint requires (RFC 7638 section 3.2).
    static func publicKey(_ key: P256Key) -> [UInt8] {
        let (x, y) = key.coordinates
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("crv", "P-256")
        writer.member("kty", "EC")
        writer.member("x", Base64.urlText(x))
        writer.member("y", Base64.urlText(y))
        writer.endObject()
        return writer.bytes
    }

    /// The SHA-256 digest of the public key in base64url.
    static func thumbprint(_ key: P256Key) -> String { Base64.urlText(SHA256.digest(of: publicKey(key))) }

    private static func flattened(
        _ header: [UInt8], _ payload: [UInt8], _ sign: ([UInt8]) -> [UInt8]
    ) -> [UInt8] {
        let header = Base64.urlText(header)
        let payload = Base64.urlText(payload)
        var writer = JSONWriter(capacity: header.utf8.count + payload.utf8.count + 256)
        writer.beginObject()
        writer.member("protected", header)
        writer.member("payload", payload)
        writer.member("signature", Base64.urlText(sign(Array("\(header).\(payload)".utf8))))
        writer.endObject()
        return writer.bytes
    }
}
