package import WaymarkJSON

/// The installation of an app to forget: the body of `POST /api/v1/installations:forget`.
public struct InstallationRequest: Sendable, Hashable {
    /// The application's id.
    public var app: String
    /// As given in claims.
    public var installID: String

    public init(app: String, installID: String) {
        self.app = app
        self.installID = installID
    }

    package static let shape = JSONShape.names(["app", "installID"])

    /// The body, and the problems of its shape. Members that are missing or of another type are replaced by an empty string.
    package static func attempt(_ document: JSONDocument) -> (body: InstallationRequest?, problems: [FieldProblem]) {
        ObjectReader.attempt(document) { reader in
            InstallationRequest(app: reader.required("app") ?? "", installID: reader.required("installID") ?? "")
        }
    }

    public var json: [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            writer.member("app", app)
            writer.member("installID", installID)
            writer.endObject()
        }
    }
}
