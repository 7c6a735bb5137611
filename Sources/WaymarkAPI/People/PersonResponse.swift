package import WaymarkJSON

/// A person as returned by the server.
public struct PersonResponse: Sendable, Hashable {
    public var id: String
    public var name: String
    public var email: String?
    public var disabled: Bool
    /// Those that the caller may see.
    public var memberships: [MembershipValue]
    public var identities: [IdentityValue]
    public var passkeys: [PasskeyValue]
    /// RFC 3339.
    public var createdAt: String
    /// RFC 3339; nil: the person has never signed in.
    public var signedInAt: String?

    public init(
        id: String, name: String, email: String? = nil, disabled: Bool = false, memberships: [MembershipValue] = [],
        identities: [IdentityValue] = [], passkeys: [PasskeyValue] = [], createdAt: String, signedInAt: String? = nil
    ) {
        self.id = id
        self.name = name
        self.email = email
        self.disabled = disabled
        self.memberships = memberships
        self.identities = identities
        self.passkeys = passkeys
        self.createdAt = createdAt
        self.signedInAt = signedInAt
    }

    package static let members = MemberTable<PersonResponse> {
        Member("id", .text, always: \.id)
        Member("name", .text, always: \.name)
        Member("email", .text, \.email, .isNullable)
        Member("disabled", .flag, always: \.disabled)
        Member("memberships", .memberships, always: \.memberships)
        Member("identities", .identities, always: \.identities)
        Member("passkeys", .passkeys, always: \.passkeys)
        Member("createdAt", .text, always: \.createdAt)
        Member("signedInAt", .text, \.signedInAt, .isNullable)
    }

    package func write(to writer: inout JSONWriter) { Self.members.write(self, to: &writer) }

    public var json: [UInt8] { JSONWriter.text { write(to: &$0) } }

    /// The body of `GET /api/v1/people`.
    public static func list(_ people: [PersonResponse]) -> [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            writer.array("people", people) { $0.write(to: &$1) }
            writer.endObject()
        }
    }

    /// Decodes a person in a server's response; nil if the bytes are not one.
    public init?(json: [UInt8]) {
        guard let value = try? JSONValue(parsing: json), let id = value["id"]?.string else { return nil }
        self.init(id: id, name: "", createdAt: "")
        _ = ObjectReader.attempt(JSONDocument(root: value)) { Self.members.read(&$0, into: &self) }
    }
}

/// The body of the response to `POST /api/v1/people:invite`.
public struct InvitationResponse: Sendable, Hashable {
    /// The path and fragment to open in a browser, on the origin that the request was sent to; after that origin if the server
    /// has to name it. The token is in the fragment, which browsers don't send.
    public var link: String
    /// RFC 3339; three days after the request.
    public var expiresAt: String
    public var person: PersonResponse

    public init(token: String, expiresAt: String, person: PersonResponse, origin: String = "") {
        link = origin + "/_/#invitation=" + token
        self.expiresAt = expiresAt
        self.person = person
    }

    public var json: [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            writer.member("link", link)
            writer.member("expiresAt", expiresAt)
            writer.name("person")
            person.write(to: &writer)
            writer.endObject()
        }
    }
}
