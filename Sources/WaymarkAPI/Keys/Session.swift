import WaymarkJSON

/// The body of `POST /_/session`: starts a dashboard session, or makes or describes a link that starts one.
public enum SessionRequest: Sendable, Hashable {
    /// Starts a session with an API key.
    case key(String)
    /// Starts a session with the token of a sign-in link.
    case token(String)
    /// Describes the session that the token of a sign-in link would start.
    case look(token: String)
    /// Makes a sign-in link for an API key.
    case link(key: String)
    /// Starts a session of the person whom a proxy names.
    case proxy
    /// Starts a session of the person who has a passkey: the credential as a browser writes it with `toJSON()`.
    case credential(RawJSON)

    public init(json: [UInt8]) throws(BodyError) {
        self = try ObjectReader.body(json, shape: Self.shape) { reader in
            let (key, token) = (reader.string("key"), reader.string("token"))
            let (isLink, isLook) = (reader.bool("link") ?? false, reader.bool("look") ?? false)
            if reader.bool("proxy") ?? false {
                for other in ["key", "token", "link", "look"] where reader.value(other) != nil {
                    reader.reject(other, "must be left out with proxy")
                }
                return .proxy
            }
            if let credential = reader.rawObject("credential") {
                for other in ["key", "token", "link", "look"] where reader.value(other) != nil {
                    reader.reject(other, "must be left out with credential")
                }
                return .credential(credential)
            }
            if reader.value("token") == nil {
                if reader.value("key") == nil { reader.reject("key", "is missing") }
            } else if reader.value("key") != nil || isLink {
                reader.reject("token", "must be given alone")
            }
            if isLook, reader.value("token") == nil { reader.reject("look", "needs the token of a sign-in link") }
            if isLook { return .look(token: token ?? "") }
            if isLink { return .link(key: key ?? "") }
            return token.map { .token($0) } ?? .key(key ?? "")
        }
    }
}

/// The body of the response to a `POST /_/session` that makes a sign-in link.
public struct SignInLinkResponse: Sendable, Hashable {
    /// The path and fragment to open in a browser, on the origin that the request was sent to; after that origin if the server
    /// has to name it. The token is in the fragment, which browsers don't send.
    public var link: String
    /// RFC 3339; ten minutes after the request.
    public var expiresAt: String

    public init(token: String, expiresAt: String, origin: String = "") {
        link = origin + "/_/#sign-in=" + token
        self.expiresAt = expiresAt
    }

    public var json: [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            writer.member("link", link)
            writer.member("expiresAt", expiresAt)
            writer.endObject()
        }
    }
}

/// The body of the response to `GET /_/session`, and to a `POST` that only looks at a sign-in link.
public struct SessionResponse: Sendable, Hashable {
    /// Who is signed in.
    public struct Person: Sendable, Hashable {
        public var id: String
        public var name: String

        public init(id: String, name: String) {
            self.id = id
            self.name = name
        }
    }

    /// What the person may do.
    public struct Membership: Sendable, Hashable {
        /// Nil: all applications.
        public var app: String?
        /// `viewer`, `editor` or `admin`.
        public var role: String

        public init(app: String?, role: String) {
            self.app = app
            self.role = role
        }
    }

    /// The name of the person, or of the key that the session was started with.
    public var name: String
    /// The only application that the session reaches; nil: all applications, or several.
    public var app: String?
    /// Those of the key, or of the person's roles together.
    public var scopes: [String]
    /// RFC 3339; at most 12 hours after the sign-in.
    public var expiresAt: String
    /// Nil in the session of a key.
    public var person: Person?
    /// Empty in the session of a key.
    public var memberships: [Membership]
    /// Whether the server shows a demonstration, which nobody signs in to.
    public var isDemo: Bool

    public init(
        name: String, app: String?, scopes: [String], expiresAt: String, person: Person? = nil,
        memberships: [Membership] = [], isDemo: Bool = false
    ) {
        self.isDemo = isDemo
        self.person = person
        self.memberships = memberships
        self.name = name
        self.app = app
        self.scopes = scopes
        self.expiresAt = expiresAt
    }

    public var json: [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            writer.member("name", name)
            writer.member("app", app)
            writer.strings("scopes", scopes)
            writer.member("expiresAt", expiresAt)
            if let person {
                writer.name("person")
                writer.beginObject()
                writer.member("id", person.id)
                writer.member("name", person.name)
                writer.endObject()
            } else {
                writer.memberNull("person")
            }
            if isDemo { writer.member("demo", true) }
            writer.array("memberships", memberships) { membership, writer in
                writer.beginObject()
                writer.member("app", membership.app)
                writer.member("role", membership.role)
                writer.endObject()
            }
            writer.endObject()
        }
    }
}
