/// What an authenticator signs about itself (WebAuthn level 2, section 6.1).
struct AuthenticatorData: Sendable {
    /// A new credential (section 6.5.1).
    struct Credential: Sendable {
        let id: [UInt8]
        /// As the authenticator wrote it.
        let encodedKey: [UInt8]
        let key: COSEKey
    }

    /// Bytes of a credential's id (section 4.2.4 of level 2).
    static let credentialIDLimit = 1_023
    /// Bytes in all: the longest id, the largest key, and extensions.
    static let sizeLimit = 16_384

    /// SHA-256 of the relying party's id.
    let relyingPartyHash: [UInt8]
    let isUserPresent: Bool
    let isUserVerified: Bool
    let signatureCount: UInt32
    /// Nil in assertions.
    let credential: Credential?

    init(_ bytes: [UInt8]) throws(PasskeyRefusal) {
        guard bytes.count <= Self.sizeLimit else { throw .tooLarge }
        var rest = bytes[...]
        func take(_ count: Int) throws(PasskeyRefusal) -> ArraySlice<UInt8> {
            guard rest.count >= count else { throw .malformed(.authenticatorData) }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }
        func number(_ count: Int) throws(PasskeyRefusal) -> UInt32 {
            try take(count).reduce(0) { $0 << 8 | UInt32($1) }
        }

        relyingPartyHash = Array(try take(32))
        let flags = try number(1)
        isUserPresent = flags & 0x01 != 0
        isUserVerified = flags & 0x04 != 0
        signatureCount = try number(4)
        if flags & 0x40 != 0 {
            // The authenticator's model: nothing depends on it, because no attestation vouches for it.
            _ = try take(16)
            let count = Int(try number(2))
            guard (1...Self.credentialIDLimit).contains(count) else { throw .credentialID }
            let id = Array(try take(count))
            let (item, encoded) = try Self.item(&rest)
            credential = Credential(id: id, encodedKey: encoded, key: try Self.key(item))
        } else {
            credential = nil
        }
        if flags & 0x80 != 0 {
            guard try Self.item(&rest).item.isMap else { throw .malformed(.authenticatorData) }
        }
        guard rest.isEmpty else { throw .malformed(.authenticatorData) }
    }

    private static func item(
        _ rest: inout ArraySlice<UInt8>
    ) throws(PasskeyRefusal) -> (item: CBOR, encoded: [UInt8]) {
        var reader = CBORReader(rest)
        guard let item = try? reader.item() else { throw .malformed(.authenticatorData) }
        defer { rest = rest[reader.position...] }
        return (item, Array(rest[..<reader.position]))
    }

    private static func key(_ item: CBOR) throws(PasskeyRefusal) -> COSEKey {
        do throws(COSEKey.Failure) {
            return try COSEKey(item)
        } catch {
            switch error {
            case .malformed: throw .publicKey
            case .unsupported: throw .algorithm
            }
        }
    }
}
