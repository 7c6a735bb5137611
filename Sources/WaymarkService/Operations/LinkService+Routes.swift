package import WaymarkLinks
package import WaymarkStores

extension LinkService {
    /// Stores a route reported by an app.
    package func register(
        _ route: RegisteredRoute, of id: ApplicationID
    ) async throws(StoreError) -> RouteRegistration {
        try await store.register(route, of: id, limit: RegisteredRoute.limit)
    }

    /// The most folders that are told; beyond them the last by path are left out.
    package static let mostFolders = 10_000

    /// The folders of applications that `asker` may see, with the links in each.
    package func folders(
        of application: ApplicationID?, for asker: ApplicationReach
    ) async throws(StoreError) -> [FolderCount] {
        if let application, !asker.contains(application) { return [] }
        return try await store.folders(of: application.map { [$0] } ?? asker.applications, atMost: Self.mostFolders)
    }

    /// Sorted by path.
    package func registeredRoutes(of id: ApplicationID) async throws(StoreError) -> [RegisteredRoute] {
        try await store.registeredRoutes(of: id)
    }
}
