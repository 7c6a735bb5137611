/// The algorithms of signatures that are verified (RFC 7518 section 3, RFC 8037, RFC 9053). The raw values are the names of JOSE.
/// Keyed digests (`HS256`) and `none` are deliberately absent.
package enum SignatureAlgorithm: String, Sendable, CaseIterable {
    case es256 = "ES256"
    case es384 = "ES384"
    /// RSASSA-PKCS1-v1_5.
    case rs256 = "RS256"
    /// RSASSA-PSS, with a salt as long as the digest.
    case ps256 = "PS256"
    /// Ed25519 only.
    case eddsa = "EdDSA"
}

/// How the two numbers of an elliptic curve's signature are written. Other signatures have one form.
package enum SignatureForm: Sendable {
    /// Both in the length of the curve, one after the other, as in JSON Web Signatures (RFC 7518 section 3.4).
    case concatenated
    /// A DER sequence of two integers, as in WebAuthn (section 6.5.5).
    case der
}
