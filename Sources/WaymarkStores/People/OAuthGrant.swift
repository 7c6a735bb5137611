package import WaymarkLinks

/// A program that has registered itself to act for people (RFC 7591), such as an assistant. It has no secret.
package struct OAuthClient: Sendable, Equatable {
    /// Of a database.
    package static let limit = 1_000
    package static let nameLimit = 200
    package static let redirectURILimit = 10

    package var id: String
    /// As it calls itself.
    package var name: String
    /// Visible ASCII. Compared as they are.
    package var redirectURIs: [String]
    package var createdAt: Timestamp
    /// When somebody last let it act; nil: nobody has.
    package var usedAt: Timestamp?

    package init(id: String, name: String, redirectURIs: [String], createdAt: Timestamp, usedAt: Timestamp? = nil) {
        self.id = id
        self.name = name
        self.redirectURIs = redirectURIs
        self.createdAt = createdAt
        self.usedAt = usedAt
    }
}

/// A grant with the name of its program.
package struct GrantedProgram: Sendable, Equatable {
    package var grant: OAuthGrant
    package var name: String

    package init(grant: OAuthGrant, name: String) {
        self.grant = grant
        self.name = name
    }
}

/// What somebody let a program do: a code at first, then a family of tokens, of which there is one of each kind at a time. Of codes
/// and tokens only the digests are stored.
package struct OAuthGrant: Sendable, Equatable {
    /// Of one person or key; a further one ends the oldest.
    package static let limit = 50

    /// Part of each of its codes and tokens, and unknown to everybody else: who presents another one of the same grant has one
    /// that was used up.
    package var id: String
    package var client: String
    /// The ID of the person, or of the key whose session let it act.
    package var owner: String
    /// What was granted; the owner's rights cut it at each use.
    package var scopes: Set<KeyScope>
    package var resource: String
    package var redirectURI: String
    /// Of PKCE, S256.
    package var challenge: String
    /// Nil once it was used.
    package var code: [UInt8]?
    package var access: [UInt8]?
    package var accessExpiresAt: Timestamp?
    package var refresh: [UInt8]?
    package var createdAt: Timestamp
    /// Of the code at first, then of the refresh token.
    package var expiresAt: Timestamp

    package init(
        id: String, client: String, owner: String, scopes: Set<KeyScope>, resource: String, redirectURI: String,
        challenge: String, code: [UInt8]?, createdAt: Timestamp, expiresAt: Timestamp
    ) {
        self.id = id
        self.client = client
        self.owner = owner
        self.scopes = scopes
        self.resource = resource
        self.redirectURI = redirectURI
        self.challenge = challenge
        self.code = code
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}
