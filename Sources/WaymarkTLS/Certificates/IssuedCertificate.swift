/// A certificate with its private key in memory, as an authority issued it (RFC 8555).
package struct IssuedCertificate: Sendable, Hashable {
    /// The host that it was ordered for, in lower case; the name in errors.
    package let host: String
    /// PEM: the server's certificate first, then the intermediate ones.
    package let chain: [UInt8]
    /// PEM, without a passphrase.
    package let privateKey: [UInt8]

    package init(host: String, chain: [UInt8], privateKey: [UInt8]) {
        self.host = host
        self.chain = chain
        self.privateKey = privateKey
    }
}
