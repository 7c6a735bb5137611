import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService

/// Handles browsers' visits of smart links.
///
/// Three stages, each for the visits that the previous one can't handle: a cached response (`cachedResponse`), a
/// decision on the event loop's thread for links in memory, and the store.
///
/// Isolation: confined to the thread of its event loop.
final class VisitHandler {
    private let site: Site
    private var directory: PublishedView<ApplicationDirectory>
    /// In bytes. A longer page would take the space of many links.
    private static let bodyLimit = 16_384
    private let answers: VisitCache
    private let classes = VisitorClassCache()
    private let memory = ClickTraits.Memory()
    private let countryField: HeaderName?
    private let coarseNow: @Sendable () -> Timestamp
    /// Lazy, because without the store its secret is not known at startup.
    private lazy var mint = site.service.makeClickIDMint()
    private let clicks: ClickBuffer
    private let longLinks = LongLinkCache()

    init(_ site: Site) {
        self.site = site
        directory = PublishedView(site.service.applications.directory)
        answers = VisitCache(byteLimit: site.options.visitCacheBytes)
        clicks = site.service.clicks.makeBuffer()
        countryField = site.options.countryField
        coarseNow = site.service.dependencies.coarseNow
    }

    // MARK: Cached responses

    /// The cached response to an equal visit; nil if it must be decided. Borrowed until the next call of this object.
    func cachedResponse(
        to head: RequestHead, in bytes: Span<UInt8>, from peer: Peer
    ) -> Unmanaged<PreparedResponse>? {
        let method = head.method
        guard method == .get || method == .head, head.query == nil, !head.isPathEncoded, !Visit.isPrefetch(head) else {
            return nil
        }
        let kind = Visit.visitorClass(head, bytes, classes)
        guard let slot = kind.slot, let entry = entry(slot: slot, head, bytes) else { return nil }
        let now = coarseNow()
        guard entry.isValid(at: now) else { return nil }
        if entry.carriesClickID {
            entry.carry(mint.make(for: entry.link, now: now, counted: method == .get && kind.bot == nil))
        }
        if method == .get {
            clicks.record(
                Click(
                    link: entry.link, time: now, kind: kind, destination: entry.destination,
                    isProfiled: !VisitDetails.asksNotToBeFollowed(head, bytes),
                    country: countryField == nil ? nil : VisitDetails.country(countryField, head, bytes, from: peer),
                    language: memory.language(head, bytes), referrerHost: memory.referrerHost(head, bytes),
                    campaign: entry.campaign, subscriber: peer.subscriberNumber))
        }
        // Safety: the cache keeps the entry's response until this loop changes it, which is after it was sent.
        return unsafe .passUnretained(entry.response)
    }

    @inline(__always)
    private func entry(slot: Int, _ head: RequestHead, _ bytes: Span<UInt8>) -> VisitEntry? {
        let tag = answers.tag(bytes, head.host, head.path)
        let entry = answers.entry(tag, slot: slot, bytes, head.host, head.path)
        if let entry, entry.language == nil { return entry }
        return page(entry, tag, slot: slot, head, bytes)
    }

    /// The cached page in the visitor's language. Not inlined, because only pages need it.
    ///
    /// - Parameter english: the entry for the tag of host and path.
    @inline(never)
    private func page(
        _ english: VisitEntry?, _ tag: UInt32, slot: Int, _ head: RequestHead, _ bytes: Span<UInt8>
    ) -> VisitEntry? {
        let language = memory.pageLanguage(head, bytes)
        if language == .english { return english }
        let entry = answers.entry(VisitCache.tag(tag, in: language), slot: slot, bytes, head.host, head.path)
        return entry?.language == language ? entry : nil
    }

