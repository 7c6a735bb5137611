package import WaymarkLinks

/// `VerificationStore`.
extension SQLStore {
    package var verification: any VerificationStore { self }

    package func verifications(of links: [LinkID]) async throws(StoreError) -> [LinkID: LinkVerification] {
        guard !links.isEmpty else { return [:] }
        let statement = SQLStatement(
            LinkVerification.selection
                + """
                JOIN link ON link.id = link_verification.link AND link.version = link_verification.version
                WHERE link_verification.link IN (
                """ + .places(1..<links.count + 1) + ")", links.map { SQLValue.number($0.rawValue) })
        let found = try await read(statement) { try LinkVerification(readable: $0) }
        return Dictionary(found.compactMap(\.self).map { ($0.link, $0) }) { first, _ in first }
    }

    @discardableResult
    package func add(
        _ walk: LinkWalk, of link: Link, at now: Timestamp, secondLook: Int64
    ) async throws(StoreError) -> LinkVerification? {
        try await transact { transaction in
            let current = SQLStatement("SELECT version FROM link WHERE id = $1", .number(walk.link.rawValue))
            guard try transaction.rows(current.lockingRows, { try $0.number(0) }).first == Int64(walk.version) else {
                return nil
            }
            let known = SQLStatement(
                LinkVerification.selection + "WHERE link_verification.link = $1", .number(walk.link.rawValue))
            let previous = try transaction.rows(known, { try LinkVerification(readable: $0) }).first ?? nil
            if let previous, previous.isNewer(than: walk, at: now) { return previous }
            let next = LinkVerification(previous, after: walk, at: now, secondLook: secondLook)
            try transaction.run(next.replacement)
            if let type = next.event(after: previous) {
                try transaction.publish([OutboxEvent(type, link, at: walk.at, next.attributes)])
            }
            return next
        }
    }

    package func dueLooks(at now: Timestamp, limit: Int) async throws(StoreError) -> [LinkID] {
        let due = SQLStatement(
            """
            SELECT link FROM link_verification WHERE look_at IS NOT NULL AND look_at <= $1 ORDER BY look_at LIMIT $2
            """, .time(now), .number(limit))
        return try await read(on: .background, due) { LinkID(rawValue: try $0.number(0)) }
    }

    package func forgetLooks(of links: [LinkID], dueAt now: Timestamp) async throws(StoreError) {
        try await look(at: nil, of: links, dueAt: now)
    }

    package func putOffLooks(
        of links: [LinkID], dueAt now: Timestamp, until time: Timestamp
    ) async throws(StoreError) {
        try await look(at: time, of: links, dueAt: now)
    }

    private func look(at time: Timestamp?, of links: [LinkID], dueAt now: Timestamp) async throws(StoreError) {
        guard !links.isEmpty else { return }
        let statements = links.map {
            SQLStatement(
                "UPDATE link_verification SET look_at = $1 WHERE link = $2 AND look_at <= $3", .time(time),
                .number($0.rawValue), .time(now))
        }
        _ = try await transact { try $0.run(statements) }
    }

    package func verificationRound() async throws(StoreError) -> VerificationRound? {
        let round = SQLStatement("SELECT started_at, ended_at, last_link FROM verification_round")
        return try await read(on: .background, round) {
            VerificationRound(
                startedAt: try $0.timestamp(0), endedAt: try $0.optionalTimestamp(1),
                lastLink: LinkID(rawValue: try $0.number(2)))
        }.first
    }

    package func store(_ round: VerificationRound) async throws(StoreError) {
        try await run(
            SQLStatement(
                """
                INSERT INTO verification_round (one, started_at, ended_at, last_link) VALUES (1, $1, $2, $3)
                ON CONFLICT (one) DO UPDATE SET started_at = excluded.started_at, ended_at = excluded.ended_at,
                    last_link = excluded.last_link
                """, .time(round.startedAt), .time(round.endedAt), .number(round.lastLink.rawValue)))
    }

    package func verificationCounts(at now: Timestamp) async throws(StoreError) -> VerificationCounts {
        // A disabled link has another version. Expired ones are found by their index, so that no content is decoded, and
        // subtracted: what has expired long ago costs as much as what is verified.
        let groups = SQLStatement(
            "SELECT state, codes, count(*) FROM link_verification CROSS JOIN link WHERE " + .isCounted
                + """
                 GROUP BY state, codes
                UNION ALL
                SELECT state, codes, -count(*) FROM link_expiry CROSS JOIN link_verification CROSS JOIN link
                WHERE link_expiry.expires_at <= $1 AND link_verification.link = link_expiry.link AND\u{20}
                """ + .isCounted + " GROUP BY state, codes", .time(now))
        let rows = try await read(on: .background, groups) {
            (state: try $0.number(0), codes: try $0.number(1), links: Int(try $0.number(2)))
        }
        return rows.reduce(into: VerificationCounts()) { counts, row in
            if let state = VerificationState(rawValue: row.state) { counts.links[state, default: 0] += row.links }
            for code in Set<VerificationFinding.Code>(bits: row.codes) {
                counts.findings[code, default: 0] += row.links
            }
        }
    }

    fileprivate func read<Value: Sendable>(
        on queue: SQLReadQueue, _ statement: SQLStatement, _ decode: @escaping @Sendable (any SQLRow) throws -> Value
    ) async throws(StoreError) -> [Value] {
        try await read(as: nil, on: queue, statement, decode)
    }
}

extension SQLText {
    /// The link was not changed since its walk, and `maxClicks` is not used up.
    fileprivate static let isCounted: SQLText = """
        link.id = link_verification.link AND link.version = link_verification.version
        AND (link.max_clicks IS NULL OR link.max_clicks > coalesce(
            (SELECT click_order.clicks FROM click_order WHERE click_order.link = link.id), 0) - link.free_clicks)
        """
}

extension LinkVerification {
    fileprivate static let selection: SQLText = """
        SELECT link_verification.link, link_verification.version, walked_at, look_at, state, announced, findings
        FROM link_verification\u{20}
        """

    /// Nil if it is damaged: then the link was not verified, and the next walk replaces it.
    fileprivate init?(readable row: any SQLRow) throws {
        guard let state = VerificationState(rawValue: try row.number(4)),
            let findings = try? [VerificationFinding](encoded: row.bytes(6))
        else { return nil }
        self.init(
            link: LinkID(rawValue: try row.number(0)), version: try row.count(1), at: try row.timestamp(2),
            state: state, findings: findings, lookAt: try row.optionalTimestamp(3),
            isAnnounced: try row.number(5) != 0)
    }

    fileprivate var replacement: SQLStatement {
        SQLStatement(
            """
            INSERT INTO link_verification (link, version, walked_at, look_at, state, announced, codes, findings)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            ON CONFLICT (link) DO UPDATE SET version = excluded.version, walked_at = excluded.walked_at,
                look_at = excluded.look_at, state = excluded.state, announced = excluded.announced,
                codes = excluded.codes, findings = excluded.findings
            """, .number(link.rawValue), .number(version), .time(at), .time(lookAt), .number(state.rawValue),
            .flag(isAnnounced), .number(findings.codeBits), .bytes(findings.encoded))
    }

    /// What events say of it.
    fileprivate var attributes: [OutboxEvent.Attribute] {
        [
            .init("state", state.name), .init("at", at.rfc3339),
            .init("findings", .list(findings.map { "\($0.visitor.rawValue) \($0.code.rawValue): \($0.message)" })),
        ]
    }
}
