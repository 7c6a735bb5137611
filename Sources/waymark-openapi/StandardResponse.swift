import WaymarkJSON
import WaymarkSite

/// A response that many calls have, as `#/components/responses` has it.
struct StandardResponse: Sendable {
    enum Content: Sendable {
        case none, problem
        /// A page, or a problem where `Accept` prefers JSON.
        case page
        case file, hokoError, firebaseError
    }

    let name: String
    let status: Int
    let description: String
    let content: Content
    let headers: [String]

    private init(
        _ name: String, _ status: Int, _ description: String, _ content: Content = .problem, headers: [String] = []
    ) {
        self.name = name
        self.status = status
        self.description = description
        self.content = content
        self.headers = headers
    }

    func json() throws(DocumentError) -> JSONObject {
        var json: JSONObject = ["description": JSONValue(description)]
        if !headers.isEmpty { json["headers"] = JSONValue(try ResponseHeader.fields(headers)) }
        if !mediaTypes.isEmpty { json["content"] = JSONValue(mediaTypes) }
        return json
    }

    private var mediaTypes: JSONObject {
        func content(_ schema: Schema) -> JSONValue { ["schema": JSONValue(schema.json)] }
        return switch self.content {
        case .none: [:]
        case .problem: ["application/problem+json": content(.named("Problem"))]
        case .page: ["application/problem+json": content(.named("Problem")), "text/html": content(.text)]
        case .file: ["*/*": [:]]
        case .hokoError: ["application/json": content(.named("HokoError"))]
        case .firebaseError: ["application/json": content(.named("FirebaseError"))]
        }
    }

    /// The response of a route with this status.
    static func of(_ route: DocumentedRoute, _ status: Int) -> StandardResponse? {
        (table(of: route.kind) + problems).first { $0.status == status }
    }

    static let all = problems + files + hoko + firebase

    /// What routes of this kind have instead of a problem.
    private static func table(of kind: DocumentedRoute.Kind) -> [StandardResponse] {
        switch kind {
        case .file: files
        case .hoko: hoko
        case .firebase: firebase
        case .api, .session, .mcp, .visit: []
        }
    }

    private static let problems: [StandardResponse] = [
        StandardResponse("MalformedRequest", 400, "The body is not JSON, or the request can't be understood."),
        StandardResponse(
            "KeyUnknown", 401, "No API key, or an unknown, revoked or expired one.", headers: ["WWWAuthenticate"]),
        StandardResponse("Forbidden", 403, "Outside the key's scopes or application."),
        StandardResponse("Unknown", 404, "There is no such thing, or the key may not see it."),
        StandardResponse(
            "Conflict", 409,
            """
            Taken, in use, read-only or ambiguous, or a connected server of an earlier version could not read it \
            (`upgrade-pending`): `type` says which.
            """),
        StandardResponse("Gone", 410, "Expired, used up or switched off: `type` says which."),
        StandardResponse("VersionMismatch", 412, "`If-Match` names another version than the current one."),
        StandardResponse("BodyTooLarge", 413, "The body is larger than allowed."),
        StandardResponse(
            "MediaTypeUnsupported", 415, "The body must be JSON and say so.", headers: ["AcceptEncoding"]),
        StandardResponse(
            "InvalidFields", 422,
            "All fields that are not valid, in `errors`; query parameters that are unknown, too."),
        StandardResponse(
            "RateLimited", 429,
            "Too many requests of this kind from this key and address; loopback is not limited unless configured so.",
            headers: ["RetryAfter"]),
        StandardResponse("InternalError", 500, "Something went wrong in the server."),
        StandardResponse("StoreUnavailable", 503, "The store can't be reached; try again."),
        StandardResponse(
            "StoreFull", 507,
            """
            The disk that holds the database is full: nothing can be written until the operator frees space. Reads go on.
            """),
    ]

    private static let files: [StandardResponse] = [
        StandardResponse(
            "PartOfFile", 206, "The part that was asked for, or several as `multipart/byteranges`.", .file,
            headers: ["FileETag", "PartContentRange"]),
        StandardResponse(
            "UnchangedFile", 304, "Unchanged since `If-None-Match` or `If-Modified-Since`.", .none,
            headers: ["FileETag"]),
        StandardResponse(
            "NoSuchFile", 404, "There is no such file. A page, or a problem where `Accept` prefers JSON.", .page),
        StandardResponse(
            "OtherFile", 412,
            "The file has another version than `If-Match` or `If-Unmodified-Since` asks for.", .page),
        StandardResponse("NoSuchRange", 416, "The file is shorter than that.", .page, headers: ["FileContentRange"]),
    ]

    private static let hoko: [StandardResponse] = [
        StandardResponse(
            "HokoRequestInvalid", 400,
            "A parameter is missing (2), the method is another (4), or the body is no JSON (5).", .hokoError),
        StandardResponse(
            "HokoTokenRefused", 401,
            "The token is unknown (3), or of no platform, of another one or of a smaller scope (11).", .hokoError),
        StandardResponse(
            "HokoRecordUnknown", 404, "No such record (7); where no application has the API, a page.", .hokoError),
        StandardResponse("HokoRedeemsExhausted", 409, "Too many redeems (10).", .hokoError),
        StandardResponse(
            "HokoNotSaved", 422, "Not saved (6), bad route (8), or no smart link made (9).", .hokoError),
        StandardResponse("HokoRateLimited", 429, "Too many requests.", .hokoError, headers: ["RetryAfter"]),
        StandardResponse("HokoInternalError", 500, "Something went wrong here.", .hokoError),
        StandardResponse("HokoStoreUnavailable", 503, "The store is unavailable.", .hokoError),
        StandardResponse(
            "HokoStoreFull", 507, "The disk that holds the database is full; try again later.", .hokoError),
    ]

    private static let firebase: [StandardResponse] = [
        StandardResponse(
            "FirebaseValueInvalid", 400, "A value or domain is not valid: INVALID_ARGUMENT.", .firebaseError),
        StandardResponse("FirebaseKeyUnknown", 401, "The key is missing or unknown: UNAUTHENTICATED.", .firebaseError),
        StandardResponse("FirebaseForbidden", 403, "The key may not do this: PERMISSION_DENIED.", .firebaseError),
        StandardResponse(
            "FirebaseLinkUnknown", 404,
            "The link is unknown (NOT_FOUND), or no application serves Firebase Dynamic Links.", .firebaseError),
        StandardResponse("FirebaseSuffixTaken", 409, "The suffix is taken: ALREADY_EXISTS.", .firebaseError),
        StandardResponse(
            "FirebaseRateLimited", 429, "Too many requests: RESOURCE_EXHAUSTED, with `Retry-After`.", .firebaseError),
        StandardResponse("FirebaseInternalError", 500, "INTERNAL.", .firebaseError),
        StandardResponse(
            "FirebaseStoreUnavailable", 503, "The store can't be reached: UNAVAILABLE.", .firebaseError),
    ]
}
