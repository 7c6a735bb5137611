import WaymarkClicks
import WaymarkLinks
import WaymarkServer
import WaymarkService

/// What the pure decision is asked for one visit of a link that was found. Visits and explanations make theirs here and
/// nowhere else, so that they ask the same.
struct VisitEvaluation {
    let link: Link
    let application: Application
    let visitor: Visitor
    let ignoringMaxClicks: Bool
    /// Whether the click would count, should it lead anywhere.
    let mayCount: Bool
    /// Whether a record would be kept of it.
    let isRecorded: Bool
    /// A visit that only looks was no click, and carries no id of one.
    let carriesClickID: Bool
    /// What the rules look at.
    let looksAt: RuleFields
    /// For the page, should the answer be one.
    let sha256: @Sendable (_ bytes: [UInt8]) -> [UInt8]

    init(_ visit: Visit, _ cached: CachedLink, atOpenHost: Bool, _ service: LinkService) {
        sha256 = service.dependencies.sha256
        mayCount = visit.counts(atOpenHost: atOpenHost)
        isRecorded = visit.isRecorded(atOpenHost: atOpenHost)
        var visitor = visit.visitor
        visitor.arrivedAtOpenHost = atOpenHost
        // Who returns from the `openHost` follows a click that the limit has let through.
        let isReturn = atOpenHost && !mayCount && visitor.bot == nil && !visit.showsOnly
        let isExhausted = !mayCount && !isReturn && cached.quota?.isExhausted == true
        link = isExhausted ? cached.exhaustedLink : cached.link
        application = cached.application.application
        ignoringMaxClicks = isReturn
        carriesClickID = !visit.showsOnly
        looksAt = link.content.rules.looksAt.union(application.rules.looksAt)
        if looksAt.contains(.number) {
            visitor.number = service.visitorNumber(visit.peer.subscriber.addressBits, userAgent: visit.userAgent)
        }
        self.visitor = visitor
    }

    func decision(at now: Timestamp, clickID: (_ counts: Bool) -> ClickID) -> VisitDecision {
        let id = carriesClickID ? clickID(mayCount) : nil
        return VisitDecision(
            link.resolve(
                application: application, visitor: visitor, now: now, clickID: id,
                ignoringMaxClicks: ignoringMaxClicks),
            clickID: id, mayCount: mayCount, isRecorded: isRecorded)
    }

    /// The same with every place that was looked at. Its click has no id: `ClickID.placeholder` stands where one would.
    func explanation(at now: Timestamp) -> (decision: VisitDecision, candidates: [Candidate]) {
        let explained = link.explain(
            application: application, visitor: visitor, now: now, clickID: carriesClickID ? .placeholder : nil,
            ignoringMaxClicks: ignoringMaxClicks)
        return (
            VisitDecision(explained.resolution, mayCount: mayCount, isRecorded: isRecorded),
            explained.candidates
        )
    }
}

/// What a visit of a link that was found comes to, before its click is taken.
struct VisitDecision {
    let resolution: Resolution
    /// What may stand in the answer; nil where no click has an id.
    let clickID: ClickID?
    /// Whether the click is to be counted, and taken from the link's allowance where it has one.
    let counts: Bool
    /// What the record of the visit says that it led to; nil where none is kept.
    let recordedDestination: Click.Destination?

    init(_ resolution: Resolution, clickID: ClickID? = nil, mayCount: Bool, isRecorded: Bool) {
        self.clickID = clickID
        self.resolution = resolution
        counts = mayCount && resolution.leadsSomewhere
        recordedDestination = isRecorded ? resolution.clickDestination : nil
    }
}

extension Resolution {
    var isRedirect: Bool { if case .redirect = self { true } else { false } }

    /// Whether a person who sees this has followed the link.
    var leadsSomewhere: Bool {
        switch self {
        case .redirect, .openApp, .distinguishMac: true
        case .preview, .nowhere, .disabled, .expired, .exhausted, .scheduled: false
        }
    }
}
