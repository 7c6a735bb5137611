package import WaymarkJSON

/// The body of `POST /api/v1/reports`: a report on clicks to share by a link.
public struct SharedReportRequest: Sendable, Hashable {
    /// The query of `GET /api/v1/clicks` that makes the report, such as `from=2026-11-01&top=links`; at most 4,096 bytes of ASCII.
    /// Without `from` and `to`, the report is of the last 30 days whenever it is read.
    public var query: String
    /// Shown above it; 1 to 200 bytes.
    public var title: String
    /// RFC 3339, at most 400 days ahead; nil: in 30 days.
    public var expiresAt: String?

    public init(query: String, title: String, expiresAt: String? = nil) {
        self.query = query
        self.title = title
        self.expiresAt = expiresAt
    }

    package static let members = MemberTable<SharedReportRequest>(missingFirst: true) {
        Member("query", .text, required: \.query)
        Member("title", .text, required: \.title)
        Member("expiresAt", .text, \.expiresAt)
    }

    /// The readable part of a body, and the problems of its shape.
    package static func attempt(_ document: JSONDocument) -> (body: SharedReportRequest?, problems: [FieldProblem]) {
        ObjectReader.attempt(document) { reader in
            var request = SharedReportRequest(query: "", title: "")
            members.read(&reader, into: &request)
            return request
        }
    }

    public var json: [UInt8] { JSONWriter.text { Self.members.write(self, to: &$0) } }
}

/// A shared report as returned by the server, without its clicks.
public struct SharedReportResponse: Sendable, Hashable {
    public var id: String
    public var title: String
    public var query: String
    /// RFC 3339.
    public var createdAt: String
    /// RFC 3339.
    public var expiresAt: String
    /// Only in the response to the request that shared it: the path and fragment to open in a browser, on the origin of the
    /// request; after that origin if the server has to name it. The token is in the fragment, which browsers don't send.
    public var link: String?

    public init(
        id: String, title: String, query: String, createdAt: String, expiresAt: String, token: String? = nil,
        origin: String = ""
    ) {
        self.id = id
        self.title = title
        self.query = query
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        link = token.map { origin + "/_/#report=" + $0 }
    }

    private func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", id)
        writer.member("title", title)
        writer.member("query", query)
        writer.member("createdAt", createdAt)
        writer.member("expiresAt", expiresAt)
        if let link { writer.member("link", link) }
        writer.endObject()
    }

    public var json: [UInt8] { JSONWriter.text { write(to: &$0) } }

    /// The body of `GET /api/v1/reports`.
    public static func list(_ reports: [SharedReportResponse]) -> [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            writer.array("reports", reports) { $0.write(to: &$1) }
            writer.endObject()
        }
    }

    /// The body of the response to `POST /_/report`: what readers get.
    package static func read(title: String, expiresAt: String, clicks: [UInt8]) -> [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            writer.member("title", title)
            writer.member("expiresAt", expiresAt)
            writer.member("clicks", raw: clicks)
            writer.endObject()
        }
    }
}

/// The body of `POST /_/report`.
public struct SharedReportToken: Sendable, Hashable {
    public let token: String

    public init(json: [UInt8]) throws(BodyError) {
        self = try ObjectReader.body(json, shape: .names(["token"])) { reader in
            if reader.value("token") == nil { reader.reject("token", "is missing") }
            return SharedReportToken(token: reader.string("token") ?? "")
        }
    }

    private init(token: String) { self.token = token }
}
