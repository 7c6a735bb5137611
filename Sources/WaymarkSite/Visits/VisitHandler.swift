import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

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
    private lazy var ruleMemory = RuleMemory()
    /// Lazy, as `mint` is.
    private lazy var visitorNumbers = site.service.visitorNumbers
    private let noRules = RuleList.none
    /// Of applications with rules: those that this loop copied.
    private var applicationRules: [ApplicationID: (application: ServedApplication, rules: RuleList)] = [:]
    /// The response to a visit with a query, until the next one.
    private let composed = PreparedResponse.makeRoom(16_384)
    private var parameters: [UInt8] = []

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
        guard method == .get || method == .head, !head.isPathEncoded, !Visit.isPrefetch(head) else { return nil }
        let kind = Visit.visitorClass(head, bytes, classes)
        let now = coarseNow()
        guard let slot = kind.slot, let entry = entry(slot: slot, head, bytes, kind, peer, now), entry.isValid(at: now)
        else { return nil }
        if head.query == nil, entry.quota == nil {
            record(kind, of: entry, campaign: entry.campaign, head, bytes, peer, now)
            // Safety: the cache keeps the entry's response until this loop changes it, which is after it was sent.
            return unsafe .passUnretained(entry.response)
        }
        return unsafe specialResponse(kind, of: entry, head, bytes, peer, now)
    }

    /// Writes the click ID of a visit into the cached response, and records the click.
    @inline(__always)
    private func record(
        _ kind: VisitorClass, of entry: VisitEntry, campaign: Click.Name?, _ head: RequestHead, _ bytes: Span<UInt8>,
        _ peer: Peer, _ now: Timestamp
    ) {
        if entry.carriesClickID {
            entry.carry(mint.make(for: entry.link, now: now, counted: head.method == .get && kind.bot == nil))
        }
        guard head.method == .get else { return }
        clicks.record(
            Click(
                link: entry.link, time: now, kind: kind, destination: entry.destination,
                isProfiled: !VisitDetails.asksNotToBeFollowed(head, bytes),
                country: countryField == nil ? nil : VisitDetails.country(countryField, head, bytes, from: peer),
                language: memory.language(head, bytes), referrerHost: memory.referrerHost(head, bytes),
                campaign: campaign, subscriber: peer.subscriberNumber))
    }

    /// The response to a visit with a query, or of a link with `maxClicks`; nil if the visit must be decided. Not inlined, so
    /// that other visits don't pay for it.
    @inline(never)
    private func specialResponse(
        _ kind: VisitorClass, of entry: VisitEntry, _ head: RequestHead, _ bytes: Span<UInt8>, _ peer: Peer,
        _ now: Timestamp
    ) -> Unmanaged<PreparedResponse>? {
        var (response, campaign) = (entry.response, entry.campaign)
        if let range = head.query {
            guard let prepared = prepared(entry, bytes.extracting(range.indices)) else { return nil }
            (response, campaign) = prepared
        }
        if let quota = entry.quota {
            let counts = head.method == .get && kind.bot == nil && !Visit.isNameless(head, bytes)
            // The store must be asked otherwise.
            guard counts, !site.service.storeHealth.isAway, quota.take() else { return nil }
        }
        record(kind, of: entry, campaign: campaign, head, bytes, peer, now)
        // Safety: the cache keeps the entry's response until this loop changes it, which is after it was sent, and this
        // object keeps the composed one.
        return unsafe .passUnretained(response)
    }

    @inline(__always)
    private func entry(
        slot: Int, _ head: RequestHead, _ bytes: Span<UInt8>, _ kind: VisitorClass, _ peer: Peer, _ now: Timestamp
    ) -> VisitEntry? {
        let tag = answers.tag(bytes, head.host, head.path)
        let entry = answers.entry(tag, slot: slot, bytes, head.host, head.path)
        if let entry {
            if entry.isForAll { return entry }
            if let rules = entry.rules { return chosen(entry, rules, tag, slot: slot, head, bytes, kind, peer, now) }
        }
        return page(entry, tag, slot: slot, head, bytes)
    }

    /// The cached redirect of the rules that the visitor matches. Not inlined, because few links have rules.
    ///
    /// - Parameter any: an entry of the link, whose rules decide.
    @inline(never)
    private func chosen(
        _ any: VisitEntry, _ rules: RuleSelector, _ tag: UInt32, slot: Int, _ head: RequestHead, _ bytes: Span<UInt8>,
        _ kind: VisitorClass, _ peer: Peer, _ now: Timestamp
    ) -> VisitEntry? {
        let choice = rules.choice(visitor(kind, rules.looksAt, head, bytes, peer), at: now)
        if any.choice == choice { return any }
        let entry = answers.entry(VisitCache.tag(tag, of: choice), slot: slot, bytes, head.host, head.path)
        return entry?.choice == choice ? entry : nil
    }

    /// A visitor as far as rules look at one.
    private func visitor(
        _ kind: VisitorClass, _ fields: RuleFields, _ head: RequestHead, _ bytes: Span<UInt8>, _ peer: Peer
    ) -> Visitor {
        var visitor = Visitor(kind)
        if fields.contains(.language) { visitor.language = ruleMemory.language(head, bytes) }
        if fields.contains(.country) {
            let country =
                VisitDetails.country(countryField, head, bytes, from: peer)
                ?? site.service.countries.current?(peer.subscriberNumber)
            visitor.country = country?.text
        }
        if fields.contains(.referrer) {
            let referrer = ruleMemory.referrer(head, bytes)
            (visitor.referrerHost, visitor.referrerApp) = (referrer.host, referrer.app)
        }
        if fields.contains(.number) {
            let userAgent = head.value(.userAgent)?.copy(of: bytes) ?? []
            visitor.number = visitorNumbers?.number(peer.subscriber.addressBits, userAgent: userAgent) ?? 0
        }
        return visitor
    }

    /// The response to a visit with a query, and the campaign of its click; nil if the visit must be decided.
    private func prepared(
        _ entry: VisitEntry, _ query: Span<UInt8>
    ) -> (response: PreparedResponse, campaign: Click.Name?)? {
        guard case .insertion(let prepared) = entry.query, let plain = PlainQuery(query),
            entry.compose(plain, query, in: composed, &parameters)
        else { return nil }
        guard prepared.namesCampaign, let range = plain.campaign else { return (composed, entry.campaign) }
        return (composed, memory.campaign(query.extracting(range)) ?? entry.campaign)
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

    /// Caches a response that is the same for all visitors of the class, whatever else they send, except for what rules
    /// look at, the query and the click ID.
    private func keep(
        _ response: Response, of visited: DecidedVisit, _ cached: CachedLink, _ head: RequestHead, _ bytes: Span<UInt8>,
        from peer: Peer
    ) {
        let (decision, now) = (visited.decision, visited.now)
        guard let kind = decision.resolution.clickDestination, !cached.isStale, !head.isPathEncoded,
            // Each visit must spend a click.
            cached.quota == nil || decision.spendsLimit,
            !cached.application.application.leadsToGalaxyStore,
            // The placeholder can't be distinguished from other text of the response.
            decision.clickID != .placeholder
        else { return }
        let visitor = Visit.visitorClass(head, bytes, classes)
        guard let slot = visitor.slot else { return }
        let language = decision.resolution.isRedirect ? nil : visited.pageLanguage
        let ownTag = answers.tag(bytes, head.host, head.path)
        var tag = VisitCache.tag(ownTag, in: language ?? .english)
        var rules: (selector: RuleSelector, choice: RuleSelector.Choice)?
        if cached.hasRules {
            // Pages show where other devices get to, which other rules decide.
            guard decision.resolution.isRedirect, !cached.rulesAskForQuery, head.query == nil || visited.mayPlaceQuery
            else { return }
            let known = answers.entry(ownTag, slot: slot, bytes, head.host, head.path)
            guard let selector = known?.rules ?? selector(cached) else { return }
            let choice = selector.choice(self.visitor(visitor, selector.looksAt, head, bytes, peer), at: now)
            rules = (selector, choice)
            // The first entry of a link has the link's own tag, so that its rules are found.
            if let known, known.choice != choice { tag = VisitCache.tag(ownTag, of: choice) }
        }
        var answer = response
        var query: (bare: Resolution, effect: QueryPlace.Effect)?
        if head.query != nil {
            let known = answers.entry(tag, slot: slot, bytes, head.host, head.path)
            if let known { guard case .unknown = known.query else { return } }
            guard visited.mayPlaceQuery, let found = visited.findQueryPlace() else {
                known?.query = .unforeseen
                return
            }
            answer = visited.response(to: found.bare)
            query = found
        }
        let body: [UInt8]
        switch answer.body {
        case .none: body = []
        case .bytes(let bytes) where bytes.count <= Self.bodyLimit: body = bytes
        default: return
        }
        let entry =
            answers.share(
                answer.status, answer.fields, body: body, clickID: decision.clickID, to: kind, tag, slot: slot, bytes,
                head.host, head.path, choice: rules?.choice, now: now)
            ?? insert(
                VisitEntry(
                    answer.status, answer.fields, body: body, clickID: decision.clickID, to: kind,
                    key: VisitCache.key(bytes, head.host, head.path), hostCount: head.host.count, cached: cached,
                    language: language, rules: rules,
                    valid: (cached.link.lastTransition(before: now), cached.link.nextTransition(after: now))),
                tag, slot: slot)
        if let query { entry.query = QueryEffect(entry.response, query, cached) }
    }

    private func insert(_ entry: VisitEntry, _ tag: UInt32, slot: Int) -> VisitEntry {
        answers.insert(entry, tag, slot: slot)
        return entry
    }

    /// The rules of a link, in this loop's own memory; nil if they can't be copied.
    private func selector(_ cached: CachedLink) -> RuleSelector? {
        let (link, application) = (cached.link, cached.application.application)
        guard let own = Self.list(link.content.rules, of: link, application) else { return nil }
        if application.rules.isEmpty { return RuleSelector(own: own, shared: noRules) }
        if let known = applicationRules[application.id], known.application === cached.application {
            return RuleSelector(own: own, shared: known.rules)
        }
        guard let shared = Self.list(application.rules, of: nil, application) else { return nil }
        // Applications are few, but the API makes and deletes them.
        if applicationRules.count >= 64 { applicationRules = [:] }
        applicationRules[application.id] = (cached.application, shared)
        return RuleSelector(own: own, shared: shared)
    }

    private static func list(_ rules: [Rule], of link: Link?, _ application: Application) -> RuleList? {
        let stored = rules.map(\.stored)
        let copies = stored.compactMap { Rule(stored: $0) }
        guard copies.count == rules.count else { return nil }
        // Text in memory takes some times what it takes in the store.
        return RuleList(
            copies, of: link, application, byteCount: stored.reduce(64 * stored.count) { $0 + 4 * $1.count })
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
        if !atOpenHost, visited.isKept { keep(response, of: visited, cached, head, bytes, from: visit.peer) }
        return .now(response)
    }
}
