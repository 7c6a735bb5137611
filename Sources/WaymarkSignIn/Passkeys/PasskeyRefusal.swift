/// Why a passkey isn't accepted.
package enum PasskeyRefusal: Error, Sendable, Equatable {
    /// A part that can't be read.
    package enum Part: Sendable, CaseIterable {
        case credential, clientData, attestation, authenticatorData
    }

    case malformed(Part)
    case tooLarge
    /// A registration was answered with an assertion, or the other way round.
    case ceremony
    case challenge
    case origin
    case crossOrigin
    case relyingParty
    case notPresent
    case notVerified
    /// Missing, or longer than 1,023 bytes.
    case credentialID
    case algorithm
    case publicKey
    case signature
    /// The passkey is not the stored one.
    case unknownCredential
    /// The passkey belongs to somebody else.
    case otherUser
    /// The counter did not grow.
    case clone

    /// For the person who tried, in one sentence.
    package var sentence: String {
        switch self {
        case .malformed(.credential): "The browser's answer can't be read; try again, or use another browser."
        case .malformed(.clientData): "What the browser says about this page can't be read; try another browser."
        case .malformed(.attestation):
            "What the authenticator says about the new passkey can't be read; use another authenticator."
        case .malformed(.authenticatorData): "What the authenticator says can't be read; use another passkey."
        case .tooLarge: "The browser's answer is too large; use another passkey."
        case .ceremony: "This answer is for another step; begin again."
        case .challenge: "This answer belongs to an earlier or another attempt; begin again."
        case .origin:
            "The passkey was used on another address than this one; open the address of this site and begin again."
        case .crossOrigin: "The passkey was used inside a frame of another site; open this site in a tab of its own."
        case .relyingParty: "The passkey belongs to another site; choose one of this site."
        case .notPresent: "The authenticator did not see anybody; confirm on the device and try again."
        case .notVerified:
            "The device did not check who you are; set up its PIN, fingerprint or face recognition and try again."
        case .credentialID: "The passkey has no usable id; use another authenticator."
        case .algorithm: "The authenticator makes signatures of a kind that this site does not read; use another one."
        case .publicKey: "The passkey's public key is damaged; make the passkey with another authenticator."
        case .signature: "The passkey's signature is wrong; try again, or use another passkey."
        case .unknownCredential: "This site does not know the passkey; choose another one, or ask for an invitation."
        case .otherUser: "The passkey belongs to somebody else; choose your own."
        case .clone:
            "The passkey was used elsewhere in the meantime and may have been copied; "
                + "ask an administrator to remove it, and make a new one."
        }
    }
}
