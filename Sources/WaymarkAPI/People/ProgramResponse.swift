import WaymarkJSON

/// A program that somebody lets act by OAuth.
public struct ProgramResponse: Sendable, Hashable {
    public var id: String
    /// As the program calls itself.
    public var name: String
    public var scopes: [String]
    /// Nil: all that the person works with.
    public var apps: [String]?
    /// RFC 3339, as the further ones.
    public var allowedAt: String
    public var lastUsedAt: String
    public var expiresAt: String
    public var endsAt: String

    public init(
        id: String, name: String, scopes: [String], apps: [String]?, allowedAt: String, lastUsedAt: String,
        expiresAt: String, endsAt: String
    ) {
        self.id = id
        self.name = name
        self.scopes = scopes
        self.apps = apps
        self.allowedAt = allowedAt
        self.lastUsedAt = lastUsedAt
        self.expiresAt = expiresAt
        self.endsAt = endsAt
    }

    private func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", id)
        writer.member("name", name)
        writer.strings("scopes", scopes)
        if let apps { writer.strings("apps", apps) } else { writer.memberNull("apps") }
        writer.member("allowedAt", allowedAt)
        writer.member("lastUsedAt", lastUsedAt)
        writer.member("expiresAt", expiresAt)
        writer.member("endsAt", endsAt)
        writer.endObject()
    }

    /// The body of `GET /api/v1/programs`.
    public static func list(_ programs: [ProgramResponse]) -> [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            writer.array("programs", programs) { $0.write(to: &$1) }
            writer.endObject()
        }
    }
}
