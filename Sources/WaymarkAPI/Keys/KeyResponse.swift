package import WaymarkJSON

/// An API key as returned by the server.
public struct KeyResponse: Sendable, Hashable {
    public var id: String
    /// The key itself; only in the response that creates it.
    public var key: String?
    public var name: String
    /// Nil: all applications.
    public var app: String?
    public var scopes: [String]
    /// RFC 3339.
    public var createdAt: String
    /// RFC 3339; nil: valid until revoked.
    public var expiresAt: String?
    /// RFC 3339, accurate to an hour; nil: never used.
    public var lastUsedAt: String?
    /// Nil: it was made for no platform.
    public var platform: String?

    public init(
        id: String, key: String?, name: String, app: String?, scopes: [String], createdAt: String,
        expiresAt: String?, lastUsedAt: String? = nil, platform: String? = nil
    ) {
        self.id = id
        self.key = key
        self.name = name
        self.app = app
        self.scopes = scopes
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.lastUsedAt = lastUsedAt
        self.platform = platform
    }

    public var json: [UInt8] { JSONWriter.text { write(to: &$0) } }

    /// The body of `GET /api/v1/keys`.
    public static func list(_ keys: [KeyResponse]) -> [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            writer.array("keys", keys) { $0.write(to: &$1) }
            writer.endObject()
        }
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", id)
        writer.member("key", ifGiven: key)
        writer.member("name", name)
        writer.member("app", app)
        writer.strings("scopes", scopes)
        writer.member("createdAt", createdAt)
        writer.member("expiresAt", expiresAt)
        writer.member("lastUsedAt", lastUsedAt)
        writer.member("platform", platform)
        writer.endObject()
    }

    /// Decodes a key in a server's response; nil if the bytes are not one.
    public init?(json: [UInt8]) {
        guard let value = try? JSONValue(parsing: json), let id = value["id"]?.string else { return nil }
        self.init(
            id: id, key: value["key"]?.string, name: value["name"]?.string ?? "", app: value["app"]?.string,
            scopes: (value["scopes"]?.array ?? []).compactMap(\.string), createdAt: value["createdAt"]?.string ?? "",
            expiresAt: value["expiresAt"]?.string, lastUsedAt: value["lastUsedAt"]?.string,
            platform: value["platform"]?.string)
    }
}
