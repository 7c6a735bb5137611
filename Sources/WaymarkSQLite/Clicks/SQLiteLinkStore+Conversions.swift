internal import GRDB
package import WaymarkLinks
package import WaymarkStores

extension SQLiteLinkStore: ConversionStore {
    package var conversions: any ConversionStore { self }

    package func record(_ conversions: [Conversion], at now: Timestamp) async throws(StoreError) -> [EventOutcome] {
        guard !conversions.isEmpty else { return [] }
        return try await write(weight: conversions.count) { try $0.record(conversions, at: now) }
    }

    package func conversions(_ query: ConversionQuery) async throws(StoreError) -> [ConversionGroup] {
        try await readListing { database in
            var conditions = ["day >= ?", "day < ?"]
            var arguments: StatementArguments = [query.days.lowerBound, query.days.upperBound]
            if let applications = query.applications {
                let places = applications.map { _ in "?" }.joined(separator: ", ")
                conditions.append(
                    "conversion.application IN (SELECT number FROM application WHERE name IN (\(places)))")
                arguments += StatementArguments(applications.map(\.text))
            }
            if let link = query.link {
                conditions.append("link = ?")
                arguments += [link.rawValue]
            }
            if let campaign = query.campaign {
                conditions.append("campaign = ?")
                arguments += [campaign]
            }
            let value =
                switch query.by {
                case .link:
                    """
                    (SELECT host.name || '/' || link.slug FROM link CROSS JOIN host ON host.number = link.host
                    WHERE link.id = conversion.link)
                    """
                case .campaign: "nullif(campaign, '')"
                case .day: "CAST(day AS TEXT)"
                case .name: "ltrim(conversion.name, char(1))"
                }
            // See `ConversionKey.appMark`.
            let isFromApp = "substr(conversion.name, 1, 1) = char(1)"
            return try database.rows(
                """
                SELECT \(value) AS value, currency, sum(count), sum(whole), sum(micros), max(scale), \(isFromApp) AS app
                FROM conversion WHERE \(conditions.joined(separator: " AND "))
                GROUP BY value, currency, app ORDER BY value, currency, app LIMIT \(ConversionQuery.groupLimit)
                """, arguments
            ) { row in
                ConversionGroup(
                    value: try row.optionalText(0), currency: try row.text(1), isFromApp: try row.number(6) != 0,
                    total: ConversionTotal(
                        count: try row.count(2),
                        sum: Money(whole: try row.number(3), micros: try row.number(4), scale: try row.count(5))))
            }
        }
    }
}

extension WriteSession {
    func add(_ total: ConversionTotal, to key: ConversionKey) throws {
        guard let application = try application(key.application) else { return }
        try database.run(
            """
            INSERT INTO conversion (application, day, link, campaign, name, currency, count, whole, micros, scale)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET count = count + excluded.count,
                whole = max(-\(Money.limit), min(\(Money.limit), whole)) + excluded.whole,
                micros = min(\(Money.limit), micros) + excluded.micros, scale = max(scale, excluded.scale)
            """,
            ConversionRows.arguments(key, of: application.number)
                + [total.count, total.sum.whole, total.sum.micros, total.sum.scale])
    }
}

enum ConversionRows {
    static let isKey = "application = ? AND day = ? AND link = ? AND campaign = ? AND name = ? AND currency = ?"

    static func arguments(_ key: ConversionKey, of application: Int64) -> StatementArguments {
        [application, key.day, key.link.rawValue, key.campaign, key.name, key.currency]
    }
}
