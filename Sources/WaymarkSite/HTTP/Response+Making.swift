import WaymarkAPI
import WaymarkBytes
import WaymarkHTTP
import WaymarkServer

/// The kinds of responses of the service.
extension Response {
    /// JSON that must not be cached: all responses of the API.
    static func json(_ status: Status, _ body: [UInt8], fields: HeaderFields = HeaderFields()) -> Response {
        var all = jsonFields
        all.append(fields)
        return Response(status, fields: all, body: .bytes(body))
    }

    /// CSV that must not be cached.
    static func table(_ body: [UInt8]) -> Response {
        Response(.ok, fields: tableFields, body: .bytes(body))
    }

    /// The same from a file.
    static func table(_ file: OpenFile) -> Response {
        Response(.ok, fields: tableFields, body: .file(file))
    }

    private static let tableFields = HeaderFields(
        (.contentType, "text/csv; charset=utf-8; header=present"), (.cacheControl, "no-store"),
        (.xContentTypeOptions, "nosniff"))

    /// Success without a body.
    static let noContent = Response(.noContent, fields: noStoreFields)

    /// - Parameter challenge: of a 401, instead of the usual one.
    static func problem(
        _ problem: Problem, fields: HeaderFields = HeaderFields(), challenge: String? = nil
    ) -> Response {
        var all = problemFields
        if problem.status == 401, !(challenge.map { all.append(.wwwAuthenticate, $0) } ?? false) {
            all.append(.wwwAuthenticate, "Bearer" as StaticString)
        }
        // The server sets the duration of an overload itself, when it rejects a request.
        if problem.status == 503, problem.known != .overloaded { all.append(.retryAfter, "1" as StaticString) }
        all.append(fields)
        // A status outside of this range can only be a programming error.
        let status = (400...599).contains(problem.status) ? Status(UInt16(problem.status)) : .internalServerError
        return Response(status, fields: all, body: .bytes(problem.json))
    }

    static func problem(_ type: ProblemType, _ detail: String) -> Response {
        problem(Problem(type, detail))
    }

    static func methodNotAllowed(_ allowed: [Method]) -> Response {
        var fields = HeaderFields()
        // Method names have no control characters.
        _ = fields.append(.allow, Method.allowList(allowed))
        return problem(
            Problem(.methodNotAllowed, "This path answers \(Method.allowList(allowed))."), fields: fields)
    }

    private static let noStoreFields = HeaderFields((.cacheControl, "no-store"))

    private static let jsonFields = HeaderFields(
        (.contentType, "application/json"), (.cacheControl, "no-store"), (.xContentTypeOptions, "nosniff"))

    private static let problemFields = HeaderFields(
        (.contentType, "application/problem+json"), (.cacheControl, "no-store"), (.xContentTypeOptions, "nosniff"))
}

extension HeaderFields {
    /// The version as an entity tag.
    static func eTag(_ version: Int) -> HeaderFields {
        var fields = HeaderFields()
        // Space for a location and a type, to allocate once instead of four times.
        fields.reserveCapacity(192)
        _ = fields.append(.eTag, "\"\(version)\"")
        return fields
    }

    /// Marks a repeated response, usually to an earlier call with the same idempotency key.
    static let replayed = HeaderFields((.idempotentReplayed, "true"))

    static func replayed(_ isReplay: Bool) -> HeaderFields { isReplay ? replayed : HeaderFields() }

    /// Adds a `Location`; invalid values are left out, but validated URLs never are invalid.
    func adding(location: String) -> HeaderFields {
        var fields = self
        _ = fields.append(.location, location)
        return fields
    }
}

extension Response {
    /// `OPTIONS *`: describes the server as a whole (RFC 9110 section 9.3.7).
    static let options: Response = {
        var fields = HeaderFields()
        _ = fields.append(.allow, Method.allowList(Method.allCases))
        return Response(.noContent, fields: fields)
    }()

    /// A page for visitors.
    static func page(_ status: Status, _ page: Page, fields: HeaderFields = HeaderFields()) -> Response {
        var all = pageFields
        // Language tags and origins have no control characters.
        _ = all.append(.contentLanguage, page.language.tag)
        _ = all.append(.contentSecurityPolicy, page.contentSecurityPolicy)
        all.append(fields)
        return Response(status, fields: all, body: .bytes(page.markup.bytes))
    }

    /// A page with a form, which nobody may keep.
    static func form(_ status: Status, _ page: Page, fields: HeaderFields) -> Response {
        var all = formFields
        // Language tags and origins have no control characters.
        _ = all.append(.contentLanguage, page.language.tag)
        _ = all.append(.contentSecurityPolicy, page.contentSecurityPolicy)
        all.append(fields)
        return Response(status, fields: all, body: .bytes(page.markup.bytes))
    }

    private static let formFields = HeaderFields(
        (.contentType, "text/html; charset=utf-8"), (.cacheControl, "no-store"),
        (.referrerPolicy, "strict-origin-when-cross-origin"), (.xContentTypeOptions, "nosniff"),
        (.xRobotsTag, "noindex"))

    private static let pageFields = HeaderFields(
        (.contentType, "text/html; charset=utf-8"), (.cacheControl, "private, no-store"),
        (.referrerPolicy, "strict-origin-when-cross-origin"), (.xContentTypeOptions, "nosniff"),
        (.xRobotsTag, "noindex"))
}

/// Problem responses for requests that the server rejects before they reach a handler.
enum ErrorResponses {
    static func response(_ status: Status, detail: StaticString) -> Response {
        var problem = Problem(type(status), String(describing: detail))
        problem.status = Int(status.code)
        if problem.known == .requestRefused { problem.title = status.reason }
        var fields = HeaderFields()
        if status == .methodNotAllowed { _ = fields.append(.allow, Method.allowList(Method.allCases)) }
        return .problem(problem, fields: fields)
    }

    private static func type(_ status: Status) -> ProblemType {
        switch status {
        case .badRequest: .malformedRequest
        case .methodNotAllowed: .methodNotAllowed
        case .contentTooLarge: .bodyTooLarge
        case .internalServerError: .internalError
        case .serviceUnavailable: .overloaded
        default: .requestRefused
        }
    }
}

/// The opaque part of a strong entity tag: the first half of the content's SHA-256 in hexadecimal digits.
enum ContentTag {
    static func text(of content: [UInt8], sha256: ([UInt8]) -> [UInt8]) -> String {
        Hexadecimal.text(sha256(content).prefix(16))
    }
}
