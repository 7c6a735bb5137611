internal import GRDB
package import WaymarkLinks
package import WaymarkStores

extension SQLiteLinkStore {
    package func eventCounts(of id: LinkID) async throws(StoreError) -> EventCounts {
        try await read(as: .eventCounts) { try $0.eventCounts(of: id) }
    }

    package func addActivity(_ days: [DailyActivity], as write: WriteID) async throws(StoreError) {
        guard !days.isEmpty else { return }
        try await self.write(as: .addActivity, weight: days.count) { try $0.addActivity(days, as: write) }
    }

    package func activity(of id: LinkID, days: Range<Int>) async throws(StoreError) -> [DailyActivity] {
        try await read(as: .activity) { try $0.activity(of: id, days: days) }
    }
}

extension WriteSession {
    func addActivity(_ days: [DailyActivity], as write: WriteID) throws {
        guard try result(of: write) == nil else { return }
        try remember(write)
        for day in days {
            let counts = day.counts.values
            try database.run(
                """
                INSERT INTO link_activity (
                    link, day, opens, installs, resolves, redeems, claims, android_install_events, android_installs)
                SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 WHERE EXISTS (SELECT 1 FROM link WHERE id = ?1)
                ON CONFLICT DO UPDATE SET
                    opens = opens + min(excluded.opens, 9223372036854775807 - opens),
                    installs = installs + min(excluded.installs, 9223372036854775807 - installs),
                    resolves = resolves + min(excluded.resolves, 9223372036854775807 - resolves),
                    redeems = redeems + min(excluded.redeems, 9223372036854775807 - redeems),
                    claims = claims + min(excluded.claims, 9223372036854775807 - claims),
                    android_install_events = android_install_events
                        + min(excluded.android_install_events, 9223372036854775807 - android_install_events),
                    android_installs = android_installs
                        + min(excluded.android_installs, 9223372036854775807 - android_installs)
                """,
                [
                    day.link.rawValue, day.day, counts[0], counts[1], counts[2], counts[3], counts[4], counts[5],
                    counts[6],
                ])
        }
    }
}

extension Database {
    func activity(of id: LinkID, days: Range<Int>) throws -> [DailyActivity] {
        try rows(
            """
            SELECT day, opens, installs, resolves, redeems, claims, android_install_events, android_installs
            FROM link_activity WHERE link = ? AND day >= ? AND day < ? ORDER BY day
            """, [id.rawValue, days.lowerBound, days.upperBound]
        ) { row in
            DailyActivity(
                link: id, day: Int(try row.number(0)),
                counts: LinkActivity(values: try (1...7).map { try row.count($0) }))
        }
    }

    func eventCounts(of id: LinkID) throws -> EventCounts {
        let counts = try row("SELECT opens, installs FROM link_event WHERE link = ?", [id.rawValue]) {
            EventCounts(opens: try $0.count(0), installs: try $0.count(1))
        }
        return counts ?? EventCounts()
    }
}
