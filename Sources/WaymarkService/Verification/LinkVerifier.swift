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
    /// Of a walk in a round, and of one on request, in milliseconds: with its last answer, that takes at most half a minute.
    private static let walkTime: Int64 = 300_000
    private static let requestTime: Int64 = 27_000
    /// The shortest time after which a look is tried again that a host had no time for, in milliseconds.
    private static let lookDelay: Int64 = 60_000
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
        /// Nil: what is stored of the round says how far it has come.
        var progress: RoundProgress?
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
            guard try await service.verification.holdsVerification() else {
                forget()
                return false
            }
            let hasLooks = try await lookAgain()
            let hasLinks = try await goOn()
            try await count()
            state.withLock { $0.isFailing = false }
            return (hasLooks || hasLinks) && !Task.isCancelled
        } catch {
            let isNew = state.withLock { state in
                // Links of a page or of the late ones may not have been walked.
                state.progress = nil
                defer { state.isFailing = true }
                return !state.isFailing
            }
            if isNew { logger.warning("the verification of links waits for the store: \(error.sentence)") }
            return false
        }
    }

    /// Another server verifies now, and continues the round.
    private func forget() {
        metrics.counts.withLock { $0 = VerificationCounts() }
        metrics.lag.store(0, ordering: .relaxed)
        state.withLock { state in
            state.progress = nil
            state.lastCount = .min
        }
    }

    /// Walks one link now, and asks its destinations and for its association files again.
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
        var silent: Set<String> = []
        var answered: Set<String> = []
        var isLate = false
        var asked: Set<String> = []
        for (visitor, url) in inspection.destinations {
            let isFresh = isFresh && asked.insert(url).inserted
            guard let found = await answers.finding(url, since: at.rawValue, until: end, isFresh: isFresh) else {
                answered.insert(url)
                continue
            }
            isLate = isLate || found.isLate
            if found.code == .rateLimited { silent.insert(url) } else { answered.insert(url) }
            findings.append(VerificationFinding(found.code, as: visitor, found.message, url: found.url))
        }
        for copy in inspection.copies {
            let isFresh = isFresh && asked.insert(copy.url).inserted
            switch await copies.look(at: copy, since: at.rawValue, until: end, isFresh: isFresh) {
            case .good: answered.insert(copy.url)
            case .finding(let found):
                answered.insert(copy.url)
                findings.append(found)
            case .silence: silent.insert(copy.url)
            }
        }
        // Cancelled waits are no answers.
        guard !Task.isCancelled else { return nil }
        // It may have been late for one visitor alone.
        silent.subtract(answered)
        let walk = LinkWalk(link.id, version: link.version, at: at, findings: findings, silent: silent)
        return (walk, isLate)
    }

    private func add(_ walk: LinkWalk, of link: Link) async throws(StoreError) -> LinkVerification? {
        metrics.walks.add(1, ordering: .relaxed)
        return try await service.verification.add(walk, of: link, at: now(), secondLook: settings.secondLook)
    }

    private func lookAgain() async throws(StoreError) -> Bool {
        let time = now()
        let due = try await service.verification.dueLooks(at: time, limit: Self.page)
        guard !due.isEmpty else { return false }
        let known = try await service.verification.verifications(of: due)
        let links = try await activeLinks(due.filter { known[$0] != nil })
        try await service.verification.forgetLooks(of: Array(Set(due).subtracting(links.map(\.id))), dueAt: time)
        let putOff = try await walk(links).map(\.link.id)
        guard !Task.isCancelled else { return false }
        // Without this they would be due again at once, ahead of all others.
        let delay = max(Self.lookDelay, settings.hostInterval)
        let next = Timestamp(rawValue: now().rawValue + delay)
        try await service.verification.putOffLooks(of: putOff, dueAt: time, until: next)
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
        var progress = state.withLock(\.progress) ?? RoundProgress(continuing: round)
        if !progress.isOf(round) { progress = RoundProgress(continuing: round) }
        var listing = LinkListing(
            LinkFilter(state: .active), sort: .oldest, limit: Self.page, after: LinkPosition(progress.lastListed))
        listing.now = time
        let page = try await service.verifiedLinks(listing)
        var late = try await walk(try await activeLinks(progress.takeLate(Self.walksAtOnce)))
        late += try await walk(try await links(page.links, notWalkedIn: round, at: time))
        // What was not walked is walked after the next start.
        guard !Task.isCancelled else { return false }
        for (link, walk) in late {
            guard let walk, !progress.putOff(link.id) else { continue }
            _ = try await add(walk, of: link)
        }
        // A page without active links has a next one, too.
        if let last = page.next?.id ?? page.links.last?.id { progress.lastListed = last }
        round.lastLink = progress.lastSettled
        if page.next == nil, !progress.hasLate { round.endedAt = now() }
        try await service.verification.store(round)
        state.withLock { [progress] in $0.progress = progress }
        return page.next != nil
    }

    /// A server that continues a round after another one, or after its own restart, starts at the first link that was late.
    private func links(
        _ links: [Link], notWalkedIn round: VerificationRound, at time: Timestamp
    ) async throws(StoreError) -> [Link] {
        let known = try await service.verification.verifications(of: links.map(\.id))
        return links.filter { link in
            known[link.id].map { $0.at < round.startedAt || $0.at > time } ?? true
        }
    }

    private func activeLinks(_ ids: [LinkID]) async throws(StoreError) -> [Link] {
        var links: [Link] = []
        for id in ids {
            if let link = try await service.link(id), link.isVerifiable(at: now()) { links.append(link) }
        }
        return links
    }

    /// A link that was not walked to its end, with what was found of it; without if the server can't decide its visits.
    private typealias Unfinished = (link: Link, walk: LinkWalk?)

    /// - Returns: the links whose walks are not stored.
    private func walk(_ links: [Link]) async throws(StoreError) -> [Unfinished] {
        var failure: StoreError?
        var unfinished: [Unfinished] = []
        await withTaskGroup(of: Result<Unfinished?, StoreError>.self) { group in
            var rest = links[...]
            for _ in 0..<Self.walksAtOnce {
                guard let link = rest.popFirst() else { break }
                group.addTask { await self.outcome(of: link) }
            }
            while let ended = await group.next() {
                switch ended {
                case .success(let link?): unfinished.append(link)
                case .success(nil): break
                case .failure(let error): failure = error
                }
                if failure == nil, !Task.isCancelled, let link = rest.popFirst() {
                    group.addTask { await self.outcome(of: link) }
                }
            }
        }
        if let failure { throw failure }
        return unfinished
    }

    private func outcome(of link: Link) async -> Result<Unfinished?, StoreError> {
        guard let (walk, isLate) = await walk(link, for: Self.walkTime) else { return .success((link, nil)) }
        guard !isLate else { return .success((link, walk)) }
        do throws(StoreError) {
            _ = try await add(walk, of: link)
            return .success(nil)
        } catch {
            return .failure(error)
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
        let counts = try await service.verification.verificationCounts(at: now())
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
