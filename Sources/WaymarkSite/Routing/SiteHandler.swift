import WaymarkAPI
import WaymarkHTTP
import WaymarkServer
import WaymarkService
import WaymarkStores

/// Handles the requests of one event loop.
///
/// Isolation: confined to its loop's thread, like its caches.
final class SiteHandler: RequestHandler {
    private let site: Site
    let visits: VisitHandler
    /// Those of `visits`.
    private let cachedVisits: CachedVisits
    private let associations: AssociationTable
    private let ready: ResponseCache
    private let foreign: ForeignServices
    private var secureRedirect: HTTPSRedirect
    private(set) var route = 0
    let cachedRoute = Site.visitRoute

    init(_ site: Site) {
        self.site = site
        visits = VisitHandler(site)
        cachedVisits = visits.cached
        foreign = ForeignServices(site: site, visits: visits)
        associations = AssociationTable(site)
        ready = ResponseCache(site)
        secureRedirect = HTTPSRedirect(site)
    }

    func cachedResponse(
        to head: RequestHead, in bytes: Span<UInt8>, from peer: Peer
    ) -> Unmanaged<PreparedResponse>? {
        if peer.role == .redirect || peer.role == .owner { return nil }
        // The length of a path usually rules out a hit.
        // Safety: both caches keep the response until this loop changes them, which is after it was sent.
        return unsafe ready.answer(to: head, in: bytes) ?? cachedVisits.response(to: head, in: bytes, from: peer)
    }

    func respond(to head: RequestHead, in bytes: Span<UInt8>, from peer: Peer) -> Reply {
        route = 0
        if head.isAsteriskForm { return .now(.options) }
        let match = site.router.match(head.method, path: bytes.extracting(head.path.indices))
        if peer.role == .owner { return ownerReply(match, head, bytes, peer) }
        // Requests that a trusted proxy received over HTTPS must not be redirected, or they would loop.
        if peer.role == .redirect, !peer.isSecure {
            guard case .found(let route, let parameters) = match, case .open(let kind) = route.access,
                HTTPSRedirect.leavesAlone(kind)
            else { return .now(secureRedirect.response(to: head, in: bytes)) }
            self.route = route.number
            return open(kind, head, bytes, parameters, peer, isCompressible: route.isCompressible)
        }
        if PasswordVisit.isForm(head, bytes), let reply = passwordReply(match, head, bytes, peer) { return reply }
        switch match {
        case .found(let route, _) where route.access.isCompatibility && opensSlug(head, bytes):
            return slugPath(head, bytes, peer)
        case .methodNotAllowed where opensSlug(head, bytes): return slugPath(head, bytes, peer)
        case .notFound: return foreign.unroutedReply(head, bytes, peer) ?? slugPath(head, bytes, peer)
        case .methodNotAllowed(let allowed):
            if foreign.owns(allowed, head, bytes) {
                return .now(foreign.methodRefusal ?? nothing(head, bytes, peer))
            }
            if head.method == .options, let answer = CrossOrigin.preflight(head, bytes, site) { return .now(answer) }
            return .now(isHidden(allowed, head, bytes, peer) ? nothing(head, bytes, peer) : .methodNotAllowed(allowed))
        case .found(let route, let parameters):
            self.route = route.number
            if site.options.hasAdminListener, route.isAdminOnly, peer.role != .admin {
                return .now(nothing(head, bytes, peer))
            }
            switch route.access {
            case .api, .session, .mcp, .oauth:
                return site.respondToAPI(route, head, bytes, parameters, peer) ?? .now(nothing(head, bytes, peer))
            case .hoko, .firebase:
                return foreign.reply(route, head, bytes, parameters, peer) ?? .now(nothing(head, bytes, peer))
            case .open(let kind):
                return open(kind, head, bytes, parameters, peer, isCompressible: route.isCompressible)
            }
        }
    }

    /// A path that may be a smart link's, for which there is no route.
    private func slugPath(_ head: RequestHead, _ bytes: Span<UInt8>, _ peer: Peer) -> Reply {
        let path = SlugPath(
            head, bytes, takesExtraPath: visits.appendsExtraPaths(head, bytes),
            reservesCompatibility: visits.reservesCompatibility(head, bytes))
        guard let path else { return longLink(head, bytes, peer) ?? .now(nothing(head, bytes, peer)) }
        guard head.method == .get || head.method == .head else { return .now(.methodNotAllowed([.get, .head])) }
        route = Site.route(path.route)
        return open(path.route, head, bytes, [path.slug], peer, isCompressible: false)
    }

