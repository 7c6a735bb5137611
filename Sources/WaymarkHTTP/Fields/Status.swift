/// A response's status code (RFC 9110 section 15).
@usableFromInline
package struct Status: Sendable, Hashable {
    /// 100 to 599.
    @usableFromInline package let code: UInt16

    /// - Precondition: `code` is within 100...599.
    package init(_ code: UInt16) {
        precondition((100...599).contains(code), "a status code is within 100 and 599")
        self.code = code
    }

    package static let ok = Status(200)
    package static let created = Status(201)
    package static let accepted = Status(202)
    package static let noContent = Status(204)
    package static let partialContent = Status(206)
    package static let movedPermanently = Status(301)
    package static let found = Status(302)
    package static let notModified = Status(304)
    package static let temporaryRedirect = Status(307)
    package static let permanentRedirect = Status(308)
    package static let badRequest = Status(400)
    package static let forbidden = Status(403)
    package static let notFound = Status(404)
    package static let methodNotAllowed = Status(405)
    package static let requestTimeout = Status(408)
    package static let preconditionFailed = Status(412)
    package static let contentTooLarge = Status(413)
    package static let uriTooLong = Status(414)
    package static let rangeNotSatisfiable = Status(416)
    package static let expectationFailed = Status(417)
    package static let misdirectedRequest = Status(421)
    package static let tooManyRequests = Status(429)
    package static let requestHeaderFieldsTooLarge = Status(431)
    package static let internalServerError = Status(500)
    package static let notImplemented = Status(501)
    package static let serviceUnavailable = Status(503)
    package static let httpVersionNotSupported = Status(505)
}

extension Status {
    /// The reason phrase; empty for a code that is not listed here.
    package var reason: String {
        let line = String(describing: line ?? "")
        return String(line.dropFirst("HTTP/1.1 200 ".count).dropLast())
    }

    /// Whether a response with this status has no body, for any request (RFC 9110 section 6.4.1).
    package var forbidsBody: Bool { code < 200 || code == 204 || code == 304 }

    /// The prebuilt status line with its CRLF, or nil for a code that is not listed here.
    var line: StaticString? {
        switch code {
        case 100: "HTTP/1.1 100 Continue\r\n"
        case 101: "HTTP/1.1 101 Switching Protocols\r\n"
        case 200: "HTTP/1.1 200 OK\r\n"
        case 201: "HTTP/1.1 201 Created\r\n"
        case 202: "HTTP/1.1 202 Accepted\r\n"
        case 204: "HTTP/1.1 204 No Content\r\n"
        case 206: "HTTP/1.1 206 Partial Content\r\n"
        case 300: "HTTP/1.1 300 Multiple Choices\r\n"
        case 301: "HTTP/1.1 301 Moved Permanently\r\n"
        case 302: "HTTP/1.1 302 Found\r\n"
        case 303: "HTTP/1.1 303 See Other\r\n"
        case 304: "HTTP/1.1 304 Not Modified\r\n"
        case 307: "HTTP/1.1 307 Temporary Redirect\r\n"
        case 308: "HTTP/1.1 308 Permanent Redirect\r\n"
        case 400: "HTTP/1.1 400 Bad Request\r\n"
        case 401: "HTTP/1.1 401 Unauthorized\r\n"
        case 403: "HTTP/1.1 403 Forbidden\r\n"
        case 404: "HTTP/1.1 404 Not Found\r\n"
        case 405: "HTTP/1.1 405 Method Not Allowed\r\n"
        case 406: "HTTP/1.1 406 Not Acceptable\r\n"
        case 408: "HTTP/1.1 408 Request Timeout\r\n"
        case 409: "HTTP/1.1 409 Conflict\r\n"
        case 410: "HTTP/1.1 410 Gone\r\n"
        case 411: "HTTP/1.1 411 Length Required\r\n"
        case 412: "HTTP/1.1 412 Precondition Failed\r\n"
        case 413: "HTTP/1.1 413 Content Too Large\r\n"
        case 414: "HTTP/1.1 414 URI Too Long\r\n"
        case 415: "HTTP/1.1 415 Unsupported Media Type\r\n"
        case 416: "HTTP/1.1 416 Range Not Satisfiable\r\n"
        case 417: "HTTP/1.1 417 Expectation Failed\r\n"
        case 421: "HTTP/1.1 421 Misdirected Request\r\n"
        case 422: "HTTP/1.1 422 Unprocessable Content\r\n"
        case 425: "HTTP/1.1 425 Too Early\r\n"
        case 426: "HTTP/1.1 426 Upgrade Required\r\n"
        case 428: "HTTP/1.1 428 Precondition Required\r\n"
        case 429: "HTTP/1.1 429 Too Many Requests\r\n"
        case 431: "HTTP/1.1 431 Request Header Fields Too Large\r\n"
        case 500: "HTTP/1.1 500 Internal Server Error\r\n"
        case 501: "HTTP/1.1 501 Not Implemented\r\n"
        case 503: "HTTP/1.1 503 Service Unavailable\r\n"
        case 505: "HTTP/1.1 505 HTTP Version Not Supported\r\n"
        default: nil
        }
    }
}
