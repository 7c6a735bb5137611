package import WaymarkLinks
package import WaymarkStores

extension LinkService {
    /// Resolves a link for an app. A redeem is stored when this returns.
    ///
    /// Metadata and counts are always read from the store; a link without them is served from the cache if there is
    /// no idempotency key.
    package func resolve(_ request: ResolveInput) async throws(StoreError) -> ResolveOutcome {
        let now = dependencies.now()
        switch request.target {
        case .smartlink(let host, let slug, _):
            guard let cached = try await cachedOrLoaded(at: host, slug: slug),
                request.asker.contains(cached.link.application)
            else { return .unknown }
            let needsStore = cached.link.hasMetadata || cached.quota != nil || request.idempotency != nil
            if !needsStore {
                switch cached.link.redeemPlan(at: now, taking: request.redeems, ignoringMaxClicks: false) {
                case .unavailable(let state): return .unavailable(state)
                case .answer(let redeem):
                    return answer(cached.link, cached.application, request, nil, redeem, isReplay: false)
                case .take: break
                }
            }
            // The store decides by its click counts, so the latest clicks must be written first.
            if let quota = cached.quota, quota.isExhausted { try await clicks.flush() }
            return try await redeem(
                cached.link.id, request, ofClick: false, at: now, idempotency: idempotency(request, at: now))
        case .longLink(let url):
            guard let cached = longLink(url), request.asker.contains(cached.link.application) else {
                return .unknown
            }
            let redeem = Redeem(status: .none, limit: nil, used: 0)
            return answer(cached.link, cached.application, request, nil, redeem, isReplay: false)
        case .clickID(let text):
            let (text, _) = ClickID.split(text)
            guard let click = read(clickID: text), let link = try await store.link(click.link),
                request.asker.contains(link.application)
            else { return .unknown }
            if !click.counted, link.content.maxClicks != nil { try await clicks.flush() }
            var once = idempotency(request, at: now)
            if request.redeemsOncePerClick {
                // A record of the click's redeem outlives changes of the link, so the link's state is checked first. Without
                // a limit there is nothing to take, and nothing to store.
                switch link.redeemPlan(at: now, taking: request.redeems, ignoringMaxClicks: click.counted) {
                case .unavailable(let state): return .unavailable(state)
                case .answer: break
                case .take: once = onceFor(text, click)
                }
            }
            return try await redeem(link.id, request, ofClick: click.counted, at: now, idempotency: once)
        }
    }

    func cachedOrLoaded(at host: HostName, slug: Slug) async throws(StoreError) -> CachedLink? {
        // No remembered links: apps receive an error if the store is unavailable.
        let directory = applications.directory.current
        if case .found(let cached, _) = cached(at: host, slug: slug, in: directory, remembering: false) {
            return cached
        }
        guard case .found(let cached, _) = try await load(at: host, slug: slug, remembering: false) else { return nil }
        return cached
    }

    private func answer(
        _ link: Link, _ application: ServedApplication, _ request: ResolveInput, _ metadata: [UInt8]?,
        _ redeem: Redeem, isReplay: Bool
    ) -> ResolveOutcome {
        if !isReplay, link.id != .unstored {
            activity.add(
                LinkActivity(resolves: 1, redeems: redeem.status == .redeemed ? 1 : 0), of: link.id,
                at: dependencies.now())
        }
        let opened: OpenedSuffix? =
            switch request.target {
            case .smartlink(_, _, let opened): opened
            case .clickID(let text): ClickID.split(text).opened
            case .longLink: nil
            }
        return .answered(
            ResolvedLink(
                link: link, application: application,
                deepLink: link.deepLink(
                    application: application.application, platform: request.platform, opened: opened),
                metadata: metadata, redeem: redeem, isReplay: isReplay))
    }

    private func redeem(
        _ id: LinkID, _ request: ResolveInput, ofClick: Bool, at now: Timestamp, idempotency: RedeemIdempotency?
    ) async throws(StoreError) -> ResolveOutcome {
        let outcome = try await store.redeem(
            id, at: now, taking: request.redeems, ignoringMaxClicks: ofClick, idempotency: idempotency)
        switch outcome {
        case .unknown: return .unknown
        case .mismatch: return .mismatch
        case .unavailable(_, let state): return .unavailable(state)
        case .answered(let link, let metadata, let redeem, let isReplay):
            guard let application = applications.directory.current.application(link.application) else {
                return .unknown
            }
            return answer(link, application, request, metadata, redeem, isReplay: isReplay)
        }
    }

    private func idempotency(_ request: ResolveInput, at now: Timestamp) -> RedeemIdempotency? {
        request.idempotency.map {
            RedeemIdempotency(
                scope: $0.scope, fingerprint: $0.fingerprint,
                expiresAt: Timestamp(rawValue: now.rawValue + configuration.idempotencyLifetime))
        }
    }

    /// The record of a click's one redeem, kept until the click ID has expired on every server.
    private func onceFor(_ clickID: String, _ click: ClickID.Content) -> RedeemIdempotency {
        RedeemIdempotency(
            scope: Digest.of("redeem", clickID, sha256: dependencies.sha256), fingerprint: [],
            expiresAt: click.end, storesExhausted: false)
    }
}

/// A resolve by an app that was opened by a link.
package struct ResolveInput: Sendable {
    package enum Target: Sendable, Equatable {
        case smartlink(HostName, Slug, opened: OpenedSuffix?)
        /// As received by the app, perhaps with what the click brought.
        case clickID(String)
        /// The whole URL of a long link.
        case longLink(String)
    }

    package var target: Target
    package var platform: Platform
    /// False to get everything except the metadata, without taking a redeem.
    package var redeems: Bool
    /// The application of the caller's key; nil: all.
    package var asker: ApplicationReach
    package var idempotency: IdempotencyKey?
    /// Whether a click ID takes at most one redeem, and gets the same response until it expires.
    package var redeemsOncePerClick = false

    package init(
        target: Target, platform: Platform = .web, redeems: Bool = true, asker: ApplicationReach,
        idempotency: IdempotencyKey? = nil
    ) {
        self.target = target
        self.platform = platform
        self.redeems = redeems
        self.asker = asker
        self.idempotency = idempotency
    }
}

package enum ResolveOutcome: Sendable {
    case answered(ResolvedLink)
    /// No such link, a forged or expired click ID, or a link of an application that the caller has no access to.
    case unknown
    case unavailable(LinkState)
    /// The idempotency key was used with another body before.
    case mismatch
}

/// The result of a resolve.
package struct ResolvedLink: Sendable {
    package var link: Link
    package var application: ServedApplication
    package var deepLink: DeepLink
    /// The JSON object as sent; nil if there is none, or none for this resolve.
    package var metadata: [UInt8]?
    package var redeem: Redeem
    /// Whether the response is repeated, and no redeem was taken.
    package var isReplay: Bool

    init(
        link: Link, application: ServedApplication, deepLink: DeepLink, metadata: [UInt8]?, redeem: Redeem,
        isReplay: Bool
    ) {
        self.link = link
        self.application = application
        self.deepLink = deepLink
        self.metadata = metadata
        self.redeem = redeem
        self.isReplay = isReplay
    }
}
