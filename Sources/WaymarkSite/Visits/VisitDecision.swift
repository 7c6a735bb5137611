import WaymarkLinks
import WaymarkService

/// What a visit of a link that was found comes to, before its click is taken.
struct VisitDecision {
    let resolution: Resolution
    /// Whether the click is to be counted, and taken from the link's allowance where it has one.
    let counts: Bool

    init(_ visit: Visit, _ cached: CachedLink, atOpenHost: Bool, now: Timestamp, clickID: (Bool) -> ClickID) {
        let counts = visit.counts(atOpenHost: atOpenHost)
        var visitor = visit.visitor
        visitor.arrivedAtOpenHost = atOpenHost
        // Who returns from the `openHost` follows a click that the limit has let through.
        let isReturn = atOpenHost && !counts && visitor.bot == nil && !visit.showsOnly
        let isExhausted = !counts && !isReturn && cached.allowance?.isExhausted == true
        let link = isExhausted ? cached.exhaustedLink : cached.link
        resolution = link.resolve(
            application: cached.application.application, visitor: visitor, now: now,
            clickID: visit.showsOnly ? nil : clickID(counts),
            ignoringMaxClicks: isReturn)
        self.counts = counts && resolution.leadsSomewhere
    }
}

extension Resolution {
    /// Whether a person who sees this has followed the link.
    fileprivate var leadsSomewhere: Bool {
        switch self {
        case .redirect, .openApp, .distinguishMac: true
        case .preview, .nowhere, .disabled, .expired, .exhausted, .scheduled: false
        }
    }
}
