import WaymarkHTTP
import WaymarkLinks
import WaymarkMetrics
import WaymarkServer
import WaymarkService
import WaymarkStores

/// The visits that an event loop answers from its cache, and how responses get there.
///
/// Isolation: confined to the thread of its event loop.
final class CachedVisits {
    private let site: Site
    private let directory: Published<ApplicationDirectory>
    /// In bytes. A longer page would take the space of many links.
    private static let bodyLimit = 16_384
    private let answers: VisitCache
    let classes = VisitorClassCache()
    private let memory = ClickTraits.Memory()
    private let countryField: HeaderName?
    private var countries: Countries.View
    private let coarseNow: @Sendable () -> Timestamp
    /// Lazy, because without the store its secret is not known at startup.
    lazy var mint = site.service.makeClickIDMint()
    let clicks: ClickBuffer
    let longLinkClicks: CounterTable
    private lazy var ruleMemory = RuleMemory()
    /// Lazy, as `mint` is.
    private lazy var visitorNumbers = site.service.visitorNumbers
    private let noRules = RuleList.none
    /// Of applications with rules: those that this loop copied.
    private var applicationRules: [ApplicationID: (application: ServedApplication, rules: RuleList)] = [:]
    private let encodings = QueryEncodings()
    private var composition = PreparedQuery.Composition()

    init(_ site: Site) {
        self.site = site
        directory = site.service.applications.directory
        answers = VisitCache(byteLimit: site.options.visitCacheBytes)
        clicks = site.service.clicks.makeBuffer()
        longLinkClicks = site.service.longLinkClicks.makeCounter()
        countryField = site.options.countryField
        countries = site.service.countries.makeView()
        coarseNow = site.service.dependencies.coarseNow
    }

    /// The cached response to an equal visit; nil if it must be decided. Borrowed until the next call of this object.
    func response(
        to head: RequestHead, in bytes: Span<UInt8>, from peer: Peer
    ) -> Unmanaged<PreparedResponse>? {
        let method = head.method
        guard method == .get || method == .head, !head.isPathEncoded, !Visit.isPrefetch(head) else { return nil }
        let kind = Visit.visitorClass(head, bytes, classes)
        let now = coarseNow()
        guard let slot = kind.slot,
            let entry = entry(slot: slot, head, bytes, kind, peer, now) ?? longLinkEntry(slot: slot, head, bytes),
            entry.isValid(at: now)
        else { return nil }
        if head.query == nil, entry.isOrdinary {
            carryClickID(kind, in: entry, rule: .none, head, now)
            record(kind, of: entry, campaign: nil, rule: .none, detail: .full, head, bytes, peer, now)
            // Safety: the cache keeps the entry's response until this loop changes it, which is after it was sent.
            return unsafe .passUnretained(entry.response)
        }
        return unsafe specialResponse(kind, of: entry, head, bytes, peer, now)
    }

    /// Writes the click ID of a visit into the cached response.
    @inline(__always)
    private func carryClickID(
        _ kind: VisitorClass, in entry: VisitEntry, rule: ClickRuleMark, _ head: RequestHead, _ now: Timestamp
    ) {
        guard entry.carriesClickID else { return }
        let counted = head.method == .get && kind.bot == nil
        if let secret = entry.clickSecret {
            return entry.carry(mint.make(for: .unstored, now: now, counted: counted, secret: secret, rule: rule))
        }
        entry.carry(mint.make(for: entry.link, now: now, counted: counted, rule: rule))
    }

    @inline(__always)
    private func record(
        _ kind: VisitorClass, of entry: VisitEntry, campaign: Click.Name?, rule: ClickRule, detail: ClickDetail,
        _ head: RequestHead, _ bytes: Span<UInt8>, _ peer: Peer, _ now: Timestamp
    ) {
        guard head.method == .get else { return }
        clicks.record(
            Click(
                link: entry.link, time: now, kind: kind, destination: entry.destination,
                isProfiled: !VisitDetails.asksNotToBeFollowed(head, bytes),
                country: countryField == nil ? nil : VisitDetails.country(countryField, head, bytes, from: peer),
                language: memory.language(head, bytes), referrerHost: memory.referrerHost(head, bytes),
                campaign: campaign, rule: rule, subscriber: peer.subscriberNumber, detail: detail))
    }

