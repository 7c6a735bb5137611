internal import GRDB
package import WaymarkLinks
package import WaymarkStores

extension SQLiteLinkStore {
    package func applications() async throws(StoreError) -> [StoredApplication] {
        try await read(as: .applications) { try $0.applications() }
    }

    package func put(
        _ application: StoredApplication, expecting: Int?, claiming claim: CredentialClaim?,
        check: @escaping @Sendable (ApplicationUse) -> Bool
    ) async throws(StoreError) -> PutOutcome {
        try await write(as: .putApplication) {
            try $0.put(application, expecting: expecting, claiming: claim, check: check)
        }
    }

    package func setDerivedParts(of application: StoredApplication) async throws(StoreError) {
        try await write(as: .setDerivedParts) { try $0.setDerivedParts(of: application) }
    }

    package func deleteApplication(
        _ id: ApplicationID, expecting: Int?
    ) async throws(StoreError) -> DeleteApplicationOutcome {
        try await write(as: .deleteApplication) { try $0.deleteApplication(id, expecting: expecting) }
    }

    package func use(of id: ApplicationID) async throws(StoreError) -> ApplicationUse {
        try await read(as: .applicationUse) { try $0.use(of: id) }
    }
}

extension Database {
    /// A single statement, for a consistent snapshot of applications, their domains and numbers: one row for each domain.
    func applications() throws -> [StoredApplication] {
        let cursor = try Row.fetchCursor(
            cachedStatement(
                sql: """
                    SELECT application.name, document, version, domain, (
                        SELECT group_concat(host, ' ') FROM application_host WHERE application_host.application = application.number),
                        slug_rules, (
                        SELECT group_concat(host.name || ' ' || long_link.number, ' ')
                        FROM long_link JOIN host ON host.number = long_link.host
                        WHERE long_link.application = application.number)
                    FROM application
                        LEFT JOIN application_domain ON application_domain.application = application.number
                    ORDER BY application.name, place
                    """))
        var applications: [StoredApplication] = []
        while let row = try cursor.next() {
            guard let id = ApplicationID(try row.text(0)) else { throw Row.damaged }
            if applications.last?.id != id {
                guard let others = HostName.list(try row.optionalText(4)),
                    let longLinks = StoredApplication.longLinks(try row.optionalText(6))
                else { throw Row.damaged }
                var application = StoredApplication(
                    id: id, domains: [], otherHosts: others, document: try row.bytes(1), version: try row.count(2),
                    slugRules: SlugRules(rawValue: try row.count(5)))
                application.longLinks = longLinks
                applications.append(application)
            }
            guard let name = try row.optionalText(3) else { continue }
            guard let domain = HostName(name) else { throw Row.damaged }
            applications[applications.count - 1].domains.append(domain)
        }
        return applications
    }
}
