package import WaymarkJSON

/// What makes an API key: the body of `POST /api/v1/keys`.
public struct KeyRequest: Sendable, Hashable {
    public var name: String
    /// Nil: for all applications.
    public var app: String?
    /// `resolve`, `create`, `read`, `links`, `admin`; at least one.
    public var scopes: [String]
    /// RFC 3339; nil: until it is revoked.
    public var expiresAt: String?
    /// The key's text, 20 to 255 visible ASCII characters, for callers that have one already; nil: the server makes it.
    public var key: String?

    public init(name: String, app: String? = nil, scopes: [String], expiresAt: String? = nil, key: String? = nil) {
        self.key = key
        self.name = name
        self.app = app
        self.scopes = scopes
        self.expiresAt = expiresAt
    }

    public init(json: [UInt8]) throws(BodyError) {
        self = try ObjectReader.body(json, shape: Self.shape) { KeyRequest(reading: &$0) }
    }

    /// What can be read of a body, and what is wrong with its shape.
    package static func attempt(_ document: JSONDocument) -> (body: KeyRequest?, problems: [FieldProblem]) {
        ObjectReader.attempt(document) { KeyRequest(reading: &$0) }
    }

    private init(reading reader: inout ObjectReader) {
        if reader.value("name") == nil { reader.reject("name", "is missing") }
        if reader.value("scopes") == nil { reader.reject("scopes", "is missing") }
        self.init(
            name: reader.string("name") ?? "", app: reader.string("app"), scopes: reader.strings("scopes") ?? [],
            expiresAt: reader.string("expiresAt"), key: reader.string("key"))
    }

    public var json: [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            writer.member("name", name)
            writer.member("app", ifGiven: app)
            writer.strings("scopes", scopes)
            writer.member("expiresAt", ifGiven: expiresAt)
            writer.member("key", ifGiven: key)
            writer.endObject()
        }
    }
}
