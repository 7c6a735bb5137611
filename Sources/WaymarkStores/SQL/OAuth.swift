import WaymarkLinks

/// `OAuthStore`.
extension SQLStore {
    package var oauth: any OAuthStore { self }

    package func client(_ id: String) async throws(StoreError) -> OAuthClient? {
        let one = SQLStatement(
            "SELECT id, name, redirect_uris, created_at, used_at FROM oauth_client WHERE id = $1", .unicode(id))
        return try await read(one) { try OAuthClient($0) }.first
    }

    package func insert(_ client: OAuthClient, _ bounds: OAuthClientBounds) async throws(StoreError) -> Bool {
        try await transact { transaction in
            // Serializes the count.
            try transaction.lockRegistry()
            try transaction.run([
                SQLStatement("DELETE FROM oauth_grant WHERE expires_at <= $1", .time(client.createdAt)),
                SQLStatement(
                    """
                    DELETE FROM oauth_client WHERE (used_at IS NULL AND created_at < $1 OR used_at < $2)
                        AND NOT EXISTS (SELECT 1 FROM oauth_grant WHERE oauth_grant.client = oauth_client.id)
                    """, .time(bounds.unusedSince), .time(bounds.usedBefore)),
            ])
            if try transaction.count(SQLStatement("SELECT count(*) FROM oauth_client")) >= bounds.limit {
                let oldest = SQLStatement(
                    """
                    DELETE FROM oauth_client WHERE id = (
                        SELECT id FROM oauth_client WHERE used_at IS NULL AND created_at < $1
                        ORDER BY created_at, id LIMIT 1)
                    """, .time(bounds.replaceableSince))
                guard try transaction.run(oldest) > 0 else { return false }
            }
            try transaction.run(
                SQLStatement(
                    """
                    INSERT INTO oauth_client (id, name, redirect_uris, created_at, used_at)
                    VALUES ($1, $2, $3, $4, $5)
                    """, .unicode(client.id), .unicode(client.name), .text(client.redirectURIs.joined(separator: " ")),
                    .time(client.createdAt), .time(client.usedAt)))
            return true
        }
    }

    package func grants() async throws(StoreError) -> [OAuthGrant] {
        try await read(SQLStatement(OAuthGrant.selection + "ORDER BY id")) { try OAuthGrant($0) }
    }

    package func grant(_ id: String) async throws(StoreError) -> OAuthGrant? {
        try await read(OAuthGrant.one(id)) { try OAuthGrant($0) }.first
    }

    package func programs(of owner: String) async throws(StoreError) -> [GrantedProgram] {
        try await read(
            SQLStatement(GrantedProgram.selection + "WHERE owner = $1 ORDER BY created_at DESC, id", .unicode(owner))
        ) { try GrantedProgram($0) }
    }

    package func endGrant(_ id: String, of owner: String) async throws(StoreError) -> Bool {
        try await transact { transaction in
            let one = SQLStatement(
                GrantedProgram.selection + "WHERE id = $1 AND owner = $2", .unicode(id), .unicode(owner))
            guard let program = try transaction.rows(one, { try GrantedProgram($0) }).first,
                try transaction.run(SQLStatement("DELETE FROM oauth_grant WHERE id = $1", .unicode(id))) > 0
            else { return false }
            var values = AuditValues(of: program)
            values.add("owner", owner)
            try transaction.audit(.programEnded, AuditObject(.program, program.grant.client), of: nil, before: values)
            transaction.note(.keys)
            return true
        }
    }

    package func insert(_ grant: OAuthGrant, limit: Int) async throws(StoreError) -> Bool {
        try await transact { transaction in
            // So that nobody is disabled meanwhile.
            try transaction.lockRegistry()
            let client = SQLStatement(
                "UPDATE oauth_client SET used_at = $1 WHERE id = $2", .time(grant.createdAt), .unicode(grant.client))
            guard try transaction.run(client) > 0, try transaction.isActive(owner: grant.owner) else { return false }
            try transaction.run([
                SQLStatement("DELETE FROM oauth_grant WHERE expires_at <= $1", .time(grant.createdAt)),
                SQLStatement(
                    """
                    DELETE FROM oauth_grant WHERE owner = $1 AND id NOT IN (
                        SELECT id FROM oauth_grant WHERE owner = $1 ORDER BY created_at DESC, id LIMIT $2)
                    """, .unicode(grant.owner), .number(limit - 1)),
                grant.insertion,
            ])
            let name = SQLStatement("SELECT name FROM oauth_client WHERE id = $1", .unicode(grant.client))
            let program = try transaction.rows(name) { GrantedProgram(grant: grant, name: try $0.unicode(0)) }.first
            try transaction.audit(
                .programAllowed, AuditObject(.program, grant.client), of: nil, after: program.map(AuditValues.init(of:))
            )
            transaction.note(.keys)
            return true
        }
    }

