import WaymarkHTTP
import WaymarkServer
import WaymarkService

/// The calls of other services, which apps make that still have their SDKs: the only door from requests to Firebase Dynamic
/// Links and HOKO. Their paths exist only if an application serves them.
///
/// Isolation: confined to its loop's thread.
struct ForeignServices {
    let site: Site
    let visits: VisitHandler

    /// Whether no application serves Firebase, whose paths then don't exist.
    var hidesPaths: Bool { !visits.servesFirebase }

    /// The reply to a call that has a route; nil if no application serves it.
    func reply(
        _ route: SiteRoute, _ head: RequestHead, _ bytes: Span<UInt8>, _ parameters: [String], _ peer: Peer
    ) -> Reply? {
        switch route.access {
        case .hoko(let scope, let answer):
            guard HokoRoute.isServed(site) else { return nil }
            if !site.service.isLoaded || site.service.storeHealth.isAway {
                return .now(HokoError.storeUnavailable.response)
            }
            return HokoRoute(site: site, route: route, scope: scope, answer: answer)
                .respond(to: head, in: bytes, parameters: parameters, from: peer)
        case .firebase(let method):
            return visits.servesFirebase ? firebase(method, head, bytes, parameters.first ?? "", peer) : nil
        case .api, .session, .mcp, .oauth, .open: return nil
        }
    }

    /// The reply to a call whose path has no route: statistics of a link that is in the path as it is.
    func unroutedReply(_ head: RequestHead, _ bytes: Span<UInt8>, _ peer: Peer) -> Reply? {
        guard visits.servesFirebase, let link = FirebaseRoute.rawLink(head, bytes) else { return nil }
        guard head.method == .get || head.method == .head else { return .now(.methodNotAllowed([.get, .head])) }
        return firebase(.linkStatistics, head, bytes, link, peer)
    }

    /// Whether a path that has routes for other methods is one of HOKO's, which has its own form of errors.
    func owns(_ methods: [Method], _ head: RequestHead, _ bytes: Span<UInt8>) -> Bool {
        methods.contains { method in
            guard case .found(let route, _) = site.router.match(method, path: bytes.extracting(head.path.indices)),
                case .hoko = route.access
            else { return false }
            return true
        }
    }

    /// For a method that such a path does not have; nil if no application serves HOKO.
    var methodRefusal: Response? { HokoRoute.isServed(site) ? HokoError(.unsupportedMethod).response : nil }

    private func firebase(
        _ method: FirebaseCall.Method, _ head: RequestHead, _ bytes: Span<UInt8>, _ link: String, _ peer: Peer
    ) -> Reply {
        // Matches that were already made can be returned again.
        if site.service.storeHealth.isAway, method != .installAttribution {
            return .now(FirebaseError.storeAway.response)
        }
        return FirebaseRoute(site: site, method: method).respond(to: head, in: bytes, pathLink: link, from: peer)
    }
}
