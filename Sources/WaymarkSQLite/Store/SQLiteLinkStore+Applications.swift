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

    package func keys() async throws(StoreError) -> [StoredKey] {
        try await read(as: .keys) { try $0.keys() }
    }

    package func key(digest: [UInt8]) async throws(StoreError) -> StoredKey? {
        try await read(as: .keys) { try $0.keys(digest: digest).first }
    }

    @discardableResult
    package func insert(
        _ key: StoredKey, claiming claim: CredentialClaim?, reporting event: OutboxEvent?
    ) async throws(StoreError) -> Bool {
        try await write(as: .insertKey) { session in
            if let claim, try session.database.applications().contains(where: claim.isHeld) { return false }
            guard try session.insert(key) else { return false }
            if let event { try session.publish([event]) }
            return true
        }
    }

    package func noteKeyUses(_ uses: [String: Timestamp]) async throws(StoreError) {
        try await write(as: .noteKeyUses) { try $0.noteKeyUses(uses) }
    }

    package func deleteKey(_ id: String, reporting event: OutboxEvent?) async throws(StoreError) -> Bool {
        try await write(as: .deleteKey) { session in
            guard try session.deleteKey(id) else { return false }
            if let event { try session.publish([event]) }
            return true
        }
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

    /// - Parameter digest: Nil for all keys.
    func keys(digest: [UInt8]? = nil) throws -> [StoredKey] {
        try rows(
            """
            SELECT id, name, digest, application, scopes, created_at, expires_at, last_used_at, platform FROM api_key
            \(digest == nil ? "" : "WHERE digest = ?") ORDER BY created_at, id
            """, digest.map { [$0.blob] } ?? []
        ) { row in
            var application: ApplicationID?
            if let name = try row.optionalText(3) {
                guard let id = ApplicationID(name) else { throw Row.damaged }
                application = id
            }
            return StoredKey(
                id: try row.text(0), name: try row.text(1), digest: try row.bytes(2), application: application,
                scopes: KeyScope.known(in: try row.text(4)), createdAt: try row.timestamp(5),
                expiresAt: try row.optionalNumber(6).map { Timestamp(rawValue: $0) },
                lastUsedAt: try row.optionalNumber(7).map { Timestamp(rawValue: $0) }, platform: try row.platform(8))
        }
    }
}
