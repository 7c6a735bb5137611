/// What a person may do with an application.
public struct MembershipValue: Sendable, Hashable {
    /// Nil: all applications.
    public var app: String?
    /// `viewer`, `editor` or `admin`.
    public var role: String

    public init(app: String? = nil, role: String) {
        self.app = app
        self.role = role
    }

    package static let members = MemberTable<MembershipValue> {
        Member("app", .text, \.app, .isNullable)
        Member("role", .text, required: \.role)
    }
}

/// An account that signs a person in.
public struct IdentityValue: Sendable, Hashable {
    /// The provider's https URL, or `proxy`.
    public var issuer: String
    /// The account at that provider, 1 to 255 bytes.
    public var subject: String

    public init(issuer: String, subject: String) {
        self.issuer = issuer
        self.subject = subject
    }

    package static let members = MemberTable<IdentityValue> {
        Member("issuer", .text, required: \.issuer)
        Member("subject", .text, required: \.subject)
    }
}

/// A passkey, without its key.
public struct PasskeyValue: Sendable, Hashable {
    /// The credential's ID in base64url.
    public var id: String
    /// RFC 3339; nil in a patch, which names those to keep.
    public var createdAt: String?
    /// RFC 3339; nil: never used since it was made.
    public var usedAt: String?

    public init(id: String, createdAt: String? = nil, usedAt: String? = nil) {
        self.id = id
        self.createdAt = createdAt
        self.usedAt = usedAt
    }

    package static let members = MemberTable<PasskeyValue> {
        Member("id", .text, required: \.id)
        Member("createdAt", .text, \.createdAt, .isNullable)
        Member("usedAt", .text, \.usedAt, .isNullable)
    }
}

extension MemberType<[MembershipValue]> {
    static var memberships: Self {
        .objects(MembershipValue.members, atMost: BodyMaximum.memberships) { MembershipValue(role: "") }
    }
}

extension MemberType<[IdentityValue]> {
    static var identities: Self {
        .objects(IdentityValue.members, atMost: BodyMaximum.identities) { IdentityValue(issuer: "", subject: "") }
    }
}

extension MemberType<[PasskeyValue]> {
    static var passkeys: Self {
        .objects(PasskeyValue.members, atMost: BodyMaximum.passkeys) { PasskeyValue(id: "") }
    }
}
