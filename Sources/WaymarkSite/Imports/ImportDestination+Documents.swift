import WaymarkImports
package import WaymarkLinks
package import WaymarkService

// Destinations with the apps of their application, which its document names.

extension ImportDestination {
    /// - Parameters:
    ///   - app: nil: the only one.
    ///   - domain: for all links; nil: the domain that the source names.
    /// - Throws: `SourceError` if there is no such application, or the domain is not its own.
    package init(app: String?, domain: String?, in service: LinkService) throws {
        let directory = service.applications.directory.current
        let known = directory.applications.map(\.id.text).joined(separator: ", ")
        guard let application = app.map({ ApplicationID($0).flatMap { directory.application($0) } }) ?? directory.only
        else {
            throw SourceError(
                app.map { "app: there is no application \"\($0)\"; there are: \(known)" }
                    ?? "app: is missing; it can be left out only where there is one application")
        }
        var host: HostName?
        if let domain {
            host = HostName(domain).flatMap { application.domain(given: $0) }
            guard host != nil else {
                let domains = application.linkDomains.map(\.text).joined(separator: ", ")
                throw SourceError("domain: \"\(domain)\" is not one of the application's domains: \(domains)")
            }
        }
        self.init(application, domain: host, in: service)
    }

    /// - Parameter domain: one of the application's domains, for all links; nil: the domain that the source names.
    package init(_ application: ServedApplication, domain: HostName?, in service: LinkService) {
        self.init(
            preparation: ImportPreparation(
                application.application, domains: application.linkDomains,
                firebaseIdentities: ApplicationDocument.firebaseIdentities(application.document),
                smartlinkHosts: service.applications.directory.current.smartlinkHosts, domain: domain,
                sha256: service.dependencies.sha256),
            application: application)
    }
}
