/// A call as the API document describes it, beyond what its route says: method, path, scope, limits, query parameters,
/// and the responses that all routes of its kind have.
package struct APIOperation: Sendable {
    /// A section of the document.
    package enum Tag: String, Sendable, CaseIterable {
        case links = "Links"
        case apps = "Apps"
        case imports = "Imports"
        case applications = "Applications"
        case keys = "Keys"
        case people = "People"
        case webhooks = "Webhooks"
        case visits = "Visits"
        case association = "Association"
        case operation = "Operation"
        case firebase = "Firebase Dynamic Links"
        case hoko = "HOKO"
    }

    /// A body by the name of its schema.
    package enum Body: Sendable, ExpressibleByStringLiteral {
        case schema(String)
        case list(of: String, atMost: Int)

        package init(stringLiteral name: String) { self = .schema(name) }
    }

    /// Unique; generated clients name their functions after it.
    package let id: String
    package let tag: Tag
    package let summary: String
    package let description: String?
    /// As JSON, and as a form where the route takes both.
    package let body: Body?
    package let form: Body?
    /// The body of an example, as JSON.
    package let example: String?
    /// Parameters of routes that don't refuse other ones. Those of API routes are in `SiteRoute.query`.
    package let query: [String]
    /// Header fields of the request, besides those that follow from the route.
    package let fields: [String]
    /// A number alone is the response that all routes of the same kind have for this status; of two the last is meant.
    package let responses: [APIResponse]

    package init(
        _ id: String, _ tag: Tag, _ summary: String, _ description: String?, body: Body? = nil, form: Body? = nil,
        example: String? = nil, query: [String] = [], fields: [String] = [], _ responses: [APIResponse]
    ) {
        self.id = id
        self.tag = tag
        self.summary = summary
        self.description = description
        self.body = body
        self.form = form
        self.example = example
        self.query = query
        self.fields = fields
        self.responses = responses
    }

    /// A call that its summary describes.
    package init(
        _ id: String, _ tag: Tag, _ summary: String, body: Body? = nil, query: [String] = [],
        _ responses: [APIResponse]
    ) {
        self.init(id, tag, summary, nil, body: body, query: query, responses)
    }
}

extension APIOperation {
    /// - Parameter folders: whether the path may also be that of a folder, which is redirected to its form with a slash.
    static func file(
        _ id: String, _ summary: String, _ description: String = "The file.", folders: Bool = false
    ) -> APIOperation {
        var responses: [APIResponse] = [.file(description), 206, 304, 404, 412, 416, 503]
        if folders { responses.append(.folder) }
        return APIOperation(id, .operation, summary, responses)
    }
}

/// One status of a call, with what comes with it.
package struct APIResponse: Sendable, ExpressibleByIntegerLiteral {
    /// The content in one media type.
    package struct Content: Sendable {
        package enum Schema: Sendable {
            case named(String)
            case text, binary
            /// Whatever the media type allows.
            case any
        }

        package let mediaType: String
        package let schema: Schema
        /// As JSON.
        package let example: String?

        static func json(_ schema: String, example: String? = nil) -> Content {
            Content(mediaType: "application/json", schema: .named(schema), example: example)
        }

        static let problem = Content(mediaType: "application/problem+json", schema: .named("Problem"), example: nil)

        static func text(_ mediaType: String, example: String? = nil) -> Content {
            Content(mediaType: mediaType, schema: .text, example: example)
        }
    }

    /// Header fields as the document describes them, by their names in its table.
    package enum Header: String, Sendable, CaseIterable {
        case accessControlAllowOrigin = "AccessControlAllowOrigin"
        case allow = "Allow"
        case associationETag = "AssociationETag"
        case eTag = "ETag"
        case fileETag = "FileETag"
        case fileVary = "FileVary"
        case idempotentReplayed = "IdempotentReplayed"
        case location = "Location"
        case pictureCacheControl = "PictureCacheControl"
        case retryAfter = "RetryAfter"
        case setCookie = "SetCookie"
    }

    package let status: Int
    /// Nil for the response that all routes of the same kind have for this status.
    package let description: String?
    package let content: [Content]
    package let headers: [Header]

    package init(integerLiteral status: Int) {
        self.init(status, nil, [])
    }

    init(_ status: Int, _ description: String?, _ content: [Content], _ headers: [Header] = []) {
        self.status = status
        self.description = description
        self.content = content
        self.headers = headers
    }
}

extension APIResponse {
    static func empty(_ status: Int, _ description: String, _ headers: Header...) -> APIResponse {
        APIResponse(status, description, [], headers)
    }

    static func json(
        _ status: Int, _ schema: String, _ description: String, _ headers: Header..., or other: Content? = nil,
        example: String? = nil
    ) -> APIResponse {
        APIResponse(status, description, [.json(schema, example: example)] + (other.map { [$0] } ?? []), headers)
    }

    static func text(
        _ status: Int, _ mediaType: String, _ description: String, _ headers: Header..., example: String? = nil
    ) -> APIResponse {
        APIResponse(status, description, [.text(mediaType, example: example)], headers)
    }

    static func binary(_ status: Int, _ mediaType: String, _ description: String, _ headers: Header...) -> APIResponse {
        APIResponse(
            status, description, [Content(mediaType: mediaType, schema: .binary, example: nil)], headers)
    }

    /// A problem with a description of its own.
    static func problem(_ status: Int, _ description: String, _ headers: Header...) -> APIResponse {
        APIResponse(status, description, [.problem], headers)
    }

    /// A page that says what is wrong, or a problem where `Accept` prefers JSON.
    static func page(_ status: Int, _ description: String, _ headers: Header...) -> APIResponse {
        APIResponse(status, description, [.text("text/html"), .problem], headers)
    }

    /// A file of the public folder.
    static func file(_ description: String) -> APIResponse {
        let content = Content(mediaType: "*/*", schema: .any, example: nil)
        return APIResponse(200, description, [content], [.fileETag, .fileVary])
    }

    /// A folder without its slash.
    static let folder = APIResponse.empty(301, "A folder: its address ends in a slash.", .location)

    /// What becomes of a visit, and what is special to it.
    static func visit(_ own: [APIResponse]) -> [APIResponse] {
        let page = APIResponse.text(
            200, "text/html",
            "A page: one button that opens the app, the social card for link previews, or where the link leads.")
        let redirects = [301, 302, 307, 308].map { (status: Int) in
            APIResponse.empty(status, "To the destination for the visitor's platform.", .location)
        }
        return [page] + redirects + own
    }

    /// The same for links that are stored.
    static func linkVisit(_ own: [APIResponse]) -> [APIResponse] {
        let tooMany = APIResponse.page(
            429, "Too many visits of slugs that no link has from this address.", .retryAfter)
        return visit([ended, tooMany, unavailable] + own)
    }

    /// A QR code, and what may be in its place.
    static func picture(_ picture: APIResponse) -> [APIResponse] {
        [
            picture,
            .empty(304, "The client has this picture: `If-None-Match` names it.", .fileETag, .pictureCacheControl),
            .page(404, "No such link, one that is not valid yet, or no QR codes in this build."),
            .page(429, "Too many pictures for this address.", .retryAfter), ended, unavailable, 412, 422,
        ]
    }

    private static let ended = APIResponse.page(410, "Expired, used up or switched off.")
    private static let unavailable = APIResponse.page(503, "The link is not cached and the store is away.")
}
