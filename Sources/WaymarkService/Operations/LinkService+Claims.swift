import WaymarkClicks
import WaymarkLinks
package import WaymarkStores

extension LinkService {
    /// Returns the link that led to an installation, if the click ID was passed on: by Play's referrer or the
    /// clipboard, in this order. The claim is stored when this returns.
    package func claim(_ request: ClaimInput) async throws(StoreError) -> ClaimAnswering {
        let now = dependencies.now()
        let candidates = candidates(request, at: now)
        if candidates.isEmpty, request.idempotency == nil {
            claimFigures.add(.unmatched)
            return .unmatched(isReplay: false)
        }
        // The store decides by its click counts, so the latest clicks must be written first.
        for candidate in candidates where !candidate.isCounted && candidate.longLink == nil {
            if try await store.link(candidate.link)?.content.maxClicks != nil { try await clicks.flush() }
        }
        let idempotency = request.idempotency.map {
            RedeemIdempotency(
                scope: $0.scope, fingerprint: $0.fingerprint,
                expiresAt: now.advanced(byMilliseconds: configuration.idempotencyLifetime))
        }
        switch try await store.claim(candidates, at: now, idempotency: idempotency) {
        case .mismatch: return .mismatch
        case .none:
            claimFigures.add(.unmatched)
            return .unmatched(isReplay: false)
        case .repeatedNone:
            claimFigures.add(.unmatched)
            return .unmatched(isReplay: true)
        case .answered(let link, let metadata, let match, let isReplay):
            guard let served = applications.directory.current.application(link.application) else {
                claimFigures.add(.unmatched)
                return .unmatched(isReplay: false)
            }
            if !isReplay, link.id != .unstored {
                activity.add(
                    LinkActivity(redeems: match.redeem.redeem.status == .redeemed ? 1 : 0, claims: 1), of: link.id,
                    at: now)
            }
            claimFigures.add(match.method == .referrer ? .referrer : .clipboard)
            let deepLink = link.deepLink(
                application: served.application, platform: match.platform, openedQuery: match.query)
            return .matched(
                ResolvedLink(
                    link: link, application: served, deepLink: deepLink, metadata: metadata,
                    redeem: match.redeem.redeem, isReplay: isReplay),
                match.method)
        }
    }

    private func candidates(_ request: ClaimInput, at now: Timestamp) -> [ClaimCandidate] {
        let found: [(ClaimRecord.Method, DeferredClick?)] = [
            (.referrer, request.referrer.flatMap { DeferredClick(referrer: $0) }),
            (.clipboard, request.clipboard.flatMap { DeferredClick(clipboard: $0) }),
        ]
        let installation = Digest.of(
            "installation", request.application.text, request.installation, sha256: dependencies.sha256)
        return found.compactMap { method, click -> ClaimCandidate? in
            guard let click else { return nil }
            let long = click.longLink.flatMap { longLink($0) }
            let known = long.map { read(clickID: click.clickID, of: $0) } ?? read(clickID: click.clickID)
            guard let content = known else { return nil }
            return ClaimCandidate(
                scope: Digest.of("click", click.clickID, sha256: dependencies.sha256), installation: installation,
                application: request.application, link: content.link, isCounted: content.counted, method: method,
                platform: request.platform, query: long == nil ? click.query : nil,
                answersUntil: now.advanced(byMilliseconds: configuration.claimLifetime),
                expiresAt: content.end, longLink: long?.link)
        }
    }
}

extension ClickID.Content {
    /// When the ID has expired on every server.
    var end: Timestamp {
        // IDs have a resolution of one second, and another server's clock may be behind.
        Timestamp(seconds: at.seconds + ClickID.lifetimeInSeconds + 1 + ClickID.skewInSeconds)
    }
}