    /// The response to a visit with a query, of a long link, or of a link with a campaign or `maxClicks`; nil if the visit
    /// must be decided. Not inlined, so that other visits don't pay for it.
    @inline(never)
    private func specialResponse(
        _ kind: VisitorClass, of entry: VisitEntry, _ head: RequestHead, _ bytes: Span<UInt8>, _ peer: Peer,
        _ now: Timestamp
    ) -> Unmanaged<PreparedResponse>? {
        var (response, campaign) = (entry.response, entry.campaign)
        carryClickID(kind, in: entry, rule: entry.ruleMark, head, now)
        if entry.isLongLink {
            if head.method == .get, kind.bot == nil { longLinkClicks.addAlone(1, at: 0) }
        } else if let range = head.query {
            guard let prepared = prepared(entry, bytes.extracting(range.indices)) else { return nil }
            (response, campaign) = prepared
        }
        if let quota = entry.quota {
            let counts = head.method == .get && kind.bot == nil && !Visit.isNameless(head, bytes)
            // The store must be asked otherwise.
            guard counts, !site.service.storeHealth.isAway, quota.take() else { return nil }
        }
        record(kind, of: entry, campaign: campaign, rule: entry.rule, detail: entry.clickDetail, head, bytes, peer, now)
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
        return page(entry, tag, slot: slot, head, head.path, bytes)
    }

    /// The cached response to a long link. Not inlined, as it is looked for only if no link has the address.
    @inline(never)
    private func longLinkEntry(slot: Int, _ head: RequestHead, _ bytes: Span<UInt8>) -> VisitEntry? {
        guard let target = Self.longLinkTarget(head) else { return nil }
        let tag = answers.tag(bytes, head.host, target)
        let entry = answers.entry(tag, slot: slot, bytes, head.host, target)
        let found = entry?.isForAll == true ? entry : page(entry, tag, slot: slot, head, target, bytes)
        // All applications together say what a long link is.
        return found?.generation == directory.generation ? found : nil
    }

    /// Path and query of a long link that no stored link can come before.
    private static func longLinkTarget(_ head: RequestHead) -> ByteRange? {
        guard let query = head.query, head.path.count == 1, query.count <= 2_048 else { return nil }
        return ByteRange(head.path.indices.lowerBound, query.indices.upperBound)
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
                ?? countries.country(of: peer.subscriberNumber)
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
        guard case .insertion(let prepared) = entry.query,
            let composed = prepared.compose(entry.response, query, in: &composition)
        else { return nil }
        guard prepared.namesCampaign, let range = composition.plain.campaign else { return (composed, entry.campaign) }
        return (composed, memory.campaign(query.extracting(range)) ?? entry.campaign)
    }

    /// The cached page in the visitor's language. Not inlined, because only pages need it.
    ///
    /// - Parameter english: the entry for the tag of host and path.
    @inline(never)
    private func page(
        _ english: VisitEntry?, _ tag: UInt32, slot: Int, _ head: RequestHead, _ path: ByteRange, _ bytes: Span<UInt8>
    ) -> VisitEntry? {
        let language = memory.pageLanguage(head, bytes)
        if language == .english { return english }
        let entry = answers.entry(VisitCache.tag(tag, in: language), slot: slot, bytes, head.host, path)
        return entry?.language == language ? entry : nil
    }

    // MARK: Caching

