package import WaymarkLinks

extension SQLStore {
    package func register(
        _ route: RegisteredRoute, of id: ApplicationID, limit: Int
    ) async throws(StoreError) -> RouteRegistration {
        try await transact(as: .registerRoute) { transaction in
            // The application must not be deleted meanwhile, and the number of its routes must not change.
            try transaction.lockRegistry()
            let application = try transaction.rows(.number(of: id)) { try $0.number(0) }.first
            guard let application else { return .applicationUnknown }
            let counts = try transaction.rows(
                SQLStatement(
                    "SELECT count(*), count(*) FILTER (WHERE path = $2) FROM registered_route WHERE application = $1",
                    .number(application), .text(route.path.text))
            ) { (all: try $0.count(0), same: try $0.count(1)) }
            guard let counts = counts.first, counts.same > 0 || counts.all < limit else { return .full }
            try transaction.run(route.replacement(of: application))
            var after = AuditValues()
            after.add("platform", route.platform?.rawValue)
            after.add("version", route.version)
            after.add("urlSchemes", route.urlSchemes)
            try transaction.audit(.routeRegistered, AuditObject(.route, route.path.text), of: id, after: after)
            return counts.same > 0 ? .replaced : .registered
        }
    }

    package func registeredRoutes(of id: ApplicationID) async throws(StoreError) -> [RegisteredRoute] {
        let routes = SQLStatement(ArchivedRoute.selection + "WHERE application.name = $1 ORDER BY path", .text(id.text))
        return try await read(as: .registeredRoutes, routes) { try ArchivedRoute($0).route }
    }
}

extension SQLArchive {
    package func routes() throws(StoreError) -> [ArchivedRoute] {
        try rows(SQLStatement(ArchivedRoute.selection + "ORDER BY application.name, path")) { try ArchivedRoute($0) }
    }
}

extension SQLStatement {
    package static func number(of id: ApplicationID) -> SQLStatement {
        SQLStatement("SELECT number FROM application WHERE name = $1", .text(id.text))
    }
}

extension RegisteredRoute {
    /// - Parameter application: its number.
    package func replacement(of application: Int64) -> SQLStatement {
        SQLStatement(
            """
            INSERT INTO registered_route
                (application, path, platform, device, build, version, url_schemes, registered_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            ON CONFLICT (application, path) DO UPDATE SET platform = excluded.platform, device = excluded.device,
                build = excluded.build, version = excluded.version, url_schemes = excluded.url_schemes,
                registered_at = excluded.registered_at
            """, .number(application), .text(path.text), .text(platform?.rawValue), .text(device), .text(build),
            .text(version), .text(urlSchemes.joined(separator: " ")), .time(registeredAt))
    }
}

extension ArchivedRoute {
    fileprivate static let selection: SQLText = """
        SELECT application.name, path, platform, device, build, registered_route.version, url_schemes, registered_at
        FROM registered_route JOIN application ON application.number = registered_route.application\u{20}
        """

    fileprivate init(_ row: any SQLRow) throws {
        self.init(
            application: try row.present(ApplicationID(row.text(0))),
            route: RegisteredRoute(
                path: try row.present(Route(row.text(1))), platform: try row.platform(2),
                device: try row.optionalText(3), build: try row.optionalText(4), version: try row.optionalText(5),
                urlSchemes: try row.text(6).split(separator: " ").map(String.init),
                registeredAt: try row.timestamp(7)))
    }
}
