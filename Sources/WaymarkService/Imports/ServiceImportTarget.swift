package import WaymarkImports
package import WaymarkLinks
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
        try await service.find(domain, slug, for: .all)
    }

    package func create(_ links: [NewLink]) async throws -> [CreationOutcome] {
        var links = links
        // Each takes long enough for the import to be stopped meanwhile.
        for index in links.indices {
            guard mayWrite() else { throw CancellationError() }
            guard let password = links[index].password else { continue }
            links[index].content.password = try await service.passwords.hash(password)
            links[index].password = nil
        }
        guard mayWrite() else { throw CancellationError() }
        guard case .done(let outcomes) = try await service.create(links) else { return [] }
        return outcomes
    }
}

/// The application and the domain that links are imported into.
package struct ImportDestination: Sendable {
    package let preparation: ImportPreparation
    package let application: ServedApplication

    package init(preparation: ImportPreparation, application: ServedApplication) {
        self.preparation = preparation
        self.application = application
    }
}
