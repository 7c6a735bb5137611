package import WaymarkLinks

/// Somebody who works with links, with what that person may do and how the person signs in. There are no passwords.
package struct Person: Sendable, Equatable {
    /// Of base62, like the IDs of keys, of which none is the same.
    package var id: String
    /// 1 to 200 bytes.
    package var name: String
    /// To reach the person; it identifies nobody.
    package var email: String?
    package var isDisabled: Bool
    /// At most one for each application, and one for all of them.
    package var memberships: [Membership]
    package var identities: [PersonIdentity]
    package var passkeys: [Passkey]
    package var createdAt: Timestamp
    /// Nil: never.
    package var signedInAt: Timestamp?

    package init(
        id: String, name: String, email: String? = nil, isDisabled: Bool = false, memberships: [Membership] = [],
        identities: [PersonIdentity] = [], passkeys: [Passkey] = [], createdAt: Timestamp,
        signedInAt: Timestamp? = nil
    ) {
        self.id = id
        self.name = name
        self.email = email
        self.isDisabled = isDisabled
        self.memberships = memberships
        self.identities = identities
        self.passkeys = passkeys
        self.createdAt = createdAt
        self.signedInAt = signedInAt
    }

    /// Whether the person may do everything.
    package var isAdministrator: Bool {
        !isDisabled && memberships.contains { $0.application == nil && $0.role == .admin }
    }

    package var canSignIn: Bool { !passkeys.isEmpty || !identities.isEmpty }

    package static let nameLimit = 200
    package static let emailLimit = 254
    /// Of one database. All servers hold all people in memory.
    package static let limit = 10_000
    /// Of one person, each.
    package static let identityLimit = 20
    package static let passkeyLimit = 20
    package static let membershipLimit = 1_000
}

/// What a person may do with an application.
package struct Membership: Sendable, Hashable {
    /// Nil: all applications, also later ones.
    package var application: ApplicationID?
    package var role: PersonRole

    package init(application: ApplicationID?, role: PersonRole) {
        self.application = application
        self.role = role
    }
}

package enum PersonRole: String, Sendable, CaseIterable {
    case viewer, editor, admin

    /// The scope of an API key that may do the same.
    package var scope: KeyScope {
        switch self {
        case .viewer: .read
        case .editor: .links
        case .admin: .admin
        }
    }
}

/// The account of a person at a provider (OpenID Connect Core 1.0 section 2: `iss` and `sub` identify together), or behind a
/// proxy that signs people in.
package struct PersonIdentity: Sendable, Hashable {
    /// An https URL, or `proxy`.
    package var issuer: String
    /// At most 255 bytes.
    package var subject: String

    package init(issuer: String, subject: String) {
        self.issuer = issuer
        self.subject = subject
    }

    /// By bytes, as providers and databases compare: equivalent texts of Unicode are different accounts.
    package static func == (a: PersonIdentity, b: PersonIdentity) -> Bool {
        a.issuer.utf8.elementsEqual(b.issuer.utf8) && a.subject.utf8.elementsEqual(b.subject.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        for byte in subject.utf8 { hasher.combine(byte) }
    }

    /// The issuer of accounts that a proxy names in a header field.
    package static let proxyIssuer = "proxy"
}

/// A credential of WebAuthn that signs a person in.
package struct Passkey: Sendable, Equatable {
    package static let idSizes = 1...1_023
    /// A key of RSA with 8,192 bits has some 1,050.
    package static let publicKeyLimit = 2_048

    /// The credential's ID: 1 to 1,023 bytes. No two people have the same.
    package var id: [UInt8]
    /// As a COSE key (RFC 9052), at most `publicKeyLimit` bytes.
    package var publicKey: [UInt8]
    /// How often the authenticator has signed, as it said last; 0 if it doesn't count.
    package var signCount: UInt32
    package var createdAt: Timestamp
    /// Nil: never since it was made.
    package var usedAt: Timestamp?

    package init(
        id: [UInt8], publicKey: [UInt8], signCount: UInt32, createdAt: Timestamp, usedAt: Timestamp? = nil
    ) {
        self.id = id
        self.publicKey = publicKey
        self.signCount = signCount
        self.createdAt = createdAt
        self.usedAt = usedAt
    }
}
