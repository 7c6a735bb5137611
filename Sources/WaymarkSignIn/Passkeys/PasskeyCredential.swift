/// A registered passkey, as far as verification needs it. The caller stores it with its person.
package struct PasskeyCredential: Sendable, Equatable {
    /// 1 to 1,023 bytes, unique on the site.
    package let id: [UInt8]
    /// A COSE_Key (RFC 9052), as the authenticator wrote it.
    package let publicKey: [UInt8]
    /// Of the last sign-in; 0 where the authenticator counts nothing, as synchronised passkeys do.
    package var signatureCount: UInt32

    package init(id: [UInt8], publicKey: [UInt8], signatureCount: UInt32) {
        self.id = id
        self.publicKey = publicKey
        self.signatureCount = signatureCount
    }
}
