import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkStores

/// One line of the route table: a method at a path, who may come, and what answers.
struct SiteRoute: Sendable {
    /// What an API route takes as its body.
    enum Body: Sendable, Equatable {
        case none
        case json(limit: Int)
        /// JSON, also under the name of a merge patch (RFC 7396).
        case mergePatch

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
            case .mergePatch: Self.usualLimit
            }
        }
    }

    enum Access: Sendable {
        /// Needs a key of this scope; runs as a task.
        case api(scope: KeyScope, body: Body, answer: @Sendable (Call, Site) async throws -> Response)
        /// HOKO's API: needs a key with this scope and a platform; runs as a task.
        case hoko(scope: KeyScope, answer: HokoRoute.Handler)
        /// Open to everyone, and begun on the event loop's thread.
        case open(OpenRoute)
        /// Google's API for Firebase Dynamic Links; there is no such path where no application serves them.
        case firebase(FirebaseCall.Method)

        var isVisit: Bool { if case .open(.visit) = self { true } else { false } }
    }

    let method: Method
    let path: RoutePath
    /// Answers on the admin listener only, where there is one.
    var isAdminOnly = false
    /// Whether an `Idempotency-Key` means anything here; elsewhere the field is not looked at.
    var takesIdempotencyKey = false
    /// What its callers are held to, once their key is accepted.
    var limit: CallerLimits.Kind?
    /// Whether pages of other origins may call it, where an application names them.
    var isCrossOrigin = false
    /// Whether its answers may be sent compressed. Only what is public and the same whoever asks: where an answer holds a
    /// secret beside something that the asker chose (metadata, keys, click ids beside a query), its compressed length
    /// tells the secret byte by byte to whoever can watch it (the attack called BREACH), through TLS too.
    var isCompressible = false
    /// Of its task.
    var executionHint = Reply.ExecutionHint.any
    let access: Access
    /// Every status that it can answer with, besides what the server refuses by itself.
    let statuses: Set<Int>
    /// The parameters that its query may have, in the order of the API document. Others are refused, so that a filter
    /// with a typing error never lists everything.
    var query: [String] = []
    /// Its place among `Site.requestRoutes`; 0 while it has none.
    var number = 0

    /// Every pattern of the route in the router.
    var spellings: [[RouteSegment]] {
        if case .hoko = access { HokoRoute.spellings(of: path) } else { [path.segments] }
    }
}

/// What answers without a key.
enum OpenRoute: Sendable, Hashable {
    case health, readiness, metrics, problems, openAPI, file, startPage, associationPage
    case appleAssociation, assetLinks
    /// Files that crawlers and browsers ask every host for.
    case rootFile
    /// Files of one's own at the places that RFC 8615 keeps for them.
    case wellKnown
    /// A domain without a path.
    case root
    case visit
    /// `/lazy?uri=`.
    case lazy
    case qrCode(QRCodeOrder.Format)

    /// Whether nothing can be said before the store was read for the first time.
    var needsStore: Bool {
        switch self {
        case .visit, .lazy, .root, .qrCode, .appleAssociation, .assetLinks: true
        default: false
        }
    }
}

extension SiteRoute {
    static func api(
        _ method: Method, _ path: String, _ scope: KeyScope, query: [String] = [], body: Body = .none,
        idempotencyKey: Bool = false,
        adminOnly: Bool = false, limit: CallerLimits.Kind? = nil, crossOrigin: Bool = false,
        executionHint: Reply.ExecutionHint = .any, _ statuses: Set<Int>,
        _ answer: @escaping @Sendable (Call, Site) async throws -> Response
    ) -> SiteRoute {
        SiteRoute(
            method: method, path: RoutePath(path), isAdminOnly: adminOnly, takesIdempotencyKey: idempotencyKey,
            limit: limit, isCrossOrigin: crossOrigin, executionHint: executionHint,
            access: .api(scope: scope, body: body, answer: answer),
            statuses: statuses.union(Self.statuses(of: body)), query: query)
    }

    static func open(
        _ path: String, _ route: OpenRoute, adminOnly: Bool = false, compressible: Bool = false, _ statuses: Set<Int>
    ) -> SiteRoute {
        SiteRoute(
            method: .get, path: RoutePath(path), isAdminOnly: adminOnly, isCompressible: compressible,
            access: .open(route), statuses: statuses)
    }

    static func firebase(
        _ method: Method, _ path: String, _ call: FirebaseCall.Method, _ statuses: Set<Int> = []
    ) -> SiteRoute {
        SiteRoute(
            method: method, path: RoutePath(path), access: .firebase(call),
            statuses: statuses.union([200, 400, 401, 403, 404, 429, 500, 503]).union(call.hasBody ? [413] : []))
    }

    /// A file of the public folder.
    static func file(_ path: String, _ route: OpenRoute, adminOnly: Bool = false) -> SiteRoute {
        // Only what may be a folder is ever moved to its slash.
        let statuses: Set<Int> = [200, 206, 304, 404, 412, 416, 503]
        return open(
            path, route, adminOnly: adminOnly, compressible: true,
            path.hasSuffix("}") ? statuses.union([301]) : statuses)
    }

    /// What every route of the kind can come to: no key, too many requests without one, a key of too small a scope, an
    /// unknown query parameter, a store that fails; a body that is no JSON, is too large, of another type, or has invalid
    /// fields.
    private static func statuses(of body: Body) -> Set<Int> {
        body == .none ? [401, 403, 422, 429, 500, 503] : [400, 401, 403, 413, 415, 422, 429, 500, 503]
    }
}
