import WaymarkBytes
import WaymarkTLS

/// An authority that issues certificates by RFC 8555.
package struct ACMEAuthority: Sendable, Equatable {
    /// The URL of its directory.
    package let directory: String
    /// For authorities that issue only to customers; nil: none.
    package let externalAccount: ExternalAccount?
    /// A PEM file with the only certificates to trust, of a private authority; nil: those of the system.
    package let trustedFile: String?

    package init(directory: String, externalAccount: ExternalAccount? = nil, trustedFile: String? = nil) {
        self.directory = directory
        self.externalAccount = externalAccount
        self.trustedFile = trustedFile
    }

    /// Names documents of this authority: 32 hexadecimal digits of the SHA-256 digest of its URL.
    package var digest: String { Hexadecimal.text(SHA256.digest(of: Array(directory.utf8)).prefix(16)) }
}

/// An account that an operator has with an authority outside of RFC 8555 (section 7.3.4).
package struct ExternalAccount: Sendable, Equatable {
    package let keyIdentifier: String
    /// The secret as bytes; authorities issue it in base64url.
    package let macKey: [UInt8]

    package init(keyIdentifier: String, macKey: [UInt8]) {
        self.keyIdentifier = keyIdentifier
        self.macKey = macKey
    }
}
