import WaymarkTLS

/// A credential's public key (RFC 9052 section 7, RFC 9053, RFC 8230), with the algorithm of its signatures.
struct COSEKey: Sendable {
    /// The algorithms that registrations ask for, the preferred one first: ES256, EdDSA, RS256.
    static let algorithms: [(identifier: Int, algorithm: SignatureAlgorithm)] = [
        (-7, .es256), (-8, .eddsa), (-257, .rs256),
    ]

    let algorithm: SignatureAlgorithm
    let publicKey: PublicKey

    /// Why bytes are no key that can be used.
    enum Failure: Error {
        /// Not a key, or one that is damaged.
        case malformed
        /// Another algorithm than those asked for, or another curve than WebAuthn's section 5.8.5 names for it.
        case unsupported
    }

    init(_ item: CBOR) throws(Failure) {
        guard item.isMap, let type = item[1]?.integer, let identifier = item[3]?.integer else { throw .malformed }
        guard let known = Self.algorithms.first(where: { $0.identifier == identifier }) else { throw .unsupported }
        algorithm = known.algorithm
        let key: PublicKey?
        switch (known.algorithm, type) {
        case (.es256, 2):
            guard item[-1]?.integer == 1 else { throw .unsupported }
            key = PublicKey(.p256, x: item[-2]?.bytes ?? [], y: item[-3]?.bytes ?? [])
        case (.eddsa, 1):
            guard item[-1]?.integer == 6 else { throw .unsupported }
            key = PublicKey(ed25519: item[-2]?.bytes ?? [])
        case (.rs256, 3): key = PublicKey(modulus: item[-1]?.bytes ?? [], exponent: item[-2]?.bytes ?? [])
        default: throw .malformed
        }
        guard let key else { throw .malformed }
        publicKey = key
    }

    /// A key as `Passkey` stores it.
    init?(_ bytes: [UInt8]) {
        guard let item = try? CBORReader.item(of: bytes), let key = try? COSEKey(item) else { return nil }
        self = key
    }
}
