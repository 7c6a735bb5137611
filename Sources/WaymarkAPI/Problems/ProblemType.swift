/// The types of problem the API responds with: the last part of `urn:waymark:problem:…`, with its status and title.
public enum ProblemType: String, Sendable, CaseIterable {
    case malformedRequest = "malformed-request"
    case malformedJSON = "malformed-json"
    case keyUnknown = "key-unknown"
    case scopeMissing = "scope-missing"
    case applicationForbidden = "application-forbidden"
    case originForbidden = "origin-forbidden"
    case tlsRequired = "tls-required"
    case signInRefused = "sign-in-refused"
    case resourceUnknown = "resource-unknown"
    case hostUnknown = "host-unknown"
    case linkUnknown = "link-unknown"
    case versionUnknown = "version-unknown"
    case linkScheduled = "link-scheduled"
    case applicationUnknown = "application-unknown"
    case apiKeyUnknown = "api-key-unknown"
    case webhookUnknown = "webhook-unknown"
    case personUnknown = "person-unknown"
    case methodNotAllowed = "method-not-allowed"
    case slugTaken = "slug-taken"
    case slugAmbiguous = "slug-ambiguous"
    case domainTaken = "domain-taken"
    case keyTaken = "key-taken"
    case applicationInUse = "application-in-use"
    case applicationReadOnly = "application-read-only"
    case administratorNeeded = "administrator-needed"
    case upgradePending = "upgrade-pending"
    case linkExpired = "link-expired"
    case linkExhausted = "link-exhausted"
    case linkDisabled = "link-disabled"
    case versionMismatch = "version-mismatch"
    case planNeeded = "plan-needed"
    case confirmationNeeded = "confirmation-needed"
    case bodyTooLarge = "body-too-large"
    case mediaTypeUnsupported = "media-type-unsupported"
    case invalidFields = "invalid-fields"
    case idempotencyMismatch = "idempotency-mismatch"
    case rateLimited = "rate-limited"
    case requestRefused = "request-refused"
    case internalError = "internal-error"
    case storeUnavailable = "store-unavailable"
    case storeFull = "store-full"
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
        case .scopeMissing, .applicationForbidden, .originForbidden, .tlsRequired, .signInRefused, .confirmationNeeded:
            403
        case .resourceUnknown, .hostUnknown, .linkUnknown, .versionUnknown, .linkScheduled, .applicationUnknown,
            .apiKeyUnknown, .webhookUnknown, .personUnknown:
            404
        case .methodNotAllowed: 405
        case .slugTaken, .slugAmbiguous, .domainTaken, .keyTaken, .applicationInUse, .applicationReadOnly,
            .administratorNeeded, .upgradePending:
            409
        case .linkExpired, .linkExhausted, .linkDisabled: 410
        case .versionMismatch: 412
        case .bodyTooLarge: 413
        case .mediaTypeUnsupported: 415
        case .invalidFields, .idempotencyMismatch: 422
        case .planNeeded: 428
        case .rateLimited: 429
        case .internalError: 500
        case .storeUnavailable, .overloaded: 503
        case .storeFull: 507
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
        case .tlsRequired: "TLS is required"
        case .signInRefused: "The sign-in is refused"
        case .resourceUnknown: "There is nothing here"
        case .hostUnknown: "No application has this host"
        case .linkUnknown: "There is no such link"
        case .versionUnknown: "The link has no such version"
        case .linkScheduled: "The link is not valid yet"
        case .applicationUnknown: "There is no such application"
        case .apiKeyUnknown: "There is no such API key"
        case .webhookUnknown: "There is no such webhook"
        case .personUnknown: "There is no such person"
        case .methodNotAllowed: "The method is not allowed here"
        case .slugTaken: "The slug is taken"
        case .slugAmbiguous: "The slug exists on several domains"
        case .domainTaken: "Another application has the host"
        case .keyTaken: "The API key exists already"
        case .applicationInUse: "Links use what would be removed"
        case .applicationReadOnly: "The application comes from the configuration"
        case .administratorNeeded: "Nobody could administer the service any more"
        case .upgradePending: "Servers of an earlier version are connected"
        case .linkExpired: "The link has expired"
        case .linkExhausted: "The link has been used up"
        case .linkDisabled: "The link is switched off"
        case .versionMismatch: "It has changed since it was read"
        case .planNeeded: "Plan the change first"
        case .confirmationNeeded: "A person has to confirm the change"
        case .bodyTooLarge: "The body is too large"
        case .mediaTypeUnsupported: "The body's media type is not accepted"
        case .invalidFields: "Some fields are not valid"
        case .idempotencyMismatch: "The idempotency key was used with another body"
        case .rateLimited: "Too many requests"
        case .requestRefused: "The request was refused"
        case .internalError: "Something went wrong here"
        case .storeUnavailable: "The store can't be reached"
        case .storeFull: "The store is full"
        case .overloaded: "The server has too much to do"
        }
    }
}

