package import WaymarkLinks

extension SQLStore {
    package func keys() async throws(StoreError) -> [StoredKey] {
        try await read(as: .keys, StoredKey.all) { try StoredKey($0) }
    }

    package func key(digest: [UInt8]) async throws(StoreError) -> StoredKey? {
        try await read(as: .keys, StoredKey.with(digest: digest)) { try StoredKey($0) }.first
    }

    @discardableResult
    package func insert(
        _ key: StoredKey, claiming claim: CredentialClaim?, reporting event: OutboxEvent?
    ) async throws(StoreError) -> Bool {
        try await admit { key.scopes.compactMap(\.need).highest }
        return try await transact(as: .insertKey) { transaction in
            // Serializes two insertions of the same digest, and changes of applications that claim it.
            try transaction.lockRegistry()
            if let claim, try transaction.storedApplications().contains(where: claim.isHeld) { return false }
            guard try transaction.keys(digest: key.digest).allSatisfy({ $0.id == key.id }),
                try transaction.admitsPerson(of: key)
            else { return false }
            try transaction.run(key.replacement)
            if let event { try transaction.publish([event]) }
            try transaction.audit(created: key)
            transaction.note(.keys)
            return true
        }
    }

    package func noteKeyUses(_ uses: [String: Timestamp]) async throws(StoreError) {
        // Sorted, so that two servers lock the rows in the same order.
        let changes = uses.sorted { $0.key < $1.key }.map { id, time in
            SQLStatement(
                """
                UPDATE api_key SET last_used_at = $1
                WHERE id = $2 AND (last_used_at IS NULL OR last_used_at < $1)
                """, .time(time), .unicode(id))
        }
        _ = try await transact(as: .noteKeyUses) { try $0.run(changes) }
    }

    package func deleteKey(_ id: String, reporting event: OutboxEvent?) async throws(StoreError) -> Bool {
        try await transact(as: .deleteKey) { transaction in
            let key = try transaction.auditedKey(id)
            let removal = SQLStatement("DELETE FROM api_key WHERE id = $1", .unicode(id))
            guard try transaction.run(removal) > 0 else { return false }
            try transaction.run(OAuthGrant.removal(ofOwner: id))
            if let event { try transaction.publish([event]) }
            if let key { try transaction.audit(deleted: key) }
            transaction.note(.keys)
            return true
        }
    }
}

extension SQLTransaction {
    func keys() throws -> [StoredKey] { try rows(StoredKey.all) { try StoredKey($0) } }

    package func keys(digest: [UInt8]) throws -> [StoredKey] {
        try rows(StoredKey.with(digest: digest)) { try StoredKey($0) }
    }

    /// What is deleted; nil if no entry is written, or there is none.
    fileprivate func auditedKey(_ id: String) throws -> StoredKey? {
        guard auditCall != nil else { return nil }
        return try rows(StoredKey.one(id)) { try StoredKey($0) }.first
    }

    fileprivate func audit(created key: StoredKey) throws {
        guard key.isSession else {
            return try audit(.keyCreated, AuditObject(.key, key.id), of: key.application, after: key.auditValues)
        }
        let isLink = key.id.hasSuffix(StoredKey.linkSuffix)
        try audit(
            isLink ? .signInLinkCreated : .sessionStarted, AuditObject(.session, key.id), of: key.application)
    }

    fileprivate func audit(deleted key: StoredKey) throws {
        if key.isSession {
            try audit(.sessionEnded, AuditObject(.session, key.id), of: key.application)
        } else {
            try audit(.keyRevoked, AuditObject(.key, key.id), of: key.application, before: key.auditValues)
        }
    }

    /// Whether a person may have the key, session or invitation. The registry is locked.
    fileprivate func admitsPerson(of key: StoredKey) throws -> Bool {
        guard let owner = key.person ?? key.sessionOwnerID else { return true }
        let disabled = try rows(SQLStatement("SELECT disabled FROM person WHERE id = $1", .text(owner))) {
            try $0.number(0)
        }
        // The owner of a session may be a key.
        return disabled.first.map { $0 == 0 } ?? (key.person == nil)
    }

    /// Deletes a person's keys, sessions and invitations, as far as they are among `which`.
    func deleteKeys(
        ofPerson id: String, _ which: (StoredKey) -> Bool = { _ in true }, reporting report: KeyReport?
    ) throws {
        let keys = try rows(StoredKey.ofPerson(id).lockingRows) { try StoredKey($0) }.filter(which)
        try run(keys.map { SQLStatement("DELETE FROM api_key WHERE id = $1", .unicode($0.id)) })
        try run(keys.filter { !$0.isSession }.map { OAuthGrant.removal(ofOwner: $0.id) })
        if let report { try publish(keys.filter { !$0.isSession }.map(report)) }
    }
}

extension SQLArchive {
    package func keys() throws(StoreError) -> [StoredKey] { try rows(StoredKey.all) { try StoredKey($0) } }
}

extension StoredKey {
    private static let selection: SQLText = """
        SELECT id, name, digest, application, scopes, created_at, expires_at, last_used_at, platform, person
        FROM api_key\u{20}
        """

    fileprivate static let all = SQLStatement(selection + "ORDER BY created_at, id")

    fileprivate static func one(_ id: String) -> SQLStatement {
        SQLStatement(selection + "WHERE id = $1", .unicode(id))
    }

    fileprivate static func with(digest: [UInt8]) -> SQLStatement {
        SQLStatement(selection + "WHERE digest = $1", .bytes(digest))
    }

    fileprivate static func ofPerson(_ id: String) -> SQLStatement {
        let sessions = sessionIDs(of: id)
        return SQLStatement(
            selection + "WHERE person = $1 OR (id >= $2 AND id < $3) ORDER BY id", .text(id),
            .unicode(sessions.lowerBound), .unicode(sessions.upperBound))
    }

    package var replacement: SQLStatement {
        SQLStatement(
            """
            INSERT INTO api_key
                (id, name, digest, application, scopes, created_at, expires_at, last_used_at, platform, person)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, digest = excluded.digest,
                application = excluded.application, scopes = excluded.scopes, created_at = excluded.created_at,
                expires_at = excluded.expires_at, last_used_at = excluded.last_used_at, platform = excluded.platform,
                person = excluded.person
            """, .unicode(id), .unicode(name), .bytes(digest), .text(application?.text),
            .text(KeyScope.allCases.filter(scopes.contains).map(\.rawValue).joined(separator: " ")),
            .time(createdAt), .time(expiresAt), .time(lastUsedAt), .text(platform?.rawValue), .text(person))
    }

    fileprivate init(_ row: any SQLRow) throws {
        self.init(
            id: try row.unicode(0), name: try row.unicode(1), digest: try row.bytes(2),
            application: try row.optionalText(3).map { try row.present(ApplicationID($0)) },
            scopes: KeyScope.known(in: try row.text(4)), createdAt: try row.timestamp(5),
            expiresAt: try row.optionalTimestamp(6), lastUsedAt: try row.optionalTimestamp(7),
            platform: try row.platform(8), person: try row.optionalText(9))
    }
}
