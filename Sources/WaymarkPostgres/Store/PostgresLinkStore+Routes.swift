#if PostgreSQL
    package import WaymarkLinks
    package import WaymarkStores

    extension PostgresLinkStore {
        package func register(
            _ route: RegisteredRoute, of id: ApplicationID, limit: Int
        ) async throws(StoreError) -> RouteRegistration {
            try await writeAlone(as: .registerRoute) { try $0.register(route, of: id, limit: limit) }
        }

        package func registeredRoutes(of id: ApplicationID) async throws(StoreError) -> [RegisteredRoute] {
            try await read(
                as: .registeredRoutes,
                .init(
                    sql: RegisteredRoute.selection + " WHERE application.name = $1::text ORDER BY path", .text(id.text))
            ) { result in
                try (0..<result.count).map { try ArchivedRoute(result, $0).route }
            }
        }
    }

    extension Transaction {
        func register(_ route: RegisteredRoute, of id: ApplicationID, limit: Int) throws -> RouteRegistration {
            // The application must not be deleted meanwhile, and the number of its routes must not change.
            _ = try run(.lock, .number(LockKey.registry))
            let found = try run(.application, .text(id.text))
            guard found.count > 0 else { return .applicationUnknown }
            let number = try found.number(0, 0)
            let counts = try exchange([
                .init(
                    sql: """
                        SELECT count(*), count(*) FILTER (WHERE path = $2::text) FROM waymark.registered_route
                        WHERE application = $1::int8
                        """, .number(number), .text(route.path.text))
            ])
            guard let counted = counts.first else { throw QueryResult.damaged }
            let isKnown = try counted.count(0, 1) > 0
            guard try isKnown || counted.count(0, 0) < limit else { return .full }
            _ = try exchange([route.command(of: number)])
            return isKnown ? .replaced : .registered
        }
    }

    extension RegisteredRoute {
        static let selection = """
            SELECT application.name, path, platform, device, build, registered_route.version, url_schemes, registered_at
            FROM waymark.registered_route
                JOIN waymark.application ON application.number = registered_route.application
            """

        static let insertion = """
            INSERT INTO waymark.registered_route
                (application, path, platform, device, build, version, url_schemes, registered_at)
            VALUES ($1::int8, $2::text, $3::text, $4::text, $5::text, $6::text, $7::text, $8::int8)
            ON CONFLICT (application, path) DO UPDATE SET platform = excluded.platform, device = excluded.device,
                build = excluded.build, version = excluded.version, url_schemes = excluded.url_schemes,
                registered_at = excluded.registered_at
            """

        /// - Parameter application: its number.
        func command(of application: Int64) -> Connection.Command {
            var command = Connection.Command(sql: Self.insertion)
            command.arguments = arguments(of: application)
            return command
        }

        func arguments(of application: Int64) -> [Argument] {
            func text(_ value: String?) -> Argument { value.map { .text($0) } ?? .null }
            return [
                .number(application), .text(path.text), text(platform?.rawValue), text(device), text(build),
                text(version), .text(urlSchemes.joined(separator: " ")), .number(registeredAt.rawValue),
            ]
        }
    }

    extension ArchivedRoute {
        /// Decodes a row of `RegisteredRoute.selection`.
        init(_ result: QueryResult, _ row: Int) throws {
            guard let application = ApplicationID(try result.text(row, 0)), let path = Route(try result.text(row, 1))
            else { throw QueryResult.damaged }
            self.init(
                application: application,
                route: RegisteredRoute(
                    path: path, platform: try result.platform(row, 2), device: try result.optionalText(row, 3),
                    build: try result.optionalText(row, 4), version: try result.optionalText(row, 5),
                    urlSchemes: try result.text(row, 6).split(separator: " ").map(String.init),
                    registeredAt: try result.timestamp(row, 7)))
        }
    }

    extension QueryResult {
        func platform(_ row: Int, _ column: Int) throws -> Platform? {
            guard let name = try optionalText(row, column) else { return nil }
            guard let platform = Platform(rawValue: name) else { throw QueryResult.damaged }
            return platform
        }
    }
#endif
