#if PostgreSQL
    package import WaymarkLinks
    package import WaymarkStores

    extension PostgresLinkStore {
        package func holdsDispatch() async throws(StoreError) -> Bool { try await holds(LockKey.dispatch) }

        package func holdsVerification() async throws(StoreError) -> Bool { try await holds(LockKey.verification) }

        /// Takes the lock if no other server has it: this one has it until its connection ends.
        func holds(_ lock: Int64) async throws(StoreError) -> Bool {
            try await inBackground { connection, deadline in
                // Taken once per connection: PostgreSQL would count a second lock of the same session.
                let held = try connection.run(
                    .init(
                        sql: """
                            SELECT CASE WHEN EXISTS (
                                SELECT FROM pg_locks
                                WHERE locktype = 'advisory' AND pid = pg_backend_pid() AND objsubid = 1
                                    AND classid::int8 = $1::int8 >> 32 AND objid::int8 = $1::int8 & 4294967295
                                    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                            ) THEN true ELSE pg_try_advisory_lock($1::int8) END
                            """, .number(lock)), by: deadline)
                return try held.number(0, 0) == 1
            }
        }

        package func reportExpiredLinks(at now: Timestamp, limit: Int) async throws(StoreError) -> Bool {
            try await writeAlone { try $0.reportExpiredLinks(at: now, limit: limit) }
        }
    }

    extension Transaction {
        fileprivate func reportExpiredLinks(at now: Timestamp, limit: Int) throws -> Bool {
            let found = try run(sql: "SELECT expires_at, link FROM waymark.expiry_report FOR UPDATE")
            guard try EventSubscriptions(run(.subscriptions)).includes(.linkExpired) else {
                // Links that expire meanwhile are not reported when there is a subscriber again.
                if found.count > 0 { _ = try run(sql: "DELETE FROM waymark.expiry_report") }
                return false
            }
            guard found.count > 0 else {
                try saveExpiryReport(end: now.rawValue, link: .max)
                return false
            }
            let expired = try run(
                sql: ExpirySQL.expired, .number(try found.number(0, 0)), .number(try found.number(0, 1)),
                .number(now.rawValue), .number(Int64(limit)))
            guard expired.count > 0 else { return false }
            var ends: [LinkID: Int64] = [:]
            for row in 0..<expired.count {
                ends[LinkID(rawValue: try expired.number(row, 1))] = try expired.number(row, 0)
            }
            let links = try LinkRow.readable(run(.loadLinks, .numbers(ends.keys.map(\.rawValue))))
            try publish(
                links.sorted { $0.id.rawValue < $1.id.rawValue }.map { link in
                    OutboxEvent(.linkExpired, link, at: Timestamp(rawValue: ends[link.id] ?? now.rawValue))
                })
            let last = expired.count - 1
            try saveExpiryReport(end: try expired.number(last, 0), link: try expired.number(last, 1))
            return expired.count == limit
        }

        private func saveExpiryReport(end: Int64, link: Int64) throws {
            _ = try run(
                sql: """
                    INSERT INTO waymark.expiry_report (one, expires_at, link) VALUES (1, $1::int8, $2::int8)
                    ON CONFLICT (one) DO UPDATE SET expires_at = excluded.expires_at, link = excluded.link
                    """, .number(end), .number(link))
        }
    }

    private enum ExpirySQL {
        static let expired = """
            SELECT expires_at, link FROM waymark.link_expiry
            WHERE (expires_at, link) > ($1::int8, $2::int8) AND expires_at <= $3::int8
            ORDER BY expires_at, link LIMIT $4::int8
            """
    }
#endif
