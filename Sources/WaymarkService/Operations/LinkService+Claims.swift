package import WaymarkLinks
package import WaymarkStores

extension LinkService {
    /// Returns the link that led to an installation, if the click ID was passed on: by Play's referrer or the
    /// clipboard, in this order. The claim is stored when this returns.
    package func claim(_ request: ClaimInput) async throws(StoreError) -> ClaimAnswering {
        let now = dependencies.now()
        let candidates = try await candidates(request, at: now)
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
                var counts = LinkActivity(redeems: match.redeem.redeem.status == .redeemed ? 1 : 0, claims: 1)
                // Only Play passes a referrer, but any client may send one.
                if match.method == .referrer, request.platform == .android,
                    let candidate = candidates.first(where: { $0.method == .referrer })
                {
                    let event = installation(byClick: candidate.scope, until: candidate.expiresAt)
                    // If the store fails now, the app's install event is counted instead.
                    if (try? await store.record([event], at: now)) == [.unattributed] { counts.androidInstalls = 1 }
                }
                activity.add(counts, of: link.id, at: now)
            }
            claimFigures.add(match.method == .referrer ? .referrer : .clipboard)
            let deepLink = link.deepLink(
                application: served.application, platform: match.platform,
                opened: match.opened.map { OpenedSuffix(text: $0) })
            return .matched(
                ResolvedLink(
                    link: link, application: served, deepLink: deepLink, metadata: metadata,
                    redeem: match.redeem.redeem, isReplay: isReplay),
                match.method)
        }
    }

    /// Removes what is stored about an installation; the clicks that it claimed can't be claimed again.
    package func forget(installation id: String, of application: ApplicationID) async throws(StoreError) {
        try await store.forget(installation: digest(ofInstallation: id, of: application), of: application)
    }

    /// The digest under which claims know an installation.
    func digest(ofInstallation id: String, of application: ApplicationID) -> [UInt8] {
        Digest.of("installation", application.text, id, sha256: dependencies.sha256)
    }

    private func candidates(_ request: ClaimInput, at now: Timestamp) async throws(StoreError) -> [ClaimCandidate] {
        let found: [(ClaimRecord.Method, DeferredClick?)] = [
            (.referrer, request.referrer.flatMap { DeferredClick(referrer: $0) }),
            (.clipboard, request.clipboard.flatMap { DeferredClick(clipboard: $0) }),
        ]
        let installation = digest(ofInstallation: request.installation, of: request.application)
        var candidates: [ClaimCandidate] = []
        var names = ClickRuleNames()
        for case (let method, let click?) in found {
            // A stored link may have been opened with the parameters of a long one.
            var long = click.longLink.flatMap { longLink($0) }
            var known = long.flatMap { read(clickID: click.clickID, of: $0) }
            if known == nil {
                long = nil
                known = read(clickID: click.clickID)
            }
            guard let content = known else { continue }
            candidates.append(
                ClaimCandidate(
                    scope: Digest.of("click", click.clickID, sha256: dependencies.sha256), installation: installation,
                    application: request.application, link: content.link, isCounted: content.counted, method: method,
                    platform: request.platform, opened: long == nil ? click.opened?.stored : nil,
                    answersUntil: now.advanced(byMilliseconds: configuration.claimLifetime),
                    expiresAt: content.end, longLink: long?.link, rule: try await rule(of: content, on: long, &names)))
        }
        return candidates
    }
}

extension ClickID.Content {
    /// When the ID has expired on every server.
    var end: Timestamp {
        // IDs have a resolution of one second, and another server's clock may be behind.
        Timestamp(seconds: at.seconds + ClickID.lifetimeInSeconds + 1 + ClickID.skewInSeconds)
    }
}

/// The claim of a deferred deep link on an app's first launch.
package struct ClaimInput: Sendable {
    /// The claiming app; the caller's key has access to it.
    package var application: ApplicationID
    package var platform: Platform
    /// Generated by the app on its first launch; the same until it is removed.
    package var installation: String
    /// Play's install referrer as received by the app.
    package var referrer: String?
    /// The text that the user allowed the app to paste.
    package var clipboard: String?
    package var idempotency: IdempotencyKey?

    package init(
        application: ApplicationID, platform: Platform, installation: String, referrer: String? = nil,
        clipboard: String? = nil, idempotency: IdempotencyKey? = nil
    ) {
        self.application = application
        self.platform = platform
        self.installation = installation
        self.referrer = referrer
        self.clipboard = clipboard
        self.idempotency = idempotency
    }
}

package enum ClaimAnswering: Sendable {
    case matched(ResolvedLink, ClaimRecord.Method)
    /// Nothing was found that this installation may claim.
    case unmatched(isReplay: Bool)
    /// The idempotency key was used with another body before.
    case mismatch
}
