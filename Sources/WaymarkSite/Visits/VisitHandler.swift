import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkMetrics
import WaymarkServer
import WaymarkService

/// Handles browsers' visits of smart links.
///
/// Three stages, each for the visits that the previous one can't handle: a cached response (`CachedVisits`), a decision on
/// the event loop's thread for links in memory, and the store.
///
/// Isolation: confined to the thread of its event loop.
final class VisitHandler {
    private let site: Site
    private var directory: PublishedView<ApplicationDirectory>
    let cached: CachedVisits
    private let longLinks = LongLinkCache()

    init(_ site: Site) {
        self.site = site
        directory = PublishedView(site.service.applications.directory)
        cached = CachedVisits(site)
    }

    // MARK: Long links

    /// Whether an application serves Firebase Dynamic Links; takes no lock.
    var servesFirebase: Bool { directory.current().servesFirebase }

    /// Nil if the request is not for a long link. A path that may be a slug's is asked for that first.
    func longLink(_ head: RequestHead, _ bytes: Span<UInt8>, from peer: Peer) -> Reply? {
        guard let range = head.query, directory.current().servesLongLinks else { return nil }
        let (path, query) = (head.path.text(in: bytes), range.text(in: bytes))
        guard FirebaseQuery.isLongLink(query) || BranchQuery.isLongLink(path, query),
            let host = VisitHost.name(head, bytes)
        else { return nil }
        let (lookup, wasKnown, generation) = longLinks.link(at: host, path: path, query: query, site.service)
        if case .notServed = lookup { return nil }
        let visit = Visit(
            head, bytes, segment: "", from: peer, Visit.visitorClass(head, bytes, cached.classes),
            countryField: site.options.countryField, countries: site.service.countries)
        let outcome = LongLinkVisit.outcome(of: visit, lookup, site, clickID: cached.mint)
        let response = longLinkResponse(to: outcome)
        // Only with its second visit: many are visited once, with a parameter of the visitor's own.
        if wasKnown, case .decided(let visited, let link, let number?) = outcome {
            cached.keep(response, of: visited, link, number: number, generation: generation, head, bytes)
        }
        return .now(response)
    }

    private func longLinkResponse(to outcome: LongLinkVisit.Outcome) -> Response {
        LongLinkVisit.response(to: outcome) {
            cached.longLinkClicks.addAlone(1, at: 0)
        } recording: {
            cached.clicks.record($0)
        }
    }

    /// Behind a prefix that is no slug.
    private func longLink(_ visit: Visit, at host: HostName, _ prefix: Slug) -> Response? {
        guard let query = visit.visitor.query, directory.current().servesLongLinks else { return nil }
        let lookup = longLinks.link(at: host, path: "/" + prefix.encoded, query: query, site.service).lookup
        if case .notServed = lookup { return nil }
        return longLinkResponse(to: LongLinkVisit.outcome(of: visit, lookup, site, clickID: cached.mint))
    }

    // MARK: Links in memory

    /// - Parameter segment: the only segment of the path, decoded.
    func respond(to head: RequestHead, in bytes: Span<UInt8>, segment: String, from peer: Peer) -> Reply {
        let visit = Visit(
            head, bytes, segment: segment, from: peer, Visit.visitorClass(head, bytes, cached.classes),
            countryField: site.options.countryField, countries: site.service.countries)
        if let query = visit.visitor.query, ClickQuery.holdsControlCharacters(query) {
            return .now(VisitResponse.badQuery(as: visit.problemFormat))
        }
        guard let host = visit.host else { return .now(VisitResponse.unknownHost(as: visit.problemFormat)) }
        let directory = directory.current()
        if let path = Self.furtherPath(head, bytes, at: host, directory), !isInMemory(visit.slug, at: host, directory) {
            if let seconds = site.callers.refuseLookup(peer) {
                return .now(StatePage.rateLimited(retryAfter: seconds, as: visit.problemFormat))
            }
            let site = site
            return .later(.onEventLoop) { await StoredVisit.response(to: visit, at: host, path, site) }
        }
        guard let slug = visit.slug else {
            guard directory.lookup(at: host) != nil else {
                let isUnreadable = directory.isUnreadable(host)
                return .now(
                    isUnreadable
                        ? VisitResponse.storeAway(as: visit.problemFormat)
                        : VisitResponse.unknownHost(as: visit.problemFormat))
            }
            let applications = directory.applications(at: host).map(\.application)
            return .now(VisitResponse.unknown(applications, to: visit, at: site))
        }
        guard let lookup = site.service.cached(at: host, slug: slug, in: directory) else {
            if let seconds = site.callers.refuseLookup(peer) {
                return .now(StatePage.rateLimited(retryAfter: seconds, as: visit.problemFormat))
            }
            let site = site
            return .later(.onEventLoop) { await StoredVisit(site: site, visit: visit, host: host, slug: slug).answer() }
        }
        switch lookup {
        case .unknownHost: return .now(VisitResponse.unknownHost(as: visit.problemFormat))
        case .unknownSlug(let served):
            return .now(longLink(visit, at: host, slug) ?? visit.unknown(at: host, slug, served, site))
        case .found(let link, let atOpenHost):
            return decide(visit, link, atOpenHost: atOpenHost, host: host, slug: slug, head, bytes)
        }
    }

