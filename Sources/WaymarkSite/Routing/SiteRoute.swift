import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkStores

/// An entry of the route table: a method and a path, who may call it, and its handler.
struct SiteRoute: Sendable {
    /// The body of an API route.
    enum Body: Sendable, Equatable {
        case none
        case json(limit: Int)
        /// JSON, optionally as a merge patch (RFC 7396).
        case mergePatch
        /// JSON, or a form with files that may be larger than memory.
        case upload
        /// A logo: PNG or SVG.
        case picture

        /// 1 MiB.
        static let json = Body.json(limit: usualLimit)
        /// 8 MiB.
        static let batch = Body.json(limit: 8 << 20)
        static let usualLimit = 1 << 20

        /// In bytes; nil for routes without a body.
        var limit: Int? {
            switch self {
            case .none: nil
            case .json(let limit): limit
            case .mergePatch, .upload: Self.usualLimit
            case .picture: QRCodeLogo.byteLimit
            }
        }
    }

    enum Access: Sendable {
        /// Needs a key that may do one of these scopes; runs as a task.
        case api(scopes: [KeyScope], body: Body, answer: @Sendable (Call, Site) async throws -> Response)
        /// HOKO's API: needs a key with this scope and a platform; runs as a task.
        case hoko(scope: KeyScope, answer: HokoRoute.Handler)
        /// The dashboard's session, and how it starts.
        case session(SessionCall)
        /// The Model Context Protocol: needs a key of any scope.
        case mcp
        /// OAuth for the Model Context Protocol.
        case oauth(OAuthCall)
        /// Open to everyone, and started on the event loop's thread.
        case open(OpenRoute)
        /// Google's API for Firebase Dynamic Links; the path only exists if an application serves them.
        case firebase(FirebaseCall.Method)

        var isVisit: Bool { if case .open(.visit) = self { true } else { false } }
        /// Whether the path is only of hosts that serve Firebase or HOKO.
        var isCompatibility: Bool {
            switch self {
            case .hoko, .firebase: true
            default: false
            }
        }
        /// Whether orchestrators and Prometheus request it every few seconds.
        var isProbe: Bool {
            switch self {
            case .open(.health), .open(.readiness), .open(.metrics): true
            default: false
            }
        }
    }

    let method: Method
    let path: RoutePath
    /// Only available on the admin listener, if there is one.
    var isAdminOnly = false
    /// Whether the route supports `Idempotency-Key`; otherwise the field is ignored.
    var takesIdempotencyKey = false
    /// The rate limit of callers with an accepted key.
    var limit: CallerLimits.Kind?
    /// Whether pages of other origins may call it, if an application allows them.
    var isCrossOrigin = false
    /// Whether its responses may be compressed. Not if they may have a secret (metadata, keys, click IDs, sessions) beside a
    /// value that somebody else chose: the compressed length would reveal the secret byte by byte to an observer, even over
    /// TLS (the BREACH attack). Nor with a strong entity tag, which two codings can't share (RFC 9110 section 8.8.3.3).
    var isCompressible = false
    /// For its task.
    var executionHint = Reply.ExecutionHint.any
    let access: Access
    let description: RouteDescription
    /// The query parameters, in the order of the API document. Others are rejected, so that a misspelt filter does not
    /// list everything.
    var query: [String] = []
    /// Its index in `Site.requestRoutes`; 0 until it is assigned.
    var number = 0

    /// All patterns of the route in the router.
    var spellings: [[RouteSegment]] {
        if case .hoko = access { HokoRoute.spellings(of: path) } else { [path.segments] }
    }
}

/// What a request about the dashboard's session asks for.
enum SessionCall: Sendable {
    /// Starts, describes or ends it, by its method.
    case session
    /// Options for signing in with a passkey, for making one, and the new one.
    case signInOptions, passkeyOptions, newPasskey
    /// The way to a provider, and back.
    case providerSignIn, providerCallback
    /// A report that is shared by a link; needs no session.
    case sharedReport
}

