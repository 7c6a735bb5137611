import WaymarkLinks
import WaymarkServer
import WaymarkService

/// The inputs of the decision on a visit of an existing link. Visits and explanations share them, so that they can't
/// differ.
struct VisitEvaluation {
    let link: Link
    let application: Application
    var visitor: Visitor
    let ignoringMaxClicks: Bool
    /// Whether the click counts if it has a destination.
    let mayCount: Bool
    /// Whether a click that counts uses up the link's `maxClicks`: mail scanners without a User-Agent open what a person
    /// has not opened yet.
    let spendsLimit: Bool
    /// Whether the click is recorded.
    let isRecorded: Bool
    /// A visit that only shows the details is not a click, so it has no click ID.
    let carriesClickID: Bool
    /// The fields used by the rules.
    let looksAt: RuleFields
    /// For the page, if the response is one.
    let sha256: @Sendable (_ bytes: [UInt8]) -> [UInt8]

    init(_ visit: Visit, _ cached: CachedLink, atOpenHost: Bool, _ service: LinkService) {
        sha256 = service.dependencies.sha256
        mayCount = visit.counts(atOpenHost: atOpenHost)
        spendsLimit = mayCount && !visit.isNameless
        isRecorded = visit.isRecorded(atOpenHost: atOpenHost)
        var visitor = visit.visitor
        visitor.arrivedAtOpenHost = atOpenHost
        // A visitor who returns from the `openHost` made a click that the limit already admitted.
        let isReturn = atOpenHost && !mayCount && visitor.bot == nil && !visit.showsOnly
        let asksPassword = cached.link.content.password != visitor.password
        let isExhausted = (!mayCount || asksPassword) && !isReturn && cached.quota?.isExhausted == true
        link = isExhausted ? cached.exhaustedLink : cached.link
        application = cached.application.application
        ignoringMaxClicks = isReturn
        carriesClickID = !visit.showsOnly
        looksAt = link.content.rules.looksAt.union(application.rules.looksAt)
        if looksAt.contains(.number) {
            visitor.number =
                service.visitorNumbers?.number(visit.peer.subscriber.addressBits, userAgent: visit.userAgent) ?? 0
        }
        self.visitor = visitor
    }

    /// - Parameter clickID: called with the rule that decides, which the ID carries.
    func decision(at now: Timestamp, clickID: (_ counts: Bool, _ rule: AppliedRule?) -> ClickID) -> VisitDecision {
        var id: ClickID?
        let decided = link.decided(
            application: application, visitor: visitor, now: now, ignoringMaxClicks: ignoringMaxClicks
        ) { rule in
            if carriesClickID { id = clickID(mayCount, rule) }
            return id
        }
        return VisitDecision(
            decided.resolution, by: decided.rule, clickID: id, mayCount: mayCount, spendsLimit: spendsLimit,
            isRecorded: isRecorded)
    }

    /// The decision with all candidates that were considered. `ClickID.placeholder` takes the place of the click ID.
    func explanation(at now: Timestamp) -> (decision: VisitDecision, candidates: [Candidate]) {
        let explained = link.explain(
            application: application, visitor: visitor, now: now, clickID: carriesClickID ? .placeholder : nil,
            ignoringMaxClicks: ignoringMaxClicks)
        return (
            VisitDecision(
                explained.resolution, by: explained.rule, mayCount: mayCount, spendsLimit: spendsLimit,
                isRecorded: isRecorded),
            explained.candidates
        )
    }
}

extension VisitEvaluation {
    /// Of a visit without a click ID.
    func resolution(at now: Timestamp) -> Resolution {
        link.resolve(
            application: application, visitor: visitor, now: now, clickID: nil, ignoringMaxClicks: ignoringMaxClicks)
    }

    /// Where the visitor gets to, as `Resolution.target` has it, of a visit without a click ID.
    func target(at now: Timestamp) -> String? { resolution(at: now).target }
}

/// The decision on a visit of an existing link, before its click is counted.
struct VisitDecision {
    let resolution: Resolution
    /// The rule that decided.
    let rule: AppliedRule?
    /// The ID that the response may contain; nil if clicks have none.
    let clickID: ClickID?
    /// Whether to count the click.
    let counts: Bool
    /// Whether to take the click from the link's quota if it has one.
    let spendsLimit: Bool
    /// The destination to record; nil if nothing is recorded.
    let recordedDestination: Click.Destination?

    init(
        _ resolution: Resolution, by rule: AppliedRule? = nil, clickID: ClickID? = nil, mayCount: Bool,
        spendsLimit: Bool, isRecorded: Bool
    ) {
        self.rule = rule
        self.clickID = clickID
        self.resolution = resolution
        counts = mayCount && resolution.leadsSomewhere
        self.spendsLimit = counts && spendsLimit
        recordedDestination = isRecorded ? resolution.clickDestination : nil
    }
}

extension Resolution {
    var isRedirect: Bool { if case .redirect = self { true } else { false } }

    /// Whether a person who sees this has followed the link.
    var leadsSomewhere: Bool {
        switch self {
        case .redirect, .openApp, .distinguishMac, .scan: true
        case .preview, .locked, .nowhere, .disabled, .expired, .exhausted, .scheduled: false
        }
    }
}
