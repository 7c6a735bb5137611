import WaymarkLinks
import WaymarkServer
import WaymarkService

/// A visit of an existing link, decided but without a response yet: if the click counts, the link's limit must admit it
/// first. Both ways to admit a click, immediately and through the store, use this.
struct DecidedVisit {
    let decision: VisitDecision
    let now: Timestamp
    private let visit: Visit
    private let cached: CachedLink
    private let question: VisitEvaluation

    /// Nil if the link has a limit and the store, which alone knows the remaining clicks, is unavailable.
    init?(
        _ visit: Visit, _ cached: CachedLink, atOpenHost: Bool, _ site: Site, clickID mint: ClickIDGenerator
    ) {
        if cached.quota != nil, site.service.storeHealth.isAway { return nil }
        let now = site.now
        let visit = visit.adapted(to: cached.application.application)
        let question = VisitEvaluation(visit, cached, atOpenHost: atOpenHost, site.service)
        decision = question.decision(at: now) { counts, rule in
            mint.make(for: cached, now: now, counted: counts, rule: rule)
        }
        self.now = now
        self.visit = visit
        self.cached = cached
        self.question = question
    }

    /// The response if the limit is reached.
    var exhausted: Response { VisitResponse.response(.exhausted, of: question, to: visit, at: now) }

    /// Whether the response may be cached.
    var isKept: Bool { !visit.visitor.isPrefetch && !visit.showsOnly }

    /// The language of the page, if the response is one.
    var pageLanguage: PageLanguage { visit.pageLanguage }

    /// The campaign of the click.
    var campaign: Click.Name? { visit.campaign(cached) }

    /// Whether queries may change nothing but some places of the response.
    var mayPlaceQuery: Bool {
        !question.link.forwardsQuery(question.application) || !question.link.overridesQuery(question.application)
    }

    /// The response to the same visit with another query.
    ///
    /// - Parameter isOpen: whether the query is open; otherwise there is none.
    func response(withOpenQuery isOpen: Bool) -> (resolution: Resolution, response: Response) {
        var (question, visit) = (question, visit)
        question.visitor.query = nil
        question.visitor.opened.takesAnyQuery = isOpen
        visit.visitor.opened = question.visitor.opened
        let resolution = question.decision(at: now) { _, _ in decision.clickID ?? .placeholder }.resolution
        return (resolution, VisitResponse.response(resolution, of: question, to: visit, at: now))
    }

    /// Records the click, if there is one, and returns the response.
    func response(recording record: (Click) -> Void) -> Response {
        if let destination = decision.recordedDestination {
            record(
                visit.traits.click(
                    of: cached.link.id, at: now, to: destination, campaign: campaign,
                    rule: cached.clickRule(decision.rule), detail: cached.clickDetail))
        }
        return VisitResponse.response(decision.resolution, of: question, to: visit, at: now)
    }
}
