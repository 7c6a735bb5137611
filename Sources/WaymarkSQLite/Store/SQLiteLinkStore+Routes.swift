internal import GRDB
package import WaymarkLinks
package import WaymarkStores

extension SQLiteLinkStore {
    package func register(
        _ route: RegisteredRoute, of id: ApplicationID, limit: Int
    ) async throws(StoreError) -> RouteRegistration {
        try await write(as: .registerRoute) { try $0.register(route, of: id, limit: limit) }
    }

    package func registeredRoutes(of id: ApplicationID) async throws(StoreError) -> [RegisteredRoute] {
        try await read(as: .registeredRoutes) { try $0.registeredRoutes(of: id).map(\.route) }
    }
}

extension WriteSession {
    func register(_ route: RegisteredRoute, of id: ApplicationID, limit: Int) throws -> RouteRegistration {
        let number = try database.row("SELECT number FROM application WHERE name = ?", [id.text]) { try $0.number(0) }
        guard let number else { return .applicationUnknown }
        let counts = try database.row(
            "SELECT count(*), count(*) FILTER (WHERE path = ?) FROM registered_route WHERE application = ?",
            [route.path.text, number]
        ) { (all: try $0.count(0), same: try $0.count(1)) }
        guard let counts, counts.same > 0 || counts.all < limit else { return .full }
        try write(route, of: number)
        return counts.same > 0 ? .replaced : .registered
    }

    /// - Parameter application: its number.
    func write(_ route: RegisteredRoute, of application: Int64) throws {
        try database.run(
            """
            INSERT OR REPLACE INTO registered_route
                (application, path, platform, device, build, version, url_schemes, registered_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                application, route.path.text, route.platform?.rawValue, route.device, route.build, route.version,
                route.urlSchemes.joined(separator: " "), route.registeredAt.rawValue,
            ])
    }
}

extension Database {
    /// - Parameter id: the application; nil: all, sorted by ID.
    func registeredRoutes(of id: ApplicationID? = nil) throws -> [ArchivedRoute] {
        try rows(
            """
            SELECT application.name, path, platform, device, build, registered_route.version, url_schemes, registered_at
            FROM registered_route JOIN application ON application.number = registered_route.application
            \(id == nil ? "" : "WHERE application.name = ?") ORDER BY application.name, path
            """, id.map { [$0.text] } ?? []
        ) { row in
            guard let application = ApplicationID(try row.text(0)), let path = Route(try row.text(1)) else {
                throw Row.damaged
            }
            return ArchivedRoute(
                application: application,
                route: RegisteredRoute(
                    path: path, platform: try row.platform(2), device: try row.optionalText(3),
                    build: try row.optionalText(4), version: try row.optionalText(5),
                    urlSchemes: try row.text(6).split(separator: " ").map(String.init),
                    registeredAt: try row.timestamp(7)))
        }
    }
}

extension Row {
    func platform(_ column: Int) throws(StoreError) -> Platform? {
        guard let name = try optionalText(column) else { return nil }
        guard let platform = Platform(rawValue: name) else { throw Self.damaged }
        return platform
    }
}
