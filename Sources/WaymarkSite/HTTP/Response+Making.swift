import WaymarkAPI
import WaymarkHTTP
import WaymarkServer

/// The shapes in which the service answers.
extension Response {
    /// JSON that nobody may keep: every answer of the API.
    static func json(_ status: Status, _ body: [UInt8], fields: HeaderFields = HeaderFields()) -> Response {
        var all = jsonFields
        all.append(fields)
        return Response(status, fields: all, body: .bytes(body))
    }

    /// A table that nobody may keep.
    static func table(_ body: [UInt8]) -> Response {
        Response(.ok, fields: tableFields, body: .bytes(body))
    }

    private static let tableFields = HeaderFields(
        (.contentType, "text/csv; charset=utf-8; header=present"), (.cacheControl, "no-store"),
        (.xContentTypeOptions, "nosniff"))

    /// A success without a body.
    static let noContent = Response(.noContent, fields: noStoreFields)

    static func problem(_ problem: Problem, fields: HeaderFields = HeaderFields()) -> Response {
        var all = problemFields
        if problem.status == 401 { all.append(.wwwAuthenticate, "Bearer" as StaticString) }
        // How long an overload lasts is known to the server that refuses, and said by it.
        if problem.status == 503, problem.known != .overloaded { all.append(.retryAfter, "1" as StaticString) }
        all.append(fields)
        // A status beyond those of HTTP can only come from a mistake in the code.
        let status = (400...599).contains(problem.status) ? Status(UInt16(problem.status)) : .internalServerError
        return Response(status, fields: all, body: .bytes(problem.json))
    }

    static func problem(_ type: ProblemType, _ detail: String) -> Response {
        problem(Problem(type, detail))
    }

    static func methodNotAllowed(_ allowed: [Method]) -> Response {
        var fields = HeaderFields()
        // The names of methods hold no control characters.
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
        // With room for a location and a type: at once what would else be asked for four times.
        fields.reserveCapacity(192)
        _ = fields.append(.eTag, "\"\(version)\"")
        return fields
    }

    /// Says that the answer was given before, mostly to an earlier call with the same idempotency key.
    static let replayed = HeaderFields((.idempotentReplayed, "true"))

    static func replayed(_ isReplay: Bool) -> HeaderFields { isReplay ? replayed : HeaderFields() }

    /// Adds a `Location`; values that can't be sent are left out, which validated URLs never are.
    func adding(location: String) -> HeaderFields {
        var fields = self
        _ = fields.append(.location, location)
        return fields
    }
}

extension Response {
    /// `OPTIONS *`: about the server as a whole (RFC 9110 section 9.3.7).
    static let options: Response = {
        var fields = HeaderFields()
        _ = fields.append(.allow, Method.allowList(Method.allCases))
        return Response(.noContent, fields: fields)
    }()

    /// A page for people.
    static func page(_ status: Status, _ page: Page, fields: HeaderFields = HeaderFields()) -> Response {
        var all = pageFields
        // Languages and origins hold no control characters.
        _ = all.append(.contentLanguage, page.language.tag)
        _ = all.append(.contentSecurityPolicy, page.contentSecurityPolicy)
        all.append(fields)
        return Response(status, fields: all, body: .bytes(page.markup.bytes))
    }

    private static let pageFields = HeaderFields(
        (.contentType, "text/html; charset=utf-8"), (.cacheControl, "private, no-store"),
        (.referrerPolicy, "strict-origin-when-cross-origin"), (.xContentTypeOptions, "nosniff"),
        (.xRobotsTag, "noindex"))
}
