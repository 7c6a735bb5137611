package import WaymarkJSON
import WaymarkTLS

/// The answer to creation options (WebAuthn level 2, section 7.1): first read, for the challenge that the caller must know, then
/// verified.
package struct PasskeyRegistration: Sendable {
    /// Formats of attestation statements are short words (section 8.1).
    private static let formatLimit = 32

    private let message: CredentialMessage

    /// - Parameter credential: as a browser writes it with `toJSON()`; the caller limits the text to 64 KiB.
    package init(_ credential: JSONValue) throws(PasskeyRefusal) { message = try CredentialMessage(credential) }

    /// The one that the browser answered; nothing is proved before `verify`.
    package var challenge: PasskeyChallenge { message.clientData.challenge }

    /// The new passkey, whose id the caller must not know yet (step 22).
    ///
    /// Its authenticator is unknown: `none` is what the options ask for, and statements of other formats prove nothing that
    /// this site relies on, so that they must only be maps.
    package func verify(challenge: PasskeyChallenge, site: PasskeySite) throws(PasskeyRefusal) -> PasskeyCredential {
        try message.clientData.check(.registration, challenge, site)
        let attestation = try CredentialMessage.bytes("attestationObject", of: message.response)
        let data = try AuthenticatorData(try Self.authenticatorData(of: attestation))
        try data.check(for: site)
        guard let new = data.credential else { throw .malformed(.authenticatorData) }
        guard new.id == message.id else { throw .malformed(.credential) }
        return PasskeyCredential(id: new.id, publicKey: new.encodedKey, signatureCount: data.signatureCount)
    }

    private static func authenticatorData(of attestation: [UInt8]) throws(PasskeyRefusal) -> [UInt8] {
        guard attestation.count <= CredentialMessage.sizeLimit else { throw .tooLarge }
        guard let object = try? CBORReader.item(of: attestation), case .map(let entries) = object, entries.count == 3,
            let format = object["fmt"]?.text, (1...formatLimit).contains(format.utf8.count),
            case .map(let statement)? = object["attStmt"], format != "none" || statement.isEmpty,
            let data = object["authData"]?.bytes
        else { throw .malformed(.attestation) }
        return data
    }
}

extension AuthenticatorData {
    /// Steps of both ceremonies: the site, the person's presence, and that the device checked who the person is.
    func check(for site: PasskeySite) throws(PasskeyRefusal) {
        guard relyingPartyHash == SHA256.digest(of: Array(site.id.utf8)) else { throw .relyingParty }
        guard isUserPresent else { throw .notPresent }
        guard isUserVerified else { throw .notVerified }
    }
}
