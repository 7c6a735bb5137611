import WaymarkBytes
import WaymarkJSON
import WaymarkTLS

/// A signed JSON Web Token in its compact form (RFC 7515 section 7.1), not verified yet.
struct CompactToken: Sendable {
    static let depthLimit = 16

    let algorithm: SignatureAlgorithm
    let keyID: String?
    let claims: JSONValue
    /// The bytes that are signed.
    private let message: [UInt8]
    private let signature: [UInt8]

    init(_ text: String) throws(IDTokenProblem) {
        guard text.utf8.count <= IDToken.sizeLimit else { throw .tooLarge }
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.json(parts[0]), let claims = Self.json(parts[1]),
            let name = header["alg"]?.string,
            header["kid"].map({ ($0.string?.utf8.count ?? .max) <= JSONWebKeySet.idLimit }) ?? true
        else { throw .malformed }
        guard let algorithm = SignatureAlgorithm(rawValue: name) else { throw .algorithm }
        // An extension that must be understood (section 4.1.11); none is.
        guard header["crit"] == nil, let signature = Self.bytes(String(parts[2]) ?? "") else { throw .malformed }
        self.algorithm = algorithm
        keyID = header["kid"]?.string
        self.claims = claims
        self.signature = signature
        message = Array(text.utf8.prefix(parts[0].count + 1 + parts[1].count))
    }

    private static func json(_ part: Substring.UTF8View) -> JSONValue? {
        guard let bytes = String(part).flatMap(bytes),
            let value = try? JSONValue(parsing: bytes, depthLimit: depthLimit),
            value.object != nil
        else { return nil }
        return value
    }

    /// Strict base64url (RFC 7515 section 2).
    static func bytes(_ text: String) -> [UInt8]? {
        guard let bytes = Base64.bytes(lenient: text), Base64.urlText(bytes) == text else { return nil }
        return bytes
    }

    /// Whether a key of the set signed the token.
    func check(_ keys: JSONWebKeySet) throws(IDTokenProblem) {
        let candidates = keys.candidates(id: keyID, algorithm)
        guard !candidates.isEmpty else { throw .unknownKey }
        guard candidates.contains(where: { $0.publicKey.verifies(signature, of: message, algorithm, .concatenated) })
        else { throw .signature }
    }
}
