package import Logging
import Synchronization
package import WaymarkLinks
package import WaymarkStores

/// Walks all active links in rounds, and looks a second time where it found a fault. Each server runs one; the one that holds
/// the database's lock does the work. How far it has come is in the database.
package final class LinkVerifier: Sendable {
    /// Decides visits of a link as the server does; nil if its application is unknown.
    package typealias Inspect = @Sendable (Link, Timestamp) -> LinkInspection?

    private static let page = 100
    /// Walks at once.
    private static let walksAtOnce = 16
    /// Of a walk in a round, and of one on request, in milliseconds.
    private static let walkTime: Int64 = 300_000
    private static let requestTime: Int64 = 30_000
    /// Links that wait for their hosts; what is beyond can't be known in this round.
    private static let lateLimit = 10_000
    /// Milliseconds between turns.
    private static let idleInterval: Int64 = 5_000
    /// Milliseconds between counts of all states.
    private static let countInterval: Int64 = 60_000

    package let metrics = VerificationMetrics()
    private let service: LinkService
    private let settings: VerificationSettings
    private let logger: Logger
    private let now: @Sendable () -> Timestamp
    private let answers: DestinationAnswers
    private let copies: AssociationCopies
    private let state = Mutex(State())
    private let bell = WakeBell()

    private struct State {
        var inspect: Inspect?
        var task: Task<Void, Never>?
        var isFailing = false
        /// Links of this round whose hosts have no time for them yet.
        var late: [LinkID] = []
        var lastCount: Int64 = .min
    }

    package init(_ service: LinkService, _ settings: VerificationSettings, logger: Logger) {
        self.service = service
        self.settings = settings
        self.logger = logger
        let now = service.dependencies.now
        self.now = now
        let sender = PoliteSender(settings, metrics: metrics, now: { now().rawValue })
        answers = DestinationAnswers(settings, sender, now: { now().rawValue })
        copies = AssociationCopies(settings, sender, metrics: metrics, now: { now().rawValue })
    }

    /// The site decides visits, so it gives this once it exists.
    package func use(_ inspect: @escaping Inspect) { state.withLock { $0.inspect = inspect } }

    package func start() {
        let task = Task(priority: .background) { [self] in
            while !Task.isCancelled {
                let hasMore = await turn()
                if !hasMore { await bell.wait(milliseconds: Self.idleInterval) }
            }
        }
        state.withLock { $0.task = task }
    }

    /// Walks that are under way are not stored: they are walked after the next start.
    package func stop() {
        state.withLock { $0.task.take() }?.cancel()
        answers.cancel()
        copies.cancel()
        bell.ring()
    }

    /// A page of second looks and one of the round.
    ///
    /// - Returns: whether there is more to do at once.
    package func turn() async -> Bool {
        do throws(StoreError) {
            guard try await service.verification.holdsVerification() else { return false }
            let hasLooks = try await lookAgain()
            let hasLinks = try await goOn()
            try await count()
            state.withLock { $0.isFailing = false }
            return (hasLooks || hasLinks) && !Task.isCancelled
        } catch {
            let isNew = state.withLock { state in
                defer { state.isFailing = true }
                return !state.isFailing
            }
            if isNew { logger.warning("the verification of links waits for the store: \(error.sentence)") }
            return false
        }
    }

    /// Walks one link now, and asks its destinations again.
    ///
    /// - Returns: nil if it was changed or deleted meanwhile, or is not active.
    package func walk(_ link: Link) async throws(StoreError) -> LinkVerification? {
        guard let walk = await walk(link, for: Self.requestTime, isFresh: true)?.walk else { return nil }
        return try await add(walk, of: link)
    }

    /// - Returns: nil if there is no such application, or if the server stops.
    private func walk(
        _ link: Link, for time: Int64, isFresh: Bool = false
    ) async -> (walk: LinkWalk, isLate: Bool)? {
        let at = now()
        let end = at.rawValue + time
        guard let inspection = state.withLock({ $0.inspect })?(link, at) else { return nil }
        var findings = inspection.findings
        var isLate = false
        var asked: Set<String> = []
        for (visitor, url) in inspection.destinations {
            guard let found = await answers.finding(url, until: end, isFresh: isFresh && asked.insert(url).inserted)
            else { continue }
            isLate = isLate || found.isLate
            findings.append(VerificationFinding(found.code, as: visitor, found.message, url: found.url))
        }
        for copy in inspection.copies {
            if let found = await copies.finding(copy, until: end) { findings.append(found) }
        }
        // Cancelled waits are no answers.
        guard !Task.isCancelled else { return nil }
        return (LinkWalk(link.id, version: link.version, at: at, findings: findings), isLate)
    }

    private func add(_ walk: LinkWalk, of link: Link) async throws(StoreError) -> LinkVerification? {
        metrics.walks.add(1, ordering: .relaxed)
        return try await service.verification.add(walk, of: link, secondLook: settings.secondLook)
    }

    private func lookAgain() async throws(StoreError) -> Bool {
        let due = try await service.verification.dueLooks(at: now(), limit: Self.page)
        guard !due.isEmpty else { return false }
        var links: [Link] = []
        var others: [LinkID] = []
        let known = try await service.verification.verifications(of: due)
        for id in due {
            if known[id] != nil, let link = try await service.link(id), link.state(at: now()) == .active {
                links.append(link)
            } else {
                others.append(id)
            }
        }
        try await service.verification.forgetLooks(of: others)
        try await walk(links)
        return due.count == Self.page
    }

    private func goOn() async throws(StoreError) -> Bool {
        let time = now()
        var round = try await service.verification.verificationRound() ?? VerificationRound(startedAt: time)
        let due = round.startedAt.rawValue + settings.interval
        if round.endedAt != nil, time.rawValue >= due { round = VerificationRound(startedAt: time) }
        // Of a round that takes longer than the time between two, or that could not begin.
        let lag = max(0, time.rawValue - round.startedAt.rawValue - settings.interval)
        metrics.lag.store(Int(lag / 1_000), ordering: .relaxed)
        guard round.endedAt == nil else { return false }
        var listing = LinkListing(
            LinkFilter(state: .active), sort: .oldest, limit: Self.page, after: LinkPosition(round.lastLink))
        listing.now = time
        let page = try await service.verifiedLinks(listing)
        try await walk(try await takeLate())
        try await walk(page.links)
        // What was not walked is walked after the next start.
        guard !Task.isCancelled else { return false }
        if let last = page.links.last { round.lastLink = last.id }
        if page.next == nil, state.withLock(\.late.isEmpty) { round.endedAt = now() }
        try await service.verification.store(round)
        return page.next != nil
    }

    private func takeLate() async throws(StoreError) -> [Link] {
        let taken = state.withLock { state in
            let taken = Array(state.late.prefix(Self.walksAtOnce))
            state.late.removeFirst(taken.count)
            return taken
        }
        var links: [Link] = []
        for id in taken {
            if let link = try await service.link(id), link.state(at: now()) == .active { links.append(link) }
        }
        return links
    }

    private func walk(_ links: [Link]) async throws(StoreError) {
        var failure: StoreError?
        await withTaskGroup(of: StoreError?.self) { group in
            var rest = links[...]
            for _ in 0..<Self.walksAtOnce {
                guard let link = rest.popFirst() else { break }
                group.addTask { await self.failure(of: link) }
            }
            while let ended = await group.next() {
                if let ended { failure = ended }
                if failure == nil, !Task.isCancelled, let link = rest.popFirst() {
                    group.addTask { await self.failure(of: link) }
                }
            }
        }
        if let failure { throw failure }
    }

    private func failure(of link: Link) async -> StoreError? {
        guard let (walk, isLate) = await walk(link, for: Self.walkTime) else { return nil }
        let isPutOff =
            isLate
            && state.withLock { state in
                guard state.late.count < Self.lateLimit else { return false }
                if !state.late.contains(link.id) { state.late.append(link.id) }
                return true
            }
        guard !isPutOff else { return nil }
        do throws(StoreError) {
            _ = try await add(walk, of: link)
            return nil
        } catch {
            return error
        }
    }

    private func count() async throws(StoreError) {
        let time = now().rawValue
        let isDue = state.withLock { state in
            // The clock may have been set back.
            guard state.lastCount == .min || abs(time - state.lastCount) >= Self.countInterval else { return false }
            state.lastCount = time
            return true
        }
        guard isDue else { return }
        let counts = try await service.verification.verificationCounts()
        metrics.counts.withLock { $0 = counts }
    }
}

extension LinkService {
    package var verification: any VerificationStore { store.verification }

    func link(_ id: LinkID) async throws(StoreError) -> Link? { try await store.link(id) }

    func verifiedLinks(_ listing: LinkListing) async throws(StoreError) -> LinkPage { try await store.list(listing) }

    /// A link as visits have it, without a place in the cache.
    package func uncached(_ link: Link) -> CachedLink? {
        applications.directory.current.application(link.application).map {
            CachedLink(link, application: $0, quota: nil)
        }
    }
}