extension ProblemType {
    /// The cause of the problem, in one or two sentences.
    public var cause: String {
        switch self {
        case .malformedRequest: "The request is not valid HTTP, or a value in its URL can't be decoded."
        case .malformedJSON: "The body is empty, is not valid JSON, or is nested deeper than 64 levels."
        case .keyUnknown: "The request has no API key, or the key is unknown, revoked or expired."
        case .scopeMissing: "The API key is valid, but its scope does not include this call."
        case .applicationForbidden: "The API key is bound to one application, and the request is about another one."
        case .originForbidden:
            "A browser sent the request from a page whose origin no application lists in cors.origins, or with the dashboard's cookie from another page than the dashboard."
        case .tlsRequired: "The request has a secret, and came without encryption from another machine."
        case .signInRefused: "Who signs in is unknown, disabled or without a role, or may not sign in this way."
        case .resourceUnknown: "No route has this path, or what it names does not exist."
        case .hostUnknown: "The request's Host is not a domain of any application."
        case .linkUnknown: "No link has this slug on this domain, or the API key may not see it."
        case .versionUnknown: "The link has not had this version."
        case .linkScheduled: "The link's validFrom is in the future."
        case .applicationUnknown: "No application has this id."
        case .apiKeyUnknown: "No API key has this id."
        case .webhookUnknown: "No webhook has this id, or the API key may not see it."
        case .personUnknown: "No person has this id, or the caller may not see that person."
        case .methodNotAllowed: "The path exists, but not with this method."
        case .slugTaken: "Another link has the slug on this domain."
        case .slugAmbiguous: "The path names a slug without a domain, and links on several domains have it."
        case .domainTaken: "Another application claims the host, as a domain, openHost or host of its baseURL."
        case .keyTaken: "A key with this text exists already."
        case .applicationInUse: "Links use the application, or the part of it that the change would remove."
        case .applicationReadOnly: "The application comes from the file in the server's configuration."
        case .administratorNeeded:
            "The person is the last administrator of all applications, and no API key could administer them."
        case .upgradePending:
            "Several servers share the database, and one of an earlier version could not read what the call would store."
        case .linkExpired: "The link's expiresAt has passed."
        case .linkExhausted: "The link has had all the clicks that its maxClicks allows."
        case .linkDisabled: "The link's disabled is true."
        case .versionMismatch: "If-Match, or the hash of a plan, names another version than the current one."
        case .planNeeded:
            "An assistant asks for a change of many links without the hash of a plan or rehearsal that still holds."
        case .confirmationNeeded: "An assistant asks for a change of many links that no person has confirmed."
        case .bodyTooLarge: "The body is larger than this call takes."
        case .mediaTypeUnsupported: "The Content-Type or the Content-Encoding of the body is not accepted."
        case .invalidFields: "Fields of the body, or parameters, are missing, unknown or not allowed."
        case .idempotencyMismatch: "The same Idempotency-Key was sent before with another body."
        case .rateLimited: "The caller has used up one of the limits on callers."
        case .requestRefused: "The server refuses the request before it reaches a route, for its form or its size."
        case .internalError: "The server failed in a way that it does not know how to explain."
        case .storeUnavailable: "The database can't be reached, or the server is about to stop."
        case .storeFull: "The disk that holds the database is full, or nearly so."
        case .overloaded: "The server has as many connections or waiting requests as it takes."
        }
    }