/// Routes that need no key.
enum OpenRoute: Sendable, Hashable {
    case documentation, documentationIndex, documentationPage, documentationSearch, documentationStart
    case health, readiness, metrics, problems, openAPI, file, startPage, associationPage, referencePage
    case appleAssociation, assetLinks
    /// Files that crawlers and browsers request from every host.
    case rootFile
    /// The operator's files under the path reserved by RFC 8615.
    case wellKnown
    /// Challenges of certificate authorities.
    case acmeChallenge
    /// The root of a domain.
    case root
    case visit
    /// `/lazy?uri=`.
    case lazy
    case qrCode(QRCodeOrder.Format)

    /// Whether the route needs data that is unavailable until the store was read for the first time.
    var needsStore: Bool {
        switch self {
        case .visit, .lazy, .root, .qrCode, .appleAssociation, .assetLinks: true
        default: false
        }
    }
}

extension SiteRoute {
    static func api(
        _ method: Method, _ path: String, _ scope: KeyScope, orScope others: KeyScope..., query: [String] = [],
        body: Body = .none, idempotencyKey: Bool = false, adminOnly: Bool = false, compressible: Bool = false,
        limit: CallerLimits.Kind? = nil, crossOrigin: Bool = false, executionHint: Reply.ExecutionHint = .any,
        _ answer: @escaping @Sendable (Call, Site) async throws -> Response,
        _ operation: @autoclosure () -> APIOperation
    ) -> SiteRoute {
        SiteRoute(
            method: method, path: RoutePath(path), isAdminOnly: adminOnly, takesIdempotencyKey: idempotencyKey,
            limit: limit, isCrossOrigin: crossOrigin, isCompressible: compressible, executionHint: executionHint,
            access: .api(
                scopes: [scope] + others, body: body,
                // What apps report in masses has no entry in the audit.
                answer: method.isSafe || scope == .resolve ? answer : audited(answer)),
            description: RouteDescription(operation()), query: query)
    }

    /// Binds the caller, so that each change writes an entry in the audit.
    private static func audited(
        _ answer: @escaping @Sendable (Call, Site) async throws -> Response
    ) -> @Sendable (Call, Site) async throws -> Response {
        { call, site in
            try await AuditCall.$current.withValue(site.auditCall(call.key, call.peer)) {
                try await answer(call, site)
            }
        }
    }

    static func open(
        _ path: String, _ route: OpenRoute, adminOnly: Bool = false, compressible: Bool = false,
        _ operation: @autoclosure () -> APIOperation
    ) -> SiteRoute {
        SiteRoute(
            method: .get, path: RoutePath(path), isAdminOnly: adminOnly, isCompressible: compressible,
            access: .open(route), description: RouteDescription(operation()))
    }

    static func session(_ method: Method, _ operation: @autoclosure () -> APIOperation) -> SiteRoute {
        session(method, "/_/session", .session, operation())
    }

    static func session(
        _ method: Method, _ path: String, _ call: SessionCall, _ operation: @autoclosure () -> APIOperation
    ) -> SiteRoute {
        SiteRoute(
            method: method, path: RoutePath(path), isAdminOnly: true, access: .session(call),
            description: RouteDescription(operation()))
    }

    static func mcp(_ method: Method, _ operation: @autoclosure () -> APIOperation) -> SiteRoute {
        SiteRoute(
            method: method, path: RoutePath("/_/mcp"), isAdminOnly: true, access: .mcp,
            description: RouteDescription(operation()))
    }

    static func oauth(
        _ method: Method, _ path: String, _ call: OAuthCall, _ operation: @autoclosure () -> APIOperation
    ) -> SiteRoute {
        SiteRoute(
            method: method, path: RoutePath(path), isAdminOnly: true, access: .oauth(call),
            description: RouteDescription(operation()))
    }

    static func firebase(
        _ method: Method, _ path: String, _ call: FirebaseCall.Method, _ operation: @autoclosure () -> APIOperation
    ) -> SiteRoute {
        SiteRoute(
            method: method, path: RoutePath(path), access: .firebase(call), description: RouteDescription(operation()))
    }

    /// A file of the public folder.
    static func file(
        _ path: String, _ route: OpenRoute, adminOnly: Bool = false, _ operation: @autoclosure () -> APIOperation
    ) -> SiteRoute {
        open(path, route, adminOnly: adminOnly, compressible: true, operation())
    }
}
