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
            // With the rule, which is split off below: the databases have no common function for it.
            case .name, .rule, .variant: "CASE WHEN substr(name, 1, 1) = $1 THEN substr(name, 2) ELSE name END"
            }
        var values: [SQLValue] = [
            .unicode(ConversionKey.appMark), .number(query.days.lowerBound), .number(query.days.upperBound),
            // Names come with their rules, and are merged.
            .number(ConversionQuery.groupLimit * ([.name, .rule, .variant].contains(query.by) ? 10 : 1)),
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
        /// Adds a condition on the end of the stored name: that it is one of these rules, or for nil that it is none.
        func add(_ wanted: String??, _ marks: [String]) {
            switch wanted {
            case nil: break
            case .some(nil):
                for mark in marks { add(" AND name NOT LIKE ", [.unicode("%\(mark)%")], "") }
            case .some(let text?):
                conditions = conditions + " AND ("
                for (index, mark) in marks.enumerated() {
                    // Both databases count a value's length as `substr` does.
                    add(
                        index == 0
                            ? "substr(name, length(name) + 1 - length(" : " OR substr(name, length(name) + 1 - length(",
                        [.unicode(mark + text)], ")) = ")
                    conditions = conditions + .places(values.count..<values.count + 1)
                }
                conditions = conditions + ")"
            }
        }
        add(query.rule, [ClickedRule.ruleMark, ClickedRule.variantMark])
        add(query.variant, [ClickedRule.variantMark])
        let groups = SQLStatement(
            "SELECT " + value
                + """
                 AS value, currency, CAST(sum(count) AS bigint), CAST(sum(whole) AS bigint), CAST(sum(micros) AS bigint),
                    max(scale), substr(name, 1, 1) = $1 AS app
                FROM conversion WHERE\u{20}
                """ + conditions
                + " GROUP BY value, currency, app ORDER BY value NULLS FIRST, currency, app LIMIT $4", values)
        let found = try await read(as: nil, on: .listings, groups) { row in
            ConversionGroup(
                value: try row.optionalUnicode(0), currency: try row.unicode(1), isFromApp: try row.number(6) != 0,
                total: ConversionTotal(
                    count: try row.count(2),
                    sum: Money(whole: try row.number(3), micros: try row.number(4), scale: try row.count(5))))
        }
        return switch query.by {
        case .link, .campaign, .day: found
        case .name, .rule, .variant: Array(found.merged(by: query.by).prefix(ConversionQuery.groupLimit))
        }
    }
}

extension [ConversionGroup] {
    /// Those of names with their rules, as groups of names, rules or variants, in the order of the bytes.
    fileprivate func merged(by dimension: ConversionQuery.Dimension) -> [ConversionGroup] {
        var totals: [ConversionGroupKey: ConversionTotal] = [:]
        for group in self {
            let name = group.value ?? ""
            let end = name.unicodeScalars.firstIndex { $0 == "\u{2}" || $0 == "\u{3}" } ?? name.endIndex
            let rule = ClickedRule(stored: name[end...])
            let value: String? =
                switch dimension {
                case .rule: rule?.text
                case .variant: rule?.variant
                default: String(name[..<end])
                }
            let key = ConversionGroupKey(
                value: value.map { [UInt8]($0.utf8) }, currency: group.currency, isFromApp: group.isFromApp)
            totals[key, default: ConversionTotal()] += group.total
        }
        return totals.sorted { $0.key < $1.key }.map { key, total in
            ConversionGroup(
                value: key.value.map { String(decoding: $0, as: UTF8.self) }, currency: key.currency,
                isFromApp: key.isFromApp, total: total)
        }
    }
}

/// Texts of other bytes are other values, also where Swift takes them for equal.
private struct ConversionGroupKey: Hashable, Comparable {
    var value: [UInt8]?
    var currency: String
    var isFromApp: Bool

    static func < (one: ConversionGroupKey, other: ConversionGroupKey) -> Bool {
        guard one.value == other.value else {
            guard let value = one.value else { return true }
            return other.value.map { value.lexicographicallyPrecedes($0) } ?? false
        }
        return (one.currency, one.isFromApp ? 1 : 0) < (other.currency, other.isFromApp ? 1 : 0)
    }
}
