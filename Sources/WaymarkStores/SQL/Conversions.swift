import WaymarkLinks

extension SQLStore {
    package var conversions: any ConversionStore { self }

    package func conversions(_ query: ConversionQuery) async throws(StoreError) -> [ConversionGroup] {
        let value: SQLText =
            switch query.by {
            case .link:
                """
                (SELECT host.name || '/' || link.slug FROM link JOIN host ON host.number = link.host
                WHERE link.id = conversion.link)
                """
            case .campaign: "CASE WHEN length(campaign) > 0 THEN campaign END"
            case .day: "CAST(day AS text)"
            case .name: "CASE WHEN substr(name, 1, 1) = $1 THEN substr(name, 2) ELSE name END"
            }
        var values: [SQLValue] = [
            .unicode(ConversionKey.appMark), .number(query.days.lowerBound), .number(query.days.upperBound),
            .number(ConversionQuery.groupLimit),
        ]
        var conditions: SQLText = "day >= $2 AND day < $3"
        /// Adds a condition on one of the values.
        func add(_ start: SQLText, _ given: [SQLValue], _ end: SQLText = ")") {
            conditions = conditions + start + .places(values.count + 1..<values.count + 1 + given.count) + end
            values += given
        }
        if let applications = query.applications {
            if applications.isEmpty { return [] }
            add(
                " AND application IN (SELECT number FROM application WHERE name IN (",
                applications.map { .text($0.text) }, "))")
        }
        if let link = query.link { add(" AND link IN (", [.number(link.rawValue)]) }
        if let campaign = query.campaign { add(" AND campaign IN (", [.unicode(campaign)]) }
        let groups = SQLStatement(
            "SELECT " + value
                + """
                 AS value, currency, CAST(sum(count) AS bigint), CAST(sum(whole) AS bigint), CAST(sum(micros) AS bigint),
                    max(scale), substr(name, 1, 1) = $1 AS app
                FROM conversion WHERE\u{20}
                """ + conditions
                + " GROUP BY value, currency, app ORDER BY value NULLS FIRST, currency, app LIMIT $4", values)
        return try await read(as: nil, on: .listings, groups) { row in
            ConversionGroup(
                value: try row.optionalUnicode(0), currency: try row.unicode(1), isFromApp: try row.number(6) != 0,
                total: ConversionTotal(
                    count: try row.count(2),
                    sum: Money(whole: try row.number(3), micros: try row.number(4), scale: try row.count(5))))
        }
    }
}
