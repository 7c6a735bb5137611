import WaymarkBytes
import WaymarkJSON
import WaymarkTLS

/// The rules for a token's claims (OpenID Connect Core section 3.1.3.7).
enum IDToken {
    /// In bytes; tokens with many groups are the longest.
    static let sizeLimit = 65_536
    /// Seconds by which both clocks may differ.
    static let skew: Int64 = 60
    private static let subjectLimit = 255
    private static let audienceLimit = 32

    /// The token's subject, once everything was checked except the signature.
    ///
    /// - Parameters:
    ///   - accessToken: the one that came with it.
    ///   - now: in seconds since 1970.
    static func subject(
        of token: CompactToken, _ settings: OpenIDSettings, nonce: String, accessToken: String?, now: Int64
    ) throws(IDTokenProblem) -> String {
        let claims = token.claims
        guard let issuer = claims["iss"]?.string, let expiry = time(claims["exp"]), let issued = time(claims["iat"])
        else { throw .malformed }
        guard issuer.utf8.elementsEqual(settings.issuer.utf8) else { throw .issuer }
        try checkAudience(claims, settings.clientID)
        guard now < expiry + skew else { throw .expired }
        guard issued <= now + skew else { throw .issuedLater }
        if let start = claims["nbf"] {
            guard let start = time(start) else { throw .malformed }
            guard start <= now + skew else { throw .notYetValid }
        }
        guard let given = claims["nonce"]?.string, ConstantTime.areEqual(Array(given.utf8), Array(nonce.utf8)) else {
            throw .nonce
        }
        if let hash = claims["at_hash"] {
            guard let accessToken, hash.string == self.hash(of: accessToken, token.algorithm) else {
                throw .accessToken
            }
        }
        guard let subject = claims["sub"]?.string, (1...subjectLimit).contains(subject.utf8.count),
            subject.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { throw .subject }
        return subject
    }

    private static func checkAudience(_ claims: JSONValue, _ clientID: String) throws(IDTokenProblem) {
        let audiences: [String]
        switch claims["aud"]?.kind {
        case .string(let text): audiences = [text]
        case .array(let values) where values.count <= audienceLimit: audiences = values.compactMap(\.string)
        default: throw .malformed
        }
        func isClient(_ text: String) -> Bool { text.utf8.elementsEqual(clientID.utf8) }
        guard audiences.contains(where: isClient) else { throw .audience }
        if let party = claims["azp"] {
            guard party.string.map(isClient) == true else { throw .authorizedParty }
        } else if audiences.count > 1 {
            throw .authorizedParty
        }
    }

    /// Seconds since 1970; fractions, which the standard allows, are cut off.
    private static func time(_ value: JSONValue?) -> Int64? {
        guard let seconds = value?.number?.double, (0..<1e12).contains(seconds) else { return nil }
        return Int64(seconds)
    }

    /// `at_hash`: the left half of the digest that the algorithm uses (section 3.1.3.6).
    private static func hash(of accessToken: String, _ algorithm: SignatureAlgorithm) -> String {
        let digest: MessageDigest =
            switch algorithm {
            case .es256, .rs256, .ps256: .sha256
            case .es384: .sha384
            case .eddsa: .sha512
            }
        return Base64.urlText(Array(digest.digest(of: Array(accessToken.utf8)).prefix(digest.byteCount / 2)))
    }
}
