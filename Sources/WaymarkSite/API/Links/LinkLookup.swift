import WaymarkAPI
import WaymarkLinks
import WaymarkService

/// Finds the link in a path: by domain and slug, or by a slug that exists on only one domain.
enum LinkLookup {
    /// - Throws: `Problem` if there is none or more than one; `StoreError`.
    static func link(_ call: Call, _ site: Site) async throws -> (link: Link, application: Application) {
        let link =
            call.parameters.count == 1
            ? try await link(slug: call.parameters[0], call, site)
            : try await link(domain: call.parameters[0], slug: call.parameters[1], call, site)
        guard let served = site.service.applications.directory.current.application(link.application) else {
            throw Problem.linkUnknown
        }
        return (link, served.application)
    }

    private static func link(slug: String, _ call: Call, _ site: Site) async throws -> Link {
        guard let slug = Slug(slug) else { throw Problem.linkUnknown }
        switch try await site.service.find(slug, for: call.reach) {
        case .unknown: throw Problem.linkUnknown
        case .several(let domains):
            throw Problem(
                .slugAmbiguous,
                "The slug stands on \(domains.count) domains: name one, as in \(Endpoint.links)/DOMAIN/SLUG.")
        case .one(let link): return link
        }
    }

    /// Nil if there is no such link that the key may see.
    static func find(domain: String, slug: Slug, _ call: Call, _ site: Site) async throws -> Link? {
        for domain in domains(domain, site.service.applications.directory.current) {
            if let link = try await site.service.find(domain, slug, for: call.reach) { return link }
        }
        return nil
    }

    private static func link(domain: String, slug text: String, _ call: Call, _ site: Site) async throws -> Link {
        if let slug = Slug(text), let link = try await find(domain: domain, slug: slug, call, site) { return link }
        guard parts.contains(text) else { throw Problem.linkUnknown }
        throw Problem(
            .linkUnknown,
            "There is no such link. If \"\(text)\" was meant as a part of a link, name the link by domain and slug: "
                + "\(Endpoint.links)/DOMAIN/SLUG/\(text).")
    }

    /// The parts of a link that are only available with its domain.
    private static let parts: Set<String> = ["metadata", "clicks", "events", "history", "qr.png", "qr.svg"]

    /// The domains of links to search for a given domain, in order. The domain may have a port. `localhost` and its
    /// addresses also match the links of all applications without domains, as for visitors.
    private static func domains(_ text: String, _ directory: ApplicationDirectory) -> [HostName] {
        guard let host = HostName(text) ?? HostName(hostHeader: text) else { return [] }
        guard loopback.contains(host) else { return [host] }
        let visited = directory.lookup(at: host)?.candidates.map(\.domain) ?? []
        return ([host] + visited + loopback).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    private static let loopback = ["localhost", "127.0.0.1", "[::1]"].compactMap { HostName($0) }
}