    /// Caches a response that is the same for all visitors of the class, whatever else they send, except for what rules
    /// look at, the query and the click ID.
    func keep(
        _ response: Response, of visited: DecidedVisit, _ cached: CachedLink, _ head: RequestHead, _ bytes: Span<UInt8>,
        from peer: Peer
    ) {
        let (decision, now) = (visited.decision, visited.now)
        guard let kind = decision.resolution.clickDestination, mayKeep(visited, cached, head) else { return }
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
        if let query = head.query {
            guard visited.mayPlaceQuery else { return }
            let known = answers.entry(tag, slot: slot, bytes, head.host, head.path)
            if let known, known.choice == rules?.choice, known.language == language {
                return prepare(known, for: visited, response, bytes.extracting(query.indices), cached)
            }
            let bare = visited.response(withOpenQuery: false)
            guard bare.resolution.clickDestination == kind else { return }
            answer = bare.response
        }
        guard let body = answer.body.inMemory, body.count <= Self.bodyLimit else { return }
        let isShared = answers.share(
            answer.status, answer.fields, body: body, clickID: decision.clickID, to: kind, tag, slot: slot, bytes,
            head.host, head.path, choice: rules?.choice, now: now)
        if isShared { return }
        let entry = VisitEntry(
            answer.status, answer.fields, body: body, clickID: decision.clickID, to: kind,
            key: VisitCache.key(bytes, head.host, head.path), hostCount: head.host.count, cached: cached,
            link: cached.link.id, campaign: cached.campaign, language: language, rules: rules,
            rule: decision.rule,
            valid: Self.validity(cached, at: now), heads: answers.heads)
        answers.insert(entry, tag, slot: slot)
    }

    private static func validity(_ cached: CachedLink, at now: Timestamp) -> (from: Timestamp?, until: Timestamp?) {
        (cached.link.lastTransition(before: now), cached.link.nextTransition(after: now))
    }

    private func mayKeep(_ visited: DecidedVisit, _ cached: CachedLink, _ head: RequestHead) -> Bool {
        !cached.isStale && !head.isPathEncoded
            // Each visit must spend a click.
            && (cached.quota == nil || visited.decision.spendsLimit)
            && !cached.application.application.leadsToGalaxyStore
            // The placeholder can't be distinguished from other text of the response.
            && visited.decision.clickID != .placeholder
    }

    /// Caches the response to a long link.
    ///
    /// - Parameters:
    ///   - number: under which clicks are recorded.
    ///   - generation: of the directory that the link was found in.
    func keep(
        _ response: Response, of visited: DecidedVisit, _ cached: CachedLink, number: LinkID, generation: UInt64,
        _ head: RequestHead, _ bytes: Span<UInt8>
    ) {
        let resolution = visited.decision.resolution
        guard visited.isKept, !cached.hasRules, mayKeep(visited, cached, head), let target = Self.longLinkTarget(head),
            let slot = Visit.visitorClass(head, bytes, classes).slot, let kind = resolution.clickDestination,
            let body = response.body.inMemory, body.count <= Self.bodyLimit
        else { return }
        let language = resolution.isRedirect ? nil : visited.pageLanguage
        let entry = VisitEntry(
            response.status, response.fields, body: body, clickID: visited.decision.clickID, to: kind,
            key: VisitCache.key(bytes, head.host, target), hostCount: head.host.count, cached: cached, link: number,
            campaign: visited.campaign, generation: generation, language: language,
            valid: Self.validity(cached, at: visited.now), heads: answers.heads)
        let tag = VisitCache.tag(answers.tag(bytes, head.host, target), in: language ?? .english)
        answers.insert(entry, tag, slot: slot)
    }

    /// Finds out how queries change the cached response, with the second visit that has one: most links are visited less
    /// often.
    private func prepare(
        _ entry: VisitEntry, for visited: DecidedVisit, _ response: Response, _ query: Span<UInt8>, _ cached: CachedLink
    ) {
        guard case .unknown = entry.query, composition.plain.read(query), let body = response.body.inMemory else {
            return
        }
        if entry.carriesClickID, let clickID = visited.decision.clickID { entry.carry(clickID) }
        let open = visited.response(withOpenQuery: true).response
        let prepared = PreparedQuery(
            entry.response, open: open, isDevicePage: entry.destination == .page, cached, encodings)
        guard let prepared, let composed = prepared.compose(entry.response, query, in: &composition) else {
            return answers.prepare(entry, .unforeseen)
        }
        // The decided response is at hand, so the composed one is compared with it.
        let isRight = composed.says(response.status, response.fields, body: body)
        answers.prepare(entry, isRight ? .insertion(prepared) : .unforeseen)
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
}
