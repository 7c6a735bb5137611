import Logging
import WaymarkHTTP
import WaymarkLinks
import WaymarkMetrics
import WaymarkServer
import WaymarkService
import WaymarkStores

/// A visit that needs the store: to load the link, or to admit a click under its limit. Runs as a task.
struct StoredVisit: Sendable {
    let site: Site
    let visit: Visit
    let host: HostName
    let slug: Slug

    /// A visit of a path that may be a slug with a further path behind it.
    static func response(
        to visit: Visit, at host: HostName, _ path: OpenedPath.Target, _ site: Site
    ) async -> Response {
        do {
            guard let reading = try await site.service.locate(path, at: host) else {
                if let slug = path.slug,
                    let response = StoredVisit(site: site, visit: visit, host: host, slug: slug).longLink(slug)
                {
                    return response
                }
                let applications = site.service.applications.directory.current.applications(at: host)
                return VisitResponse.unknown(applications.map(\.application), to: visit, at: site)
            }
            return await StoredVisit(site: site, visit: visit.reading(reading), host: host, slug: reading.slug).answer()
        } catch {
            site.logger.warning("a visit was not answered: \(error)")
            return VisitResponse.storeAway(as: visit.problemFormat)
        }
    }

    func answer() async -> Response {
        do {
            // A link that changes while its click is being admitted is loaded again. Links can't change fast enough for
            // this to matter, but the number of attempts is bounded anyway.
            for _ in 0..<8 {
                if let response = try await attempt() { return response }
            }
            return VisitResponse.storeAway(as: visit.problemFormat)
        } catch {
            site.logger.warning("a visit was not answered: \(error)")
            return VisitResponse.storeAway(as: visit.problemFormat)
        }
    }

    /// Nil if the link changed meanwhile.
    private func attempt() async throws(StoreError) -> Response? {
        switch try await site.service.load(at: host, slug: slug) {
        case .unknownHost: return VisitResponse.unknownHost(as: visit.problemFormat)
        case .unknownSlug(let served):
            return longLink(slug) ?? visit.unknown(at: host, slug, served, site)
        case .found(let cached, let atOpenHost):
            return try await answer(cached, atOpenHost: atOpenHost)
        }
    }

    /// Nil if the prefix and the query are none of a long link.
    private func longLink(_ prefix: Slug) -> Response? {
        guard let query = visit.visitor.query else { return nil }
        let lookup = site.service.longLink(at: host, path: "/" + prefix.encoded, query: query)
        if case .notServed = lookup { return nil }
        let mint = site.service.makeClickIDMint()
        let outcome = LongLinkVisit.outcome(of: visit, lookup, site, clickID: mint)
        return LongLinkVisit.response(to: outcome) {
            site.service.longLinkClicks.add()
        } recording: {
            site.service.clicks.record($0)
        }
    }

    private func answer(_ cached: CachedLink, atOpenHost: Bool) async throws(StoreError) -> Response? {
        let mint = site.service.makeClickIDMint()
        guard let visited = DecidedVisit(visit, cached, atOpenHost: atOpenHost, site, clickID: mint) else {
            return VisitResponse.storeAway(as: visit.problemFormat)
        }
        if visited.decision.counts, let quota = cached.quota {
            let isSpent = visited.decision.spendsLimit
            switch try await isSpent ? quota.admit() : quota.check() {
            case .admitted: if !isSpent { site.service.clicks.noteFree(cached.link.id) }
            case .exhausted: return visited.exhausted
            case .changed: return nil
            }
        }
        return visited.response { site.service.clicks.record($0) }
    }
}
