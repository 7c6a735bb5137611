package import WaymarkLinks
package import WaymarkStores

extension LinkService {
    /// Stores a route that an app has reported.
    package func register(
        _ route: RegisteredRoute, of id: ApplicationID
    ) async throws(StoreError) -> RouteRegistration {
        try await store.register(route, of: id, limit: RegisteredRoute.limit)
    }

    /// By path.
    package func registeredRoutes(of id: ApplicationID) async throws(StoreError) -> [RegisteredRoute] {
        try await store.registeredRoutes(of: id)
    }
}
