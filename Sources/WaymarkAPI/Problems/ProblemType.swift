/// The types of problem the API responds with: the last part of `urn:waymark:problem:…`, with its status and title.
public enum ProblemType: String, Sendable, CaseIterable {
    case malformedRequest = "malformed-request"
    case malformedJSON = "malformed-json"
    case keyUnknown = "key-unknown"
    case scopeMissing = "scope-missing"
    case applicationForbidden = "application-forbidden"
    case originForbidden = "origin-forbidden"
    case resourceUnknown = "resource-unknown"
    case hostUnknown = "host-unknown"
    case linkUnknown = "link-unknown"
    case linkScheduled = "link-scheduled"
    case applicationUnknown = "application-unknown"
    case apiKeyUnknown = "api-key-unknown"
    case methodNotAllowed = "method-not-allowed"
    case slugTaken = "slug-taken"
    case slugAmbiguous = "slug-ambiguous"
    case domainTaken = "domain-taken"
    case keyTaken = "key-taken"
    case applicationInUse = "application-in-use"
    case applicationReadOnly = "application-read-only"
    case linkExpired = "link-expired"
    case linkExhausted = "link-exhausted"
    case linkDisabled = "link-disabled"
    case versionMismatch = "version-mismatch"
    case bodyTooLarge = "body-too-large"
    case mediaTypeUnsupported = "media-type-unsupported"
    case invalidFields = "invalid-fields"
    case idempotencyMismatch = "idempotency-mismatch"
    case rateLimited = "rate-limited"
    case requestRefused = "request-refused"
    case internalError = "internal-error"
    case storeUnavailable = "store-unavailable"
    case overloaded = "overloaded"

    /// The prefix of a problem's `type`.
    public static let prefix = "urn:waymark:problem:"

    /// The `type` of a problem (RFC 9457, section 3.1.1).
    public var urn: String { Self.prefix + rawValue }

    /// The HTTP status of the response.
    public var status: Int {
        switch self {
        case .malformedRequest, .malformedJSON, .requestRefused: 400
        case .keyUnknown: 401
        case .scopeMissing, .applicationForbidden, .originForbidden: 403
        case .resourceUnknown, .hostUnknown, .linkUnknown, .linkScheduled, .applicationUnknown,
            .apiKeyUnknown:
            404
        case .methodNotAllowed: 405
        case .slugTaken, .slugAmbiguous, .domainTaken, .keyTaken, .applicationInUse, .applicationReadOnly: 409
        case .linkExpired, .linkExhausted, .linkDisabled: 410
        case .versionMismatch: 412
        case .bodyTooLarge: 413
        case .mediaTypeUnsupported: 415
        case .invalidFields, .idempotencyMismatch: 422
        case .rateLimited: 429
        case .internalError: 500
        case .storeUnavailable, .overloaded: 503
        }
    }

    /// A short title, the same for every occurrence (RFC 9457, section 3.1.3).
    public var title: String {
        switch self {
        case .malformedRequest: "The request can't be understood"
        case .malformedJSON: "The body is not JSON"
        case .keyUnknown: "A valid API key is needed"
        case .scopeMissing: "The API key may not do this"
        case .applicationForbidden: "The API key belongs to another application"
        case .originForbidden: "The origin may not do this"
        case .resourceUnknown: "There is nothing here"
        case .hostUnknown: "No application has this host"
        case .linkUnknown: "There is no such link"
        case .linkScheduled: "The link is not valid yet"
        case .applicationUnknown: "There is no such application"
        case .apiKeyUnknown: "There is no such API key"
        case .methodNotAllowed: "The method is not allowed here"
        case .slugTaken: "The slug is taken"
        case .slugAmbiguous: "The slug stands on several domains"
        case .domainTaken: "Another application has the host"
        case .keyTaken: "The API key exists already"
        case .applicationInUse: "Links use what would be removed"
        case .applicationReadOnly: "The application comes from the configuration"
        case .linkExpired: "The link has expired"
        case .linkExhausted: "The link has been used up"
        case .linkDisabled: "The link is switched off"
        case .versionMismatch: "It has changed since it was read"
        case .bodyTooLarge: "The body is too large"
        case .mediaTypeUnsupported: "The body's media type is not accepted"
        case .invalidFields: "Some fields are not valid"
        case .idempotencyMismatch: "The idempotency key was used with another body"
        case .rateLimited: "Too many requests"
        case .requestRefused: "The request was refused"
        case .internalError: "Something went wrong here"
        case .storeUnavailable: "The store can't be reached"
        case .overloaded: "The server has too much to do"
        }
    }
}
