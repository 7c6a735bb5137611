#if PostgreSQL
    package import WaymarkStores
    package import WaymarkLinks

    extension PostgresLinkStore {
        package func applications() async throws(StoreError) -> [StoredApplication] {
            try await read(as: .applications, .init(.applications)) { try StoredApplication.all(of: $0) }
        }

        package func use(of id: ApplicationID) async throws(StoreError) -> ApplicationUse {
            try await read(as: .applicationUse, .init(.use, .text(id.text))) { try ApplicationUse($0) }
        }

        package func put(
            _ application: StoredApplication, expecting: Int?, claiming claim: CredentialClaim?,
            check: @escaping @Sendable (ApplicationUse) -> Bool
        ) async throws(StoreError) -> PutOutcome {
            try await admit { application.need }
            return try await writeAlone(as: .putApplication) {
                try $0.put(application, expecting: expecting, claiming: claim, check: check)
            }
        }

        package func setDerivedParts(of application: StoredApplication) async throws(StoreError) {
            try await writeAlone(as: .setDerivedParts) { try $0.setDerivedParts(of: application) }
        }

        package func deleteApplication(
            _ id: ApplicationID, expecting: Int?
        ) async throws(StoreError) -> DeleteApplicationOutcome {
            try await writeAlone(as: .deleteApplication) { try $0.deleteApplication(id, expecting: expecting) }
        }
    }

    extension StoredApplication {
        /// Decodes the rows of `Statement.applications`: one for each domain.
        static func all(of result: QueryResult) throws -> [StoredApplication] {
            var applications: [StoredApplication] = []
            for row in 0..<result.count {
                guard let id = ApplicationID(try result.text(row, 0)) else { throw QueryResult.damaged }
                if applications.last?.id != id {
                    guard let others = HostName.list(try result.optionalText(row, 4)),
                        let longLinks = StoredApplication.longLinks(try result.optionalText(row, 6))
                    else { throw QueryResult.damaged }
                    var application = StoredApplication(
                        id: id, domains: [], otherHosts: others, document: try result.bytes(row, 1),
                        version: try result.count(row, 2), slugRules: SlugRules(rawValue: try result.count(row, 5)))
                    application.longLinks = longLinks
                    applications.append(application)
                }
                guard let name = try result.optionalText(row, 3) else { continue }
                guard let domain = HostName(name) else { throw QueryResult.damaged }
                applications[applications.count - 1].domains.append(domain)
            }
            return applications
        }
    }
#endif
