import Logging
import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// The one link of an application for a `uri`, stored or not. Its slug is derived from the `uri`, so two requests at once
/// create one link, also on two servers.
struct LazyLink {
    let domain: HostName
    let slug: Slug
    private let uri: HokoURI
    private let served: ServedApplication

    /// Nil for an invalid `uri`, and for one of another site or app. Cheap, because everybody can ask: the search for a
    /// template is in `creation`.
    init?(_ uri: String, for served: ServedApplication, on domain: HostName, _ site: Site) async throws(StoreError) {
        guard let parsed = HokoURI(uri), parsed.isOwn(of: served.application) else { return nil }
        self.uri = parsed
        self.served = served
        self.domain = domain
        slug = try await site.service.derivedSlug(of: uri, for: served.id, on: domain)
    }

    /// The link to store. Nil if it leads to a host that the application does not name: anybody can write a `uri`.
    func creation(_ site: Site) -> NewLink? {
        let application = served.application
        let directory = site.service.applications.directory.current
        guard let request = uri.request(for: application, site.hokoTemplates.index(of: served)),
            case .valid(let valid) = request.validate(for: application, notInto: directory.smartlinkHosts),
            Self.isAllowed(valid.content, in: application)
        else { return nil }
        return NewLink(application: served.id, domain: domain, slug: slug, content: valid.content)
    }

    private static func isAllowed(_ content: LinkContent, in application: Application) -> Bool {
        // URLs of a template are the application's own and not in `content`.
        content.urls.values.allSatisfy { entry in
            guard entry.link.isWeb else { return application.allowedSchemes.contains(entry.link.scheme) }
            return WebURL(entry.link.text)?.host.map(application.isOwnDestination) ?? false
        }
    }

    /// The domain of lazy links that are requested at a host.
    static func domain(of served: ServedApplication, at host: HostName) -> HostName? {
        served.domain(given: host) ?? served.linkDomains.first
    }

    /// The query without the `uri`.
    static func query(_ raw: String?) -> String? {
        let pairs = (raw ?? "").split(separator: "&").filter { QueryString(Array($0.utf8)).names != ["uri"] }
        return pairs.isEmpty ? nil : pairs.joined(separator: "&")
    }
}

/// `GET /lazy?uri=…` on a host whose application has lazy links: creates the link if it is missing, and visits it.
struct LazyVisit: Sendable {
    private let site: Site
    private let visit: Visit
    private let host: HostName
    private let application: ServedApplication
    private let uris: [String]

    /// Nil if the host has no lazy links.
    init?(_ head: RequestHead, _ bytes: Span<UInt8>, from peer: Peer, _ site: Site) {
        let directory = site.service.applications.directory.current
        guard let host = VisitHost.name(head, bytes),
            let application = directory.applications(at: host).first(where: { $0.application.hoko.isLazy })
        else { return nil }
        self.site = site
        self.host = host
        self.application = application
        uris = QueryString(head.query?.copy(of: bytes)).all("uri")
        var visit = Visit(
            head, bytes, segment: "lazy", from: peer, Visit.visitorClass(head, bytes),
            countryField: site.options.countryField, countries: site.service.countries)
        visit.visitor.query = LazyLink.query(visit.visitor.query)
        self.visit = visit
    }

    func answer() async -> Response {
        do {
            return try await attempt()
        } catch {
            site.logger.warning("a lazy link was not answered: \(error)")
            return VisitResponse.storeAway(as: visit.problemFormat)
        }
    }

    private func attempt() async throws(StoreError) -> Response {
        if let query = visit.visitor.query, ClickQuery.holdsControlCharacters(query) {
            return VisitResponse.badQuery(as: visit.problemFormat)
        }
        guard uris.count == 1, let uri = uris.first, let domain = LazyLink.domain(of: application, at: host) else {
            return refusal("A lazy link needs the parameter uri, once.")
        }
        guard let link = try await LazyLink(uri, for: application, on: domain, site) else {
            return refusal("The uri must be a path, or a URL of this application's sites or apps.")
        }
        let directory = site.service.applications.directory.current
        if case .found? = site.service.cached(at: host, slug: link.slug, in: directory) {
            return await StoredVisit(site: site, visit: visit, host: host, slug: link.slug).answer()
        }
        // Before the store is asked and a template searched: anybody can make up any number of URIs.
        if let seconds = site.callers.take(.create, visit.peer) {
            return StatePage.rateLimited(retryAfter: seconds, as: visit.problemFormat)
        }
        if try await site.service.find(link.domain, link.slug, for: .one(application.id)) == nil {
            guard let creation = link.creation(site) else {
                return refusal("The uri can't become a link of this application.")
            }
            // If another request has created it in the meantime, it is the same link.
            _ = try await site.service.create([creation])
        }
        return await StoredVisit(site: site, visit: visit, host: host, slug: link.slug).answer()
    }

    private func refusal(_ detail: String) -> Response {
        StatePage.response(Problem(.malformedRequest, detail), as: visit.problemFormat)
    }
}
