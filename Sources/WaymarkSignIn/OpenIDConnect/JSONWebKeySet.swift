import WaymarkBytes
import WaymarkJSON
import WaymarkTLS

/// A provider's public keys (RFC 7517).
struct JSONWebKeySet: Sendable {
    struct Key: Sendable {
        let id: String?
        /// The one that it is for; nil for any that it fits.
        let algorithm: String?
        let publicKey: PublicKey
    }

    /// More are ignored.
    static let countLimit = 64
    static let idLimit = 512

    let keys: [Key]

    /// Keys of other kinds and for other uses are left out, and damaged ones as well: providers add what clients ignore.
    init(_ value: JSONValue) throws(OpenIDFailure) {
        guard let entries = value["keys"]?.array else { throw .unreadable(.keys) }
        keys = entries.prefix(Self.countLimit).compactMap(Self.key)
    }

    private static func key(_ value: JSONValue) -> Key? {
        // A member of another type than the standard's is no key.
        guard value["use"].map({ $0.string == "sig" }) ?? true,
            value["key_ops"].map({ $0.array?.contains(JSONValue("verify")) == true }) ?? true,
            value["kid"].map({ ($0.string?.utf8.count ?? .max) <= idLimit }) ?? true,
            value["alg"].map({ $0.string != nil }) ?? true, let key = publicKey(value)
        else { return nil }
        return Key(id: value["kid"]?.string, algorithm: value["alg"]?.string, publicKey: key)
    }

    private static func publicKey(_ value: JSONValue) -> PublicKey? {
        func bytes(_ name: String) -> [UInt8] { value[name]?.string.flatMap { CompactToken.bytes($0) } ?? [] }
        switch (value["kty"]?.string, value["crv"]?.string) {
        case ("RSA", _): return PublicKey(modulus: bytes("n"), exponent: bytes("e"))
        case ("EC", "P-256"): return PublicKey(.p256, x: bytes("x"), y: bytes("y"))
        case ("EC", "P-384"): return PublicKey(.p384, x: bytes("x"), y: bytes("y"))
        case ("OKP", "Ed25519"): return PublicKey(ed25519: bytes("x"))
        default: return nil
        }
    }

    /// The keys that may have signed a token: those with its key's id, or, for a token without one, all that fit.
    func candidates(id: String?, _ algorithm: SignatureAlgorithm) -> [Key] {
        keys.filter { key in
            guard key.publicKey.fits(algorithm), key.algorithm.map({ $0 == algorithm.rawValue }) ?? true else {
                return false
            }
            guard let id else { return true }
            return key.id.map { $0.utf8.elementsEqual(id.utf8) } ?? false
        }
    }
}