    /// What the caller can do about it.
    public var remedy: String {
        switch self {
        case .malformedRequest, .requestRefused: "Correct the request; detail says what is wrong with it."
        case .malformedJSON: "Send one valid JSON value; detail says where it stops being valid."
        case .keyUnknown: "Send Authorization: Bearer with a key that exists."
        case .scopeMissing: "Use a key with the scope that detail names."
        case .applicationForbidden: "Use a key of that application, or one that is bound to none."
        case .originForbidden:
            "Add the origin to cors.origins of the application; other programs than the dashboard send an API key."
        case .tlsRequired:
            "Use https, or http://localhost on the machine itself, or list the network in dashboard.plainNetworks. A proxy that ends TLS has to be one of trustedProxies."
        case .signInRefused: "Detail says what is missing; an administrator can add it under people."
        case .resourceUnknown: "Check the path against /_/openapi.json."
        case .hostUnknown: "Add the host to domains of an application, or correct the address."
        case .linkUnknown: "Check domain and slug; list links with GET /api/v1/links."
        case .versionUnknown: "List the versions with GET /api/v1/links/DOMAIN/SLUG/history."
        case .linkScheduled: "Wait until validFrom, or change it."
        case .applicationUnknown: "List the applications with GET /api/v1/apps."
        case .apiKeyUnknown: "List the keys with GET /api/v1/keys."
        case .webhookUnknown: "List the webhooks with GET /api/v1/webhooks."
        case .personUnknown: "List the people with GET /api/v1/people."
        case .methodNotAllowed: "Use one of the methods in the Allow field."
        case .slugTaken: "Choose another slug, or leave slug out to have one made."
        case .slugAmbiguous: "Name the domain: /api/v1/links/{domain}/{slug}."
        case .domainTaken: "Remove the host from the other application first."
        case .keyTaken: "Send another text, or leave key out to have one made."
        case .applicationInUse: "Delete or change the links first."
        case .applicationReadOnly: "Change the file and reload the configuration."
        case .administratorNeeded: "Make somebody else an administrator of all applications first."
        case .upgradePending:
            "Upgrade or stop the servers that detail names, and send the request again some seconds later."
        case .linkExpired: "Change expiresAt, or make a new link."
        case .linkExhausted: "Raise maxClicks, or make a new link."
        case .linkDisabled: "Set disabled to false."
        case .versionMismatch: "Read it again, and send the change with its new ETag, or with the hash of a new plan."
        case .planNeeded:
            "Plan the change with POST /api/v1/changes:plan or :rehearse, and send its hash as plan within an hour."
        case .confirmationNeeded:
            "Let a signed-in person confirm it, and send it again; detail names the call."
        case .bodyTooLarge: "Send less; a batch can be split."
        case .mediaTypeUnsupported: "Send application/json (for PATCH also application/merge-patch+json), uncompressed."
        case .invalidFields: "Correct every field that errors names."
        case .idempotencyMismatch: "Use a new Idempotency-Key for a new request."
        case .rateLimited, .overloaded, .storeUnavailable: "Try again after as many seconds as Retry-After says."
        case .storeFull: "Free space on the disk of the database; the server then goes on by itself."
        case .internalError:
            "Try again; if the problem persists, search the server's log for the X-Request-ID of the answer."
        }
    }
}
