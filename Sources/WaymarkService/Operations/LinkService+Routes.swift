package import WaymarkLinks
package import WaymarkStores

extension LinkService {
    /// Stores a route reported by an app.
    package func register(
        _ route: RegisteredRoute, of id: ApplicationID
    ) async throws(StoreError) -> RouteRegistration {
        try await store.register(route, of: id, limit: RegisteredRoute.limit)
    }

    /// Sorted by path.
    package func registeredRoutes(of id: ApplicationID) async throws(StoreError) -> [RegisteredRoute] {
        try await store.registeredRoutes(of: id)
    }
}
