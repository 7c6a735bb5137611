package import WaymarkLinks

extension LinkService {
    /// The fast lane: what can be said without asking the store, or nil. Synchronous.
    ///
    /// Where several domains are looked at for a host, only the first counts here: that an earlier domain lacks the
    /// slug is something that only the store can tell.
    ///
    /// While changes by other servers may be missed it is what `storeHealth` permits, unless `remembering` is false.
    package func cached(
        at host: HostName, slug: Slug, in directory: ApplicationDirectory, remembering: Bool = true
    ) -> VisitLookup? {
        guard let candidates = directory.lookup(at: host) else { return .unknownHost }
        guard let first = candidates.candidates.first,
            let cached = usable(LinkKey(first.domain, slug), remembering: remembering)
        else { return nil }
        guard first.applications.contains(cached.application.id) else { return nil }
        return .found(cached, atOpenHost: first.isOpenHost)
    }

    private func usable(_ key: LinkKey, remembering: Bool) -> CachedLink? {
        if let cached = cache.link(at: key) { return cached }
        guard remembering, storeHealth.mode != .live, let cached = cache.remembered(at: key),
            let since = cached.rememberedSince,
            storeHealth.permits(rememberedSince: since, now: dependencies.uptime())
        else { return nil }
        return cached
    }

    /// What stands there, from the store where it isn't cached. An event loop may keep the link for as long as it
    /// isn't stale.
    ///
    /// A link that was cached and is doubted is served where the store does not answer within a second, unless
    /// `remembering` is false.
    package func load(
        at host: HostName, slug: Slug, remembering: Bool = true
    ) async throws(StoreError) -> VisitLookup {
        let directory = applications.directory.current
        guard let candidates = directory.lookup(at: host) else { return .unknownHost }
        // All fills begin before the first read: a link that appears on an earlier domain while a later one is read
        // invalidates the later one, and must find its fill begun.
        let fills = candidates.candidates.map { (candidate: $0, fill: cache.beginFill(LinkKey($0.domain, slug))) }
        for (candidate, fill) in fills {
            let key = LinkKey(candidate.domain, slug)
            if let cached = usable(key, remembering: remembering),
                candidate.applications.contains(cached.application.id)
            {
                return .found(cached, atOpenHost: candidate.isOpenHost)
            }
            let start = dependencies.uptime()
            let found: Link?
            do throws(StoreError) {
                found = try await link(candidate.domain, slug, or: remembering ? cache.remembered(at: key) : nil)
            } catch {
                guard case .unavailable = error, remembering, let cached = cache.remembered(at: key),
                    let since = cached.rememberedSince,
                    storeHealth.permitsAway(rememberedSince: since, now: dependencies.uptime()),
                    candidate.applications.contains(cached.application.id)
                else { throw error }
                return .found(cached, atOpenHost: candidate.isOpenHost)
            }
            guard let link = found, candidate.applications.contains(link.application),
                let application = directory.application(link.application)
            else {
                // Whatever was remembered is no longer there.
                if found == nil, cache.remembered(at: key) != nil { cache.invalidate(key) }
                continue
            }
            let cached = CachedLink(
                link, application: application, quota: quotas.quota(for: link),
                goodUntil: storeHealth.mode == .live ? nil : start)
            cache.insert(cached, at: key, fill: fill)
            return .found(cached, atOpenHost: candidate.isOpenHost)
        }
        return .unknownSlug(directory.applications(at: host))
    }

    /// What the store has; where there is something to serve instead, it is waited for only for a second.
    private func link(
        _ domain: HostName, _ slug: Slug, or remembered: CachedLink?
    ) async throws(StoreError) -> Link? {
        guard remembered != nil else { return try await store.link(domain, slug) }
        let store = store
        return try await limited(to: .seconds(1)) { () async throws(StoreError) in
            try await store.link(domain, slug)
        }
    }

    /// Forgets a link that was changed here or elsewhere; to be called before the change is answered.
    package func forget(_ key: LinkKey) { cache.invalidate(key) }

    /// Forgets what links that may just have been created hide: their slugs on domains that are looked at behind theirs.
    func uncover(_ drafts: [NewLink]) {
        let directory = applications.directory.current
        // Asked with each creation, and hardly any directory has such hosts.
        guard directory.hides else { return }
        var hidden: [HostName: Set<HostName>] = [:]
        for draft in drafts {
            let domains = hidden[draft.domain] ?? directory.domainsHidden(behind: draft.domain)
            hidden[draft.domain] = domains
            for domain in domains { cache.invalidate(LinkKey(domain, draft.storedSlug)) }
        }
    }
}