    /// A form that may have a link's password; nil for a path that is no link's.
    private func passwordReply(
        _ match: Router<SiteRoute>.Match, _ head: RequestHead, _ bytes: Span<UInt8>, _ peer: Peer
    ) -> Reply? {
        guard site.service.isLoaded else { return nil }
        let reservesCompatibility = visits.reservesCompatibility(head, bytes)
        if case .found(let own, _) = match, !own.access.isCompatibility || reservesCompatibility { return nil }
        let segment: String
        if case .found(let visit, let parameters) = site.router.match(
            .get, path: bytes.extracting(head.path.indices)), visit.access.isVisit
        {
            segment = parameters.first ?? ""
        } else if let path = SlugPath(
            head, bytes, takesExtraPath: visits.appendsExtraPaths(head, bytes),
            reservesCompatibility: reservesCompatibility), path.route == .visit
        {
            segment = path.slug
        } else {
            return nil
        }
        route = Site.visitRoute
        return visits.tryPassword(head, in: bytes, segment: segment, from: peer)
    }

    /// Whether a path of Firebase's or HOKO's calls is a slug's: a visit of a host that serves neither.
    private func opensSlug(_ head: RequestHead, _ bytes: Span<UInt8>) -> Bool {
        guard head.method == .get || head.method == .head else { return false }
        let path = bytes.extracting(head.path.indices)
        return (path.starts(with: "/v1/") || path.starts(with: "/v2/")) && !visits.reservesCompatibility(head, bytes)
    }

    /// Commands on this machine get the API, and nothing of what is for visitors and browsers.
    private func ownerReply(
        _ match: Router<SiteRoute>.Match, _ head: RequestHead, _ bytes: Span<UInt8>, _ peer: Peer
    ) -> Reply {
        guard case .found(let route, let parameters) = match else { return .now(.problem(Site.nowhere)) }
        self.route = route.number
        return site.respondToAPI(route, head, bytes, parameters, peer) ?? .now(.problem(Site.nowhere))
    }

    /// A long link whose path ends in a slash, which is not possible in a slug.
    private func longLink(_ head: RequestHead, _ bytes: Span<UInt8>, _ peer: Peer) -> Reply? {
        guard head.method == .get || head.method == .head, site.service.isLoaded,
            let reply = visits.longLink(head, bytes, from: peer)
        else { return nil }
        route = Site.visitRoute
        return reply
    }

    func refusal(_ status: Status, detail: StaticString) -> Response {
        ErrorResponses.response(status, detail: detail)
    }

    /// Whether a path is only for operators and the request came through another listener: then the response is 404 for
    /// all methods.
    private func isHidden(_ methods: [Method], _ head: RequestHead, _ bytes: Span<UInt8>, _ peer: Peer) -> Bool {
        let hidesAdmin = site.options.hasAdminListener && peer.role != .admin
        guard hidesAdmin || foreign.hidesPaths else { return false }
        return methods.allSatisfy { method in
            guard case .found(let route, _) = site.router.match(method, path: bytes.extracting(head.path.indices))
            else {
                return false
            }
            if case .firebase = route.access { return foreign.hidesPaths }
            return hidesAdmin && route.isAdminOnly
        }
    }

