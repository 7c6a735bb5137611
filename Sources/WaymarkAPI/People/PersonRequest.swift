package import WaymarkJSON

/// A person to add: the body of `POST /api/v1/people`.
public struct PersonRequest: Sendable, Hashable {
    /// 1 to 200 bytes.
    public var name: String
    /// To reach the person; at most 254 bytes.
    public var email: String?
    /// Without any, the person can't sign in.
    public var memberships: [MembershipValue]
    /// Accounts that sign the person in. Only for administrators of all applications.
    public var identities: [IdentityValue]

    public init(
        name: String, email: String? = nil, memberships: [MembershipValue] = [], identities: [IdentityValue] = []
    ) {
        self.name = name
        self.email = email
        self.memberships = memberships
        self.identities = identities
    }

    package static let members = MemberTable<PersonRequest>(missingFirst: true) {
        Member("name", .text, required: \.name)
        Member("email", .text, \.email)
        Member("memberships", .memberships, elements: \.memberships)
        Member("identities", .identities, elements: \.identities)
    }

    /// The readable part of a body, and the problems of its shape.
    package static func attempt(_ document: JSONDocument) -> (body: PersonRequest?, problems: [FieldProblem]) {
        ObjectReader.attempt(document) { reader in
            var request = PersonRequest(name: "")
            members.read(&reader, into: &request)
            return request
        }
    }

    public var json: [UInt8] { JSONWriter.text { Self.members.write(self, to: &$0) } }
}

/// The body of `PATCH /api/v1/people/{id}`, a merge patch (RFC 7396).
public struct PersonPatchRequest: Sendable {
    public var name: String?
    /// `.some(nil)` removes it.
    public var email: String??
    public var disabled: Bool?
    /// Instead of those that the caller may see.
    public var memberships: [MembershipValue]?
    public var identities: [IdentityValue]?
    /// Those to keep.
    public var passkeys: [PasskeyValue]?

    public init() {}

    package static let members = MemberTable<PersonPatchRequest> {
        Member("name", .text, \.name, .isKept)
        Member("email", .removableText, \.email)
        Member("disabled", .flag, \.disabled, .isKept)
        Member("memberships", .memberships, \.memberships, .isKept)
        Member("identities", .identities, \.identities, .isKept)
        Member("passkeys", .passkeys, \.passkeys, .isKept)
    }

    package static func attempt(_ document: JSONDocument) -> (body: PersonPatchRequest?, problems: [FieldProblem]) {
        ObjectReader.attempt(document) { reader in
            var patch = PersonPatchRequest()
            members.read(&reader, into: &patch)
            for member in members.members where member.traits.contains(.isKept) && reader.isNull(member.name) {
                reader.reject(member.name, "can't be removed")
            }
            return patch
        }
    }

    public var json: [UInt8] { JSONWriter.text { Self.members.write(self, to: &$0) } }
}

/// The body of `POST /api/v1/people:invite`: a new person, or one who exists.
public struct InvitationRequest: Sendable, Hashable {
    /// Of the new person: `viewer`, `editor` or `admin`.
    public var role: String?
    /// Nil: all applications, or the only one that the caller administers.
    public var app: String?
    /// Of the new person.
    public var name: String?
    public var email: String?
    /// The ID of a person who exists, instead of the rest.
    public var person: String?

    public init(
        role: String? = nil, app: String? = nil, name: String? = nil, email: String? = nil, person: String? = nil
    ) {
        self.role = role
        self.app = app
        self.name = name
        self.email = email
        self.person = person
    }

    package static let members = MemberTable<InvitationRequest> {
        Member("role", .text, \.role)
        Member("app", .text, \.app)
        Member("name", .text, \.name)
        Member("email", .text, \.email)
        Member("person", .text, \.person)
    }

    package static func attempt(_ document: JSONDocument) -> (body: InvitationRequest?, problems: [FieldProblem]) {
        ObjectReader.attempt(document) { reader in
            var request = InvitationRequest()
            members.read(&reader, into: &request)
            if request.person == nil {
                if reader.value("role") == nil { reader.reject("role", "is missing") }
            } else {
                for name in ["role", "app", "name", "email"] where reader.value(name) != nil {
                    reader.reject(name, "can't be given together with person")
                }
            }
            return request
        }
    }

    public var json: [UInt8] { JSONWriter.text { Self.members.write(self, to: &$0) } }
}