    /// A form with a link's password.
    ///
    /// - Parameter segment: as for visits.
    func tryPassword(_ head: RequestHead, in bytes: Span<UInt8>, segment: String, from peer: Peer) -> Reply {
        let visit = Visit(
            head, bytes, segment: segment, from: peer, Visit.visitorClass(head, bytes, cached.classes),
            countryField: site.options.countryField, countries: site.service.countries)
        if let query = visit.visitor.query, ClickQuery.holdsControlCharacters(query) {
            return .now(VisitResponse.badQuery(as: visit.problemFormat))
        }
        guard let host = visit.host else { return .now(VisitResponse.unknownHost(as: visit.problemFormat)) }
        let attempt = PasswordVisit(
            site: site, visit: visit, host: host, slug: visit.slug,
            path: Self.furtherPath(head, bytes, at: host, directory.current()),
            isOwn: PasswordVisit.isOwn(head, bytes))
        guard attempt.slug != nil || attempt.path != nil else { return .now(.methodNotAllowed([.get, .head])) }
        return .body(limit: PasswordVisit.bodyLimit) { await attempt.answer($0) }
    }

    /// Whether an application of the requested host appends paths behind slugs; takes no lock.
    func appendsExtraPaths(_ head: RequestHead, _ bytes: Span<UInt8>) -> Bool {
        let directory = directory.current()
        guard directory.appendsExtraPaths, let host = VisitHost.name(head, bytes) else { return false }
        return directory.appendsExtraPaths(at: host)
    }

    /// Whether paths of Firebase's and HOKO's calls are none of links at the requested host; takes no lock.
    func reservesCompatibility(_ head: RequestHead, _ bytes: Span<UInt8>) -> Bool {
        VisitHost.name(head, bytes).map { directory.current().reservesCompatibility(at: $0) } ?? true
    }

    private func isInMemory(_ slug: Slug?, at host: HostName, _ directory: ApplicationDirectory) -> Bool {
        guard let slug, case .found? = site.service.cached(at: host, slug: slug, in: directory) else { return false }
        return true
    }

    /// A path with several segments on a host that appends them; nil for all other visits.
    private static func furtherPath(
        _ head: RequestHead, _ bytes: Span<UInt8>, at host: HostName, _ directory: ApplicationDirectory
    ) -> OpenedPath.Target? {
        guard directory.appendsExtraPaths(at: host) else { return nil }
        let path = head.path.text(in: bytes).dropFirst()
        return path.contains("/") ? OpenedPath.Target(path) : nil
    }

    private func decide(
        _ visit: Visit, _ link: CachedLink, atOpenHost: Bool, host: HostName, slug: Slug, _ head: RequestHead,
        _ bytes: Span<UInt8>
    ) -> Reply {
        guard let visited = DecidedVisit(visit, link, atOpenHost: atOpenHost, site, clickID: cached.mint) else {
            return .now(VisitResponse.storeAway(as: visit.problemFormat))
        }
        if visited.decision.counts, let quota = link.quota {
            // Only the store knows whether a click is left, if none is taken.
            switch visited.decision.spendsLimit ? quota.admitAtOnce(at: visited.now) : nil {
            case .admitted: break
            case .exhausted: return .now(visited.exhausted)
            // No click is reserved, or the link has changed: the store must be asked, which may wait.
            case .changed, nil:
                let site = site
                return .later(.onEventLoop) {
                    await StoredVisit(site: site, visit: visit, host: host, slug: slug).answer()
                }
            }
        }
        let response = visited.response { cached.clicks.record($0) }
        if !atOpenHost, visited.isKept {
            cached.keep(response, of: visited, link, head, bytes, from: visit.peer)
        }
        return .now(response)
    }
}
