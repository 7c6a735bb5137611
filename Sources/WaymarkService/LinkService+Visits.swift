package import WaymarkLinks

extension LinkService {
    /// The fast lane: what can be said without asking the store, or nil. Synchronous.
    ///
    /// Where several domains are looked at for a host, only the first counts here: that an earlier domain lacks the
    /// slug is something that only the store can tell.
    package func cached(at host: HostName, slug: Slug, in directory: ApplicationDirectory) -> VisitLookup? {
        guard let places = directory.places(at: host) else { return .unknownHost }
        guard let first = places.places.first, let cached = cache.link(at: LinkKey(first.domain, slug)) else {
            return nil
        }
        guard first.applications.contains(cached.application.id) else { return nil }
        return .found(cached, atOpenHost: first.isOpenHost)
    }

    /// What stands there, from the store where it isn't cached. An event loop may keep the link for as long as it
    /// isn't stale.
    package func load(at host: HostName, slug: Slug) async throws(StoreError) -> VisitLookup {
        let directory = applications.directory.current
        guard let places = directory.places(at: host) else { return .unknownHost }
        // All fills begin before the first read: a link that appears on an earlier domain while a later one is read
        // invalidates the later one, and must find its fill begun.
        let fills = places.places.map { (place: $0, fill: cache.beginFill(LinkKey($0.domain, slug))) }
        for (place, fill) in fills {
            let key = LinkKey(place.domain, slug)
            if let cached = cache.link(at: key), place.applications.contains(cached.application.id) {
                return .found(cached, atOpenHost: place.isOpenHost)
            }
            guard let link = try await store.link(place.domain, slug), place.applications.contains(link.application),
                let application = directory.application(link.application)
            else { continue }
            let cached = CachedLink(link, application: application, allowance: allowances.allowance(for: link))
            cache.insert(cached, at: key, fill: fill)
            return .found(cached, atOpenHost: place.isOpenHost)
        }
        return .unknownSlug(directory.applications(at: host))
    }

    /// Forgets a link that was changed here or elsewhere; to be called before the change is answered.
    package func forget(_ key: LinkKey) { cache.invalidate(key) }

    /// Forgets what links that may just have been created hide: their slugs on domains that are looked at behind theirs.
    func uncover(_ drafts: [NewLink]) {
        let directory = applications.directory.current
        var hidden: [HostName: Set<HostName>] = [:]
        for draft in drafts {
            let domains = hidden[draft.domain] ?? directory.domainsHidden(behind: draft.domain)
            hidden[draft.domain] = domains
            for domain in domains { cache.invalidate(LinkKey(domain, draft.slug)) }
        }
    }
}
