package import WaymarkImports
package import WaymarkLinks
package import WaymarkService
import WaymarkStores

/// Imports into a running service: new links are served immediately, and written in its commits.
package struct ServiceImportTarget: ImportTarget {
    private let service: LinkService
    private let mayWrite: @Sendable () -> Bool

    /// - Parameter mayWrite: asked before each transaction.
    package init(_ service: LinkService, mayWrite: @escaping @Sendable () -> Bool = { true }) {
        self.service = service
        self.mayWrite = mayWrite
    }

    package var now: Timestamp { service.dependencies.now() }

    package func find(_ domain: HostName, _ slug: Slug) async throws -> Link? {
        try await service.find(domain, slug, for: nil)
    }

    package func create(_ links: [NewLink]) async throws -> [CreationOutcome] {
        guard mayWrite() else { throw CancellationError() }
        guard case .done(let outcomes) = try await service.create(links) else { return [] }
        return outcomes
    }
}

/// The application and the domain that links are imported into.
package struct ImportDestination: Sendable {
    package let preparation: ImportPreparation
    package let application: ServedApplication

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
        self.application = application
        preparation = ImportPreparation(
            application.application, domains: application.linkDomains,
            firebaseIdentities: ApplicationDocument.firebaseIdentities(application.document),
            smartlinkHosts: service.applications.directory.current.smartlinkHosts, domain: domain,
            sha256: service.dependencies.sha256)
    }
}
