import WaymarkJSON

/// A header field of responses, as `#/components/headers` has it.
struct ResponseHeader: Sendable {
    /// In the document: that of `APIResponse.Header`, where responses of the route table have it.
    let name: String
    /// In the response.
    let field: String
    let schema: Schema
    let description: String?

    private init(_ name: String, _ field: String, _ schema: Schema, _ description: String? = nil) {
        self.name = name
        self.field = field
        self.schema = schema
        self.description = description
    }

    var json: JSONObject {
        var json = JSONObject()
        json["description"] = description.map { JSONValue($0) }
        json["schema"] = JSONValue(schema.json)
        return json
    }

    static let all: [ResponseHeader] = [
        ResponseHeader("Location", "Location", .text),
        ResponseHeader("ETag", "ETag", .text, "The version in quotation marks."),
        ResponseHeader("FileETag", "ETag", .text, "Changes with the content, and with the content coding."),
        ResponseHeader("AssociationETag", "ETag", .text, "Changes with the bytes."),
        ResponseHeader("FileVary", "Vary", .text, "`Accept-Encoding` where the file may come compressed."),
        ResponseHeader("PictureCacheControl", "Cache-Control", .text, "`public, max-age=86400`"),
        ResponseHeader(
            "AccessControlAllowOrigin", "Access-Control-Allow-Origin", .text,
            "The page's origin, where an application names it in `cors.origins`; on every status."),
        ResponseHeader(
            "IdempotentReplayed", "Idempotent-Replayed", .choice(["true"]),
            """
            `true` if this response was given before: for the same `Idempotency-Key`, or, for a claim, to the same \
            installation.
            """),
        ResponseHeader(
            "SetCookie", "Set-Cookie", .text,
            "`__Host-waymark`, or `waymark` over plain HTTP: HttpOnly, SameSite=Strict."),
        ResponseHeader("Allow", "Allow", .text, "POST"),
        ResponseHeader("RetryAfter", "Retry-After", .integer(from: 1), "Seconds until there is a token."),
        ResponseHeader("WWWAuthenticate", "WWW-Authenticate", .constant("Bearer")),
        ResponseHeader(
            "AcceptEncoding", "Accept-Encoding", .text,
            "`identity`, where the body came with a Content-Encoding."),
        ResponseHeader(
            "PartContentRange", "Content-Range", .text, "Which bytes; absent where there are several parts."),
        ResponseHeader("FileContentRange", "Content-Range", .text, "`bytes */` and the size."),
    ]

    /// The header fields with these names.
    static func fields(_ names: [String]) throws(DocumentError) -> JSONObject {
        var fields = JSONObject()
        for name in names {
            guard let header = all.first(where: { $0.name == name }) else {
                throw DocumentError("There is no response header \(name); add it to ResponseHeader.swift.")
            }
            fields[header.field] = ["$ref": JSONValue("#/components/headers/\(name)")]
        }
        return fields
    }
}
