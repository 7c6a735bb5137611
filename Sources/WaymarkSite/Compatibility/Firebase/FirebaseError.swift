import WaymarkHTTP
import WaymarkJSON
import WaymarkServer

/// A failure in Google's form: `{"error": {"code", "message", "status"}}`.
struct FirebaseError: Error {
    let status: Code
    /// A sentence.
    let message: String
    var retryAfter: Int?

    init(_ status: Code, _ message: String, retryAfter: Int? = nil) {
        self.status = status
        self.message = message
        self.retryAfter = retryAfter
    }

    enum Code: String {
        case invalidArgument = "INVALID_ARGUMENT"
        case unauthenticated = "UNAUTHENTICATED"
        case permissionDenied = "PERMISSION_DENIED"
        case notFound = "NOT_FOUND"
        case alreadyExists = "ALREADY_EXISTS"
        case resourceExhausted = "RESOURCE_EXHAUSTED"
        case unavailable = "UNAVAILABLE"
        case unknown = "INTERNAL"

        var http: Status {
            switch self {
            case .invalidArgument: .badRequest
            case .unauthenticated: Status(401)
            case .permissionDenied: .forbidden
            case .notFound: .notFound
            case .alreadyExists: Status(409)
            case .resourceExhausted: .tooManyRequests
            case .unavailable: .serviceUnavailable
            case .unknown: .internalServerError
            }
        }
    }

    var response: Response {
        var error = JSONObject()
        error["code"] = JSONValue(Int(status.http.code))
        error["message"] = JSONValue(message)
        error["status"] = JSONValue(status.rawValue)
        var body = JSONObject()
        body["error"] = JSONValue(error)
        var fields = HeaderFields()
        if let seconds = retryAfter ?? (status == .unavailable ? 1 : nil) { fields.append(.retryAfter, seconds) }
        // RFC 6750, section 3: a parameter must follow. Google's client for Python fails without one.
        if status == .unauthenticated { fields.append(.wwwAuthenticate, #"Bearer realm="waymark""# as StaticString) }
        return .json(status.http, JSONValue(body).bytes(), fields: fields)
    }

    static let storeAway = FirebaseError(.unavailable, "The store can't be reached.")
    static let linkUnknown = FirebaseError(.notFound, "Requested entity was not found.")
}
