import WaymarkAPI
import WaymarkLinks
import WaymarkService

/// Finds the link that a path names: by domain and slug, or by a slug that stands on one domain only.
enum LinkLookup {
    /// - Throws: `Problem` where there is none, or more than one; `StoreError`.
    static func link(_ call: Call, _ site: Site) async throws -> (link: Link, application: Application) {
        let asker = call.key.application
        let link: Link
        switch call.parameters.count {
        case 1:
            guard let slug = Slug(call.parameters[0]) else { throw Problem.linkUnknown }
            switch try await site.service.find(slug, for: asker) {
            case .unknown: throw Problem.linkUnknown
            case .several(let domains):
                throw Problem(
                    .slugAmbiguous,
                    "The slug stands on \(domains.count) domains: name one, as in \(Endpoint.links)/DOMAIN/SLUG.")
            case .one(let found): link = found
            }
        default:
            guard let host = HostName(call.parameters[0]), let slug = Slug(call.parameters[1]),
                let found = try await site.service.find(host, slug, for: asker)
            else { throw Problem.linkUnknown }
            link = found
        }
        guard let served = site.service.applications.directory.current.application(link.application) else {
            throw Problem.linkUnknown
        }
        return (link, served.application)
    }
}
