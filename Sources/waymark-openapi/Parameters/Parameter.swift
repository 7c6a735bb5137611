import WaymarkJSON
import WaymarkLinks
import WaymarkSite

/// What a call takes besides its body.
struct Parameter: Sendable {
    enum Place: String, Sendable { case path, query, header }

    let name: String
    let place: Place
    let schema: Schema
    let description: String?
    let isRequired: Bool
    let example: String?
    /// Its name in the document if several calls share it.
    let shared: String?

    /// Of a list each value is a parameter of its own: `tag=a&tag=b`.
    var json: JSONObject {
        var json: JSONObject = ["name": JSONValue(name), "in": JSONValue(place.rawValue)]
        if isRequired { json["required"] = true }
        json["description"] = description.map { JSONValue($0) }
        json["schema"] = JSONValue(schema.json)
        if let example { json["example"] = JSONValue(example) }
        if place == .query, schema.json["type"] == "array" {
            json["style"] = "form"
            json["explode"] = true
        }
        return json
    }

    static func query(
        _ name: String, _ schema: Schema, _ description: String? = nil, isRequired: Bool = false,
        example: String? = nil, shared: String? = nil
    ) -> Parameter {
        Parameter(
            name: name, place: .query, schema: schema, description: description, isRequired: isRequired,
            example: example, shared: shared)
    }

    private static func path(
        _ name: String, _ schema: Schema = .text, _ description: String? = nil, shared: String? = nil
    ) -> Parameter {
        Parameter(
            name: name, place: .path, schema: schema, description: description, isRequired: true, example: nil,
            shared: shared)
    }

    private static func field(
        _ name: String, _ schema: Schema, _ description: String, shared: String? = nil
    ) -> Parameter {
        Parameter(
            name: name, place: .header, schema: schema, description: description, isRequired: false, example: nil,
            shared: shared)
    }
}

// Variables of paths.
extension Parameter {
    /// By what a path begins with: the first that fits.
    private static let variables: [(prefix: String, parameter: Parameter)] = [
        (
            "/api/v1/domains/{domain}",
            path("domain", .text, "A host of an application, or of `acme.hosts`.")
        ),
        ("/api/v1/apps/{id}", path("id", .named("ApplicationID"))),
        ("/api/v1/webhooks/{id}", path("id", .text, "A webhook's id.")),
        ("/.well-known/acme-challenge/{token}", path("token", .text, "The token of the challenge.")),
        ("/_/docs/{name}", path("name", .text, "As in `/_/llms.txt`.")),
        ("/v1/{link}", path("link")),
        ("/v2/smartlinks/{code}", path("code")),
        ("/api/v1/changes/{hash}:confirm", path("hash", .text, "Of the plan.")),
        ("/api/v1/people/{id}/programs/{program}", path("program", .text, "The program's id.")),
        ("", path("id")),
        ("", path("file", .text, "May hold slashes.")),
        (
            "",
            path(
                "slug", .text(1...Slug.maximumLength),
                """
                Under `/api` the slug is one segment: `spring%2Fsale`. In the address of the link itself its slashes \
                stand as they are.
                """, shared: "Slug")
        ),
        (
            "",
            path(
                "domain", .text,
                """
                The host of the link, with or without a port. `localhost`, `127.0.0.1` and `[::1]` name the links of \
                applications without domains.
                """, shared: "Domain")
        ),
    ]

    static func variable(_ name: String, of path: String) -> Parameter? {
        variables.first { path.hasPrefix($0.prefix) && $0.parameter.name == name }?.parameter
    }
}

// Header fields of requests.
extension Parameter {
    static let ifMatch = field(
        "If-Match", .text, "The ETag that was read; another one now is 412.", shared: "IfMatch")
    static let ifNoneMatch = field(
        "If-None-Match", .text, "ETags that the client has; the present one is 304.", shared: "IfNoneMatch")
    static let range = field("Range", .text, "Parts of the file, in bytes; at most eight.", shared: "Range")
    static let ifRange = field(
        "If-Range", .text,
        "The ETag or Last-Modified of the part that the client has. If the file has changed, all of it is sent.",
        shared: "IfRange")
    static let idempotencyKey = field(
        "Idempotency-Key", .text.pattern("^[!-~]{1,255}$"),
        """
        1 to 255 visible ASCII characters. The same key with the same body within 24 hours gives the same answer and takes \
        nothing.
        """, shared: "IdempotencyKey")

    /// Fields that calls name themselves.
    private static let named: [Parameter] = [
        field(
            "Expect", .choice(["100-continue"]),
            "With it a wrong key, a form that is too large and too many imports are refused before the form is sent."),
        field(
            "MCP-Protocol-Version", .choice(ProtocolVersion.all), "The revision that `initialize` agreed on."),
    ]

    static func field(_ name: String) -> Parameter? { named.first { $0.name == name } }
}
