package import WaymarkJSON
import WaymarkTLS

/// The answer to request options (WebAuthn level 2, section 7.2): first read, for the id by which the caller finds the stored
/// passkey and for the challenge that it must know, then verified.
package struct PasskeyAssertion: Sendable {
    private static let userHandleLimit = 64

    /// Of the passkey; nothing is proved before `verify`.
    package let credentialID: [UInt8]
    /// The `User.id` of the registration; nil where the authenticator returns none.
    package let userHandle: [UInt8]?
    private let clientData: ClientData
    private let clientDataBytes: [UInt8]
    private let authenticatorData: [UInt8]
    private let signature: [UInt8]

    /// - Parameter credential: as a browser writes it with `toJSON()`; the caller limits the text to 64 KiB.
    package init(_ credential: JSONValue) throws(PasskeyRefusal) {
        let message = try CredentialMessage(credential)
        credentialID = message.id
        clientData = message.clientData
        clientDataBytes = message.clientDataBytes
        authenticatorData = try CredentialMessage.bytes("authenticatorData", of: message.response)
        signature = try CredentialMessage.bytes("signature", of: message.response)
        if let handle = message.response["userHandle"], !handle.isNull {
            let bytes = try CredentialMessage.bytes("userHandle", of: message.response)
            guard bytes.count <= Self.userHandleLimit else { throw .malformed(.credential) }
            userHandle = bytes.isEmpty ? nil : bytes
        } else {
            userHandle = nil
        }
    }

    /// The one that the browser answered; nothing is proved before `verify`.
    package var challenge: PasskeyChallenge { clientData.challenge }

    /// Checks that the passkey's holder answers this challenge, on this site, now.
    ///
    /// - Parameters:
    ///   - passkey: the stored one with this `credentialID`.
    ///   - user: the `User.id` that it was registered with.
    /// - Returns: the counter, to be stored before the person is let in. It must be stored only if the stored one is still
    ///   that of `passkey`.
    package func verify(
        _ passkey: PasskeyCredential, of user: [UInt8], challenge: PasskeyChallenge, site: PasskeySite
    ) throws(PasskeyRefusal) -> UInt32 {
        guard passkey.id == credentialID else { throw .unknownCredential }
        // Passkeys are resident keys, which return the handle always.
        guard userHandle == user else { throw .otherUser }
        try clientData.check(.assertion, challenge, site)
        let data = try AuthenticatorData(authenticatorData)
        guard data.credential == nil else { throw .malformed(.authenticatorData) }
        try data.check(for: site)
        guard let key = COSEKey(passkey.publicKey) else { throw .publicKey }
        let message = authenticatorData + SHA256.digest(of: clientDataBytes)
        guard key.publicKey.verifies(signature, of: message, key.algorithm, .der) else { throw .signature }
        let isGrowing = data.signatureCount > passkey.signatureCount
        guard isGrowing || (data.signatureCount == 0 && passkey.signatureCount == 0) else { throw .clone }
        return data.signatureCount
    }
}
