import WaymarkJSON

/// The body of `POST /_/passkeys/options` and of `POST /_/passkeys`.
public struct PasskeyRequest: Sendable, Hashable {
    /// A new credential as a browser writes it with `toJSON()`; nil for options.
    public var credential: RawJSON?
    /// The token of an invitation; nil: the person of the session.
    public var invitation: String?

    public init(credential: RawJSON? = nil, invitation: String? = nil) {
        self.credential = credential
        self.invitation = invitation
    }

    /// - Parameter registers: whether the body must have a credential; otherwise it must have none.
    public init(json: [UInt8], registers: Bool) throws(BodyError) {
        self = try ObjectReader.body(json, shape: Self.shape) { reader in
            let credential = registers ? reader.rawObject("credential") : nil
            if registers, credential == nil { reader.reject("credential", "is missing") }
            return PasskeyRequest(credential: credential, invitation: reader.string("invitation"))
        }
    }
}