    private func open(
        _ kind: OpenRoute, _ head: RequestHead, _ bytes: Span<UInt8>, _ parameters: [String], _ peer: Peer,
        isCompressible: Bool
    ) -> Reply {
        let site = site
        if !site.service.isLoaded, kind.needsStore {
            return .now(VisitResponse.storeAway(as: ProblemFormat(head, bytes)))
        }
        if kind == .root, let reply = visits.longLink(head, bytes, from: peer) { return reply }
        switch kind {
        case .visit: return visits.respond(to: head, in: bytes, segment: parameters.first ?? "", from: peer)
        case .lazy:
            guard let visit = LazyVisit(head, bytes, from: peer, site) else {
                return visits.respond(to: head, in: bytes, segment: "lazy", from: peer)
            }
            // It may compare the URI with hundreds of templates.
            return .later { await visit.answer() }
        case .qrCode(let format):
            let visit = QRCodeVisit(format, head, bytes, segment: parameters.first ?? "", from: peer, site: site)
            if let seconds = site.callers.take(.qrCode, peer) {
                return .now(StatePage.rateLimited(retryAfter: seconds, as: visit.problemFormat))
            }
            return .later { await visit.answer() }
        case .appleAssociation: return association(.apple, head, bytes)
        case .assetLinks: return association(.assetLinks, head, bytes)
        case .health:
            let reply = Reply.now(Health.alive)
            ready.keep(reply, isGzipPreferred: false, head, bytes, route: route, ready.moment)
            return reply
        case .readiness: return readiness()
        case .metrics:
            let isGzipPreferred = isCompressible && CodingPreference(head, in: bytes).prefersGzip
            return .later(.shared) { await Metrics.rendered(site).response(isGzipPreferred: isGzipPreferred) }
        case .problems:
            let isJSON = MediaType.prefersJSON(head, bytes)
            return .now(isJSON ? ProblemsPage.json : ProblemsPage.page)
        case .documentation, .documentationIndex, .documentationPage, .documentationSearch, .documentationStart:
            return DocumentRoute(site: site).respond(
                kind, parameters.first, isCompressible: isCompressible, to: head, in: bytes)
        case .acmeChallenge:
            return ChallengeRoute(site: site).respond(parameters.first ?? "", to: head, in: bytes, from: peer)
        case .root: return .now(rootPage(head, bytes) ?? nothing(head, bytes, peer))
        case .startPage, .associationPage, .referencePage, .file, .openAPI, .rootFile, .wellKnown:
            return FileRoute(site: site, isCompressible: isCompressible).respond(kind, to: head, in: bytes, from: peer)
        }
    }

    private func readiness() -> Reply {
        guard site.mayBeReady else { return .now(Health.notReady) }
        if let failure = site.readiness.current { return .now(Health.response(failure)) }
        return .later(.shared) { [site] in Health.response(await site.storeFailure()) }
    }

    /// The root of a domain, for which its application may have a redirect; nil if it has none.
    private func rootPage(_ head: RequestHead, _ bytes: Span<UInt8>) -> Response? {
        guard !MediaType.prefersJSON(head, bytes), let host = VisitHost.name(head, bytes) else {
            return nil
        }
        return VisitResponse.root(site.service.applications.directory.current.applications(at: host).map(\.application))
    }

    private func association(
        _ name: AssociationFileName, _ head: RequestHead, _ bytes: Span<UInt8>
    ) -> Reply {
        let moment = ready.moment
        switch associations.answer(name, head, bytes) {
        case .none(let response):
            note(name, response.status, tag: "", head, bytes)
            return .now(response)
        case .file(let answer):
            note(name, answer.plain.status, tag: answer.tag, head, bytes)
            let isGzipPreferred = CodingPreference(head, in: bytes).prefersGzip
            let reply = answer.reply(isGzipPreferred: isGzipPreferred, site.compression)
            ready.keep(reply, isGzipPreferred: isGzipPreferred, head, bytes, route: route, moment)
            return reply
        }
    }

    /// Notes a fetch by Apple or Google, whose requests are never answered from a cache.
    private func note(
        _ name: AssociationFileName, _ status: Status, tag: String, _ head: RequestHead, _ bytes: Span<UInt8>
    ) {
        guard head.method == .get, let fetcher = AssociationFetcher(head, in: bytes),
            let host = VisitHost.name(head, bytes)
        else { return }
        site.observer.note(name, of: host, by: fetcher, status: Int(status.code), tag: tag)
    }

    /// The response if no route matches: JSON for programs, a page for people.
    private func nothing(_ head: RequestHead, _ bytes: Span<UInt8>, _ peer: Peer) -> Response {
        let path = bytes.extracting(head.path.indices)
        let format = path.starts(with: "/api/") || !head.method.isSafe ? .json : ProblemFormat(head, bytes)
        if path.count == 1 {
            let offersDashboard =
                PlainSignIn.isOnThisMachine(head, bytes, peer)
                && (!site.options.hasAdminListener || peer.role == .admin)
            let directory = site.service.applications.directory.current
            if let host = VisitHost.name(head, bytes), offersDashboard || directory.lookup(at: host) != nil {
                let owner = PageOwner(
                    directory.applications(at: host).map(\.application), sha256: site.service.dependencies.sha256)
                return RootPage.response(of: owner, offersDashboard: offersDashboard, as: format)
            }
        }
        return StatePage.response(Site.nowhere, as: format)
    }
}

extension Span<UInt8> {
    fileprivate func starts(with prefix: StaticString) -> Bool {
        let prefix = String(describing: prefix).utf8
        guard count >= prefix.count else { return false }
        var position = 0
        for byte in prefix {
            if self[position] != byte { return false }
            position += 1
        }
        return true
    }
}