    /// Caches a response that is the same for all visitors of the class, whatever else they send, except for the click
    /// ID.
    ///
    /// - Parameter language: the language of a page; nil for a redirect, which is the same in all languages.
    private func keep(
        _ response: Response, in language: PageLanguage?, of decision: VisitDecision, _ cached: CachedLink,
        _ head: RequestHead,
        _ bytes: Span<UInt8>, now: Timestamp
    ) {
        let body: [UInt8]
        switch response.body {
        case .none: body = []
        case .bytes(let bytes) where bytes.count <= Self.bodyLimit: body = bytes
        default: return
        }
        // Quotas must be checked for each visit.
        guard let kind = decision.resolution.clickDestination, cached.quota == nil, !cached.isStale,
            head.query == nil, !head.isPathEncoded,
            // Rules depend on more than the class.
            cached.link.content.rules.isEmpty, cached.application.application.rules.isEmpty,
            !cached.application.application.leadsToGalaxyStore,
            // The placeholder can't be distinguished from other text of the response.
            decision.clickID != .placeholder, let slot = Visit.visitorClass(head, bytes, classes).slot
        else { return }
        let tag = VisitCache.tag(answers.tag(bytes, head.host, head.path), in: language ?? .english)
        let isShared = answers.share(
            response.status, response.fields, body: body, clickID: decision.clickID, to: kind, tag, slot: slot, bytes,
            head.host, head.path, now: now)
        if isShared { return }
        answers.insert(
            VisitEntry(
                response.status, response.fields, body: body, clickID: decision.clickID, to: kind,
                key: VisitCache.key(bytes, head.host, head.path), hostCount: head.host.count, cached: cached,
                language: language,
                valid: (cached.link.lastTransition(before: now), cached.link.nextTransition(after: now))),
            tag, slot: slot)
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
        let lookup = longLinks.link(at: host, path: path, query: query, site.service)
        if case .notServed = lookup { return nil }
        let visit = Visit(
            head, bytes, segment: "", from: peer, Visit.visitorClass(head, bytes, classes),
            countryField: site.options.countryField, countries: site.service.countries)
        let decided = LongLinkVisit.response(to: visit, lookup, site, clickID: &mint) { clicks.record($0) }
        return .now(decided)
    }

    /// Behind a prefix that is no slug.
    private func longLink(_ visit: Visit, at host: HostName, _ prefix: Slug) -> Response? {
        guard let query = visit.visitor.query, directory.current().servesLongLinks else { return nil }
        let lookup = longLinks.link(at: host, path: "/" + prefix.encoded, query: query, site.service)
        if case .notServed = lookup { return nil }
        return LongLinkVisit.response(to: visit, lookup, site, clickID: &mint) { clicks.record($0) }
    }

    // MARK: Links in memory

    /// - Parameter segment: the only segment of the path, decoded.
    func respond(to head: RequestHead, in bytes: Span<UInt8>, segment: String, from peer: Peer) -> Reply {
        let visit = Visit(
            head, bytes, segment: segment, from: peer, Visit.visitorClass(head, bytes, classes),
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
        case .found(let cached, let atOpenHost):
            return decide(visit, cached, atOpenHost: atOpenHost, host: host, slug: slug, head, bytes)
        }
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
        _ visit: Visit, _ cached: CachedLink, atOpenHost: Bool, host: HostName, slug: Slug, _ head: RequestHead,
        _ bytes: Span<UInt8>
    ) -> Reply {
        guard let visited = DecidedVisit(visit, cached, atOpenHost: atOpenHost, site, clickID: &mint) else {
            return .now(VisitResponse.storeAway(as: visit.problemFormat))
        }
        if visited.decision.counts, let quota = cached.quota {
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
        let response = visited.response { clicks.record($0) }
        if !atOpenHost, !visit.visitor.isPrefetch, !visit.showsOnly {
            let language = visited.decision.resolution.isRedirect ? nil : visit.pageLanguage
            keep(response, in: language, of: visited.decision, cached, head, bytes, now: visited.now)
        }
        return .now(response)
    }
}
