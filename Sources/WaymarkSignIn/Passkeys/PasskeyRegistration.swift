import WaymarkBytes
package import WaymarkJSON
import WaymarkTLS

/// The answer to creation options (WebAuthn level 2, section 7.1).
package enum PasskeyRegistration {
    /// Formats of attestation statements are short words (section 8.1).
    private static let formatLimit = 32
    private static let transportLimit = 8

    /// The new passkey, whose id the caller must not know yet (step 22).
    ///
    /// Its authenticator is unknown: `none` is what the options ask for, and statements of other formats prove nothing that
    /// this site relies on, so that they must only be maps.
    ///
    /// - Parameter credential: as a browser writes it with `toJSON()`; the caller limits the text to 64 KiB.
    package static func passkey(
        from credential: JSONValue, challenge: PasskeyChallenge, site: PasskeySite
    ) throws(PasskeyRefusal) -> Passkey {
        let message = try CredentialMessage(credential)
        try ClientData.check(message.clientData, .registration, challenge, site)
        let attestation = try CredentialMessage.bytes("attestationObject", of: message.response)
        let data = try AuthenticatorData(try authenticatorData(of: attestation))
        try data.check(for: site)
        guard let new = data.credential else { throw .malformed(.authenticatorData) }
        guard new.id == message.id else { throw .malformed(.credential) }
        return Passkey(
            id: new.id, publicKey: new.encodedKey, signatureCount: data.signatureCount,
            transports: transports(message.response["transports"]))
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

    /// Those that look like words; browsers ignore unknown ones.
    private static func transports(_ value: JSONValue?) -> [String] {
        let words = (value?.array ?? []).compactMap(\.string).filter { word in
            (1...32).contains(word.utf8.count) && word.utf8.allSatisfy { $0.isLowerLetter || $0 == UInt8(ascii: "-") }
        }
        return Array(words.prefix(transportLimit))
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
