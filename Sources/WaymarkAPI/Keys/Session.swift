import WaymarkJSON

/// The body of `POST /_/session`: starts a dashboard session.
public struct SessionRequest: Sendable, Hashable {
    /// An API key.
    public var key: String

    public init(key: String) { self.key = key }

    public init(json: [UInt8]) throws(BodyError) {
        self = try ObjectReader.body(json, shape: Self.shape) { reader in
            if reader.value("key") == nil { reader.reject("key", "is missing") }
            return SessionRequest(key: reader.string("key") ?? "")
        }
    }
}

/// The body of the response to `GET /_/session`.
public struct SessionResponse: Sendable, Hashable {
    /// The name of the key that the session was started with.
    public var name: String
    /// The application of the key; nil: all applications.
    public var app: String?
    /// The scopes of the key.
    public var scopes: [String]
    /// RFC 3339; at most 12 hours after the sign-in.
    public var expiresAt: String

    public init(name: String, app: String?, scopes: [String], expiresAt: String) {
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
            writer.endObject()
        }
    }
}
