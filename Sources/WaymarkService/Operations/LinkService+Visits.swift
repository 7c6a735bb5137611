package import WaymarkLinks
package import WaymarkStores

extension LinkService {
    /// The fast path: the result if it is known without the store, otherwise nil. Synchronous.
    ///
    /// If a host searches several domains, only the first one is checked: only the store knows that an earlier domain
    /// lacks the slug.
    ///
    /// While changes by other servers may be missed, `storeHealth` decides what may be served, unless `remembering`
    /// is false.
    package func cached(
        at host: HostName, slug: Slug, in directory: ApplicationDirectory, remembering: Bool = true
    ) -> VisitLookup? {
        guard let candidates = directory.lookup(at: host) else {
            return directory.isUnreadable(host) ? nil : .unknownHost
        }
        guard let first = candidates.candidates.first,
            let cached = usable(directory.key(of: slug, in: first), remembering: remembering)
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

    /// Looks up a host and slug, in the store if it is not cached. An event loop may keep the link until it is stale.
    ///
    /// A cached link that may be outdated is served if the store does not respond within a second, unless
    /// `remembering` is false.
    package func load(
        at host: HostName, slug: Slug, remembering: Bool = true
    ) async throws(StoreError) -> VisitLookup {
        let directory = applications.directory.current
        guard let candidates = directory.lookup(at: host) else {
            guard directory.isUnreadable(host) else { return .unknownHost }
            throw .corrupt("the application of a host can't be read")
        }
        // All fills begin before the first read: a link created on an earlier domain while a later one is read
        // invalidates the later one, whose fill must have begun.
        let fills = candidates.candidates.map { candidate in
            let key = directory.key(of: slug, in: candidate)
            return (candidate: candidate, key: key, fill: cache.beginFill(key))
        }
        for (candidate, key, fill) in fills {
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
                guard error.mayPass, remembering, let cached = cache.remembered(at: key),
                    let since = cached.rememberedSince,
                    storeHealth.permitsAway(rememberedSince: since, now: dependencies.uptime()),
                    candidate.applications.contains(cached.application.id)
                else { throw error }
                return .found(cached, atOpenHost: candidate.isOpenHost)
            }
            guard let link = found, candidate.applications.contains(link.application),
                let application = directory.application(link.application)
            else {
                // A remembered link no longer exists.
                if found == nil, cache.remembered(at: key) != nil { cache.invalidate(key) }
                continue
            }
            let cached = CachedLink(
                link, application: application, quota: quotas.quota(for: link),
                goodUntil: storeHealth.mode == .live ? nil : start)
            // Changes would not find a link that one of several applications has only because it ignores case.
            let address = LinkAddress(domain: candidate.domain, slug: slug)
            if key != LinkKey(candidate.domain, caseFolded: slug), !link.addresses.contains(address) {
                cached.markStale()
            } else {
                cache.insert(cached, at: key, fill: fill)
            }
            return .found(cached, atOpenHost: candidate.isOpenHost)
        }
        return .unknownSlug(directory.applications(at: host))
    }

    /// Of the readings of a path the first that is a link's; the whole path if none is. A shorter slug than the whole
    /// path counts only where the link's application appends the rest.
    package func locate(
        _ target: OpenedPath.Target, at host: HostName, remembering: Bool = true
    ) async throws(StoreError) -> OpenedPath.Reading? {
        guard applications.directory.current.appendsExtraPaths(at: host) else {
            return target.slug.map { OpenedPath.Reading($0) }
        }
        let readings = target.readings
        guard readings.count > 1 || readings.first?.path.isEmpty == false else { return readings.first }
        for reading in readings {
            guard case .found(let cached, _) = try await load(at: host, slug: reading.slug, remembering: remembering)
            else { continue }
            if reading.path.isEmpty || cached.application.application.appendsExtraPath { return reading }
        }
        return readings.first.flatMap { $0.path.isEmpty ? $0 : nil }
    }

    /// The stored link; waits only a second if there is a remembered one to serve instead.
    private func link(
        _ domain: HostName, _ slug: Slug, or remembered: CachedLink?
    ) async throws(StoreError) -> Link? {
        guard remembered != nil else { return try await store.link(domain, slug) }
        let store = store
        return try await limited(to: .seconds(1)) { () async throws(StoreError) in
            try await store.link(domain, slug)
        }
    }

    /// Removes a changed link from the cache. Must be called before the change is acknowledged.
    package func forget(_ domain: HostName, _ slug: Slug) { cache.invalidate(domain, slug) }

    /// The same under all addresses of the link.
    func forget(_ link: Link) {
        for address in link.addresses { forget(address.domain, address.slug) }
    }

    /// Removes links from the cache that new links may hide: the same slugs on domains that are searched later.
    func uncover(_ drafts: [NewLink]) {
        let directory = applications.directory.current
        // Called on every creation, but hardly any directory has such hosts.
        guard directory.hides else { return }
        var hidden: [HostName: Set<HostName>] = [:]
        for address in drafts.lazy.flatMap(\.addresses) {
            let domains = hidden[address.domain] ?? directory.domainsHidden(behind: address.domain)
            hidden[address.domain] = domains
            for domain in domains { forget(domain, address.slug) }
        }
    }
}