    package func changeGrant<Answer: Sendable>(
        _ id: String, _ decide: @escaping @Sendable (OAuthGrant) -> (OAuthGrantChange, Answer)
    ) async throws(StoreError) -> Answer? {
        try await transact { transaction in
            let found = try transaction.rows(OAuthGrant.one(id).lockingRows) { try OAuthGrant($0) }
            guard let grant = found.first else { return nil }
            let (change, answer) = decide(grant)
            switch change {
            case .keep: return answer
            case .end: try transaction.run(SQLStatement("DELETE FROM oauth_grant WHERE id = $1", .unicode(id)))
            case .replace(let changed): try transaction.run(changed.update)
            }
            transaction.note(.keys)
            return answer
        }
    }
}

extension SQLTransaction {
    /// Whether a person exists and is not disabled, or a key exists. The registry is locked.
    fileprivate func isActive(owner: String) throws -> Bool {
        // Of the environment's key the database knows nothing.
        if owner.hasPrefix("environment.") { return true }
        let person = try rows(SQLStatement("SELECT disabled FROM person WHERE id = $1", .text(owner))) {
            try $0.number(0)
        }
        if let disabled = person.first { return disabled == 0 }
        return try count(SQLStatement("SELECT count(*) FROM api_key WHERE id = $1", .unicode(owner))) > 0
    }
}

extension OAuthClient {
    fileprivate init(_ row: any SQLRow) throws {
        self.init(
            id: try row.unicode(0), name: try row.unicode(1),
            redirectURIs: try row.text(2).split(separator: " ").map(String.init), createdAt: try row.timestamp(3),
            usedAt: try row.optionalTimestamp(4))
    }
}

extension AuditValues {
    fileprivate init(of program: GrantedProgram) {
        self.init()
        add("name", program.name)
        add("scopes", KeyScope.allCases.filter(program.grant.scopes.contains).map(\.rawValue))
    }
}

extension GrantedProgram {
    fileprivate static let selection: SQLText = """
        SELECT id, client, owner, scopes, resource, redirect_uri, challenge, code, access, access_expires_at, refresh,
            created_at, expires_at, (SELECT name FROM oauth_client WHERE oauth_client.id = client)
        FROM oauth_grant\u{20}
        """

    fileprivate init(_ row: any SQLRow) throws {
        self.init(grant: try OAuthGrant(row), name: try row.unicode(13))
    }
}

extension OAuthGrant {
    /// Ends what a person or key let programs do.
    static func removal(ofOwner id: String) -> SQLStatement {
        SQLStatement("DELETE FROM oauth_grant WHERE owner = $1", .unicode(id))
    }

    fileprivate static let selection: SQLText = """
        SELECT id, client, owner, scopes, resource, redirect_uri, challenge, code, access, access_expires_at, refresh,
            created_at, expires_at
        FROM oauth_grant\u{20}
        """

    fileprivate static func one(_ id: String) -> SQLStatement {
        SQLStatement(selection + "WHERE id = $1", .unicode(id))
    }

    fileprivate var insertion: SQLStatement {
        SQLStatement(
            """
            INSERT INTO oauth_grant (
                id, client, owner, scopes, resource, redirect_uri, challenge, code, access, access_expires_at, refresh,
                created_at, expires_at
            ) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
            """, .unicode(id), .unicode(client), .unicode(owner),
            .text(KeyScope.allCases.filter(scopes.contains).map(\.rawValue).joined(separator: " ")), .text(resource),
            .text(redirectURI), .text(challenge), .bytes(code), .bytes(access), .time(accessExpiresAt),
            .bytes(refresh), .time(createdAt), .time(expiresAt))
    }

    fileprivate var update: SQLStatement {
        SQLStatement(
            """
            UPDATE oauth_grant SET code = $1, access = $2, access_expires_at = $3, refresh = $4, expires_at = $5
            WHERE id = $6
            """, .bytes(code), .bytes(access), .time(accessExpiresAt), .bytes(refresh), .time(expiresAt), .unicode(id))
    }

    fileprivate init(_ row: any SQLRow) throws {
        self.init(
            id: try row.unicode(0), client: try row.unicode(1), owner: try row.unicode(2),
            scopes: KeyScope.known(in: try row.text(3)), resource: try row.text(4), redirectURI: try row.text(5),
            challenge: try row.text(6), code: try row.optionalBytes(7), createdAt: try row.timestamp(11),
            expiresAt: try row.timestamp(12))
        access = try row.optionalBytes(8)
        accessExpiresAt = try row.optionalTimestamp(9)
        refresh = try row.optionalBytes(10)
    }
}
