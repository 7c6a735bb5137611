#if PostgreSQL
    package import WaymarkLinks
    package import WaymarkStores

    extension PostgresLinkStore: ConversionStore {
        package var conversions: any ConversionStore { self }

        package func record(_ conversions: [Conversion], at now: Timestamp) async throws(StoreError) -> [EventOutcome] {
            guard !conversions.isEmpty else { return [] }
            return try await write(order: .count, weight: conversions.count) { needs in
                for conversion in conversions {
                    needs.scopes.insert(conversion.digest)
                    if let link = conversion.link { needs.links.insert(link) }
                    needs.scopes.formUnion(conversion.installations)
                }
            } _: { set in
                try set.record(conversions, at: now)
            }
        }

        /// Whether the stored name has `ConversionKey.appMark`.
        private static let isFromApp = "position('\\x01'::bytea IN name) = 1"

        package func conversions(_ query: ConversionQuery) async throws(StoreError) -> [ConversionGroup] {
            let value =
                switch query.by {
                case .link:
                    """
                    (SELECT convert_to(host.name || '/' || link.slug, 'UTF8') FROM waymark.link
                        JOIN waymark.host ON host.number = link.host WHERE link.id = conversion.link)
                    """
                case .campaign: "nullif(campaign, '')"
                case .day: "convert_to(day::text, 'UTF8')"
                case .name: "CASE WHEN \(Self.isFromApp) THEN substring(name from 2) ELSE name END"
                }
            let sql = """
                SELECT value, currency, sum(count)::int8, sum(whole)::int8, sum(micros)::int8, max(scale), app::int8
                FROM (
                    SELECT \(value) AS value, (\(Self.isFromApp))::int AS app, currency, count, whole, micros, scale FROM waymark.conversion
                    WHERE day >= $1::int8 AND day < $2::int8 AND ($4::int8 IS NULL OR link = $4::int8)
                        AND ($5::bytea IS NULL OR campaign = $5::bytea) AND ($3::text[] IS NULL OR application = ANY (
                            SELECT number FROM waymark.application WHERE name = ANY ($3::text[])
                        ))
                ) AS found
                GROUP BY value, currency, app ORDER BY value NULLS FIRST, currency, app LIMIT \(ConversionQuery.groupLimit)
                """
            let command = Connection.Command(
                sql: sql, .number(Int64(query.days.lowerBound)), .number(Int64(query.days.upperBound)),
                query.applications.map { .texts($0.map(\.text)) } ?? .null,
                query.link.map { .number($0.rawValue) } ?? .null, .bytes(query.campaign.map { Array($0.utf8) }))
            return try await readListing { connection, deadline in
                let result = try connection.run(command, by: deadline)
                return try (0..<result.count).map { row in
                    ConversionGroup(
                        value: try result.optionalBytes(row, 0).map { String(decoding: $0, as: UTF8.self) },
                        currency: String(decoding: try result.bytes(row, 1), as: UTF8.self),
                        isFromApp: try result.number(row, 6) != 0,
                        total: ConversionTotal(
                            count: try result.count(row, 2),
                            sum: Money(
                                whole: try result.number(row, 3), micros: try result.number(row, 4),
                                scale: try result.count(row, 5))))
                }
            }
        }
    }

    extension Connection.Command {
        /// Adds to conversions.
        init(_ conversions: [ConversionKey: ConversionTotal]) {
            self.init(
                sql: ConversionRows.insertion + """
                    SET count = conversion.count + excluded.count,
                        whole = greatest(-\(Money.limit), least(\(Money.limit), conversion.whole)) + excluded.whole,
                        micros = least(\(Money.limit), conversion.micros) + excluded.micros,
                        scale = greatest(conversion.scale, excluded.scale)
                    """)
            arguments = ConversionRows.arguments(
                conversions.map { ArchivedConversions(key: $0.key, total: $0.value) })
        }
    }

    enum ConversionRows {
        /// Ends with the start of the `ON CONFLICT` clause.
        static let insertion = """
            INSERT INTO waymark.conversion
                (application, day, link, campaign, name, currency, count, whole, micros, scale)
            SELECT application.number, given.day, given.link, given.campaign, given.name, given.currency, given.count,
                given.whole, given.micros, given.scale
            FROM unnest($1::text[], $2::int8[], $3::int8[], $4::bytea[], $5::bytea[], $6::bytea[], $7::int8[], $8::int8[],
                    $9::int8[], $10::int8[]) WITH ORDINALITY
                    AS given (application, day, link, campaign, name, currency, count, whole, micros, scale, place)
                JOIN waymark.application ON application.name = given.application
            ORDER BY given.place
            ON CONFLICT (application, day, link, campaign, name, currency) DO UPDATE

            """

        static let replacement =
            insertion + """
                SET count = excluded.count, whole = excluded.whole, micros = excluded.micros, scale = excluded.scale
                """

        /// In the order of their keys, so that two servers can't deadlock.
        static func arguments(_ conversions: [ArchivedConversions]) -> [Argument] {
            let rows = conversions.sorted { $0.key < $1.key }
            return [
                .texts(rows.map(\.key.application.text)), .numbers(rows.map { Int64($0.key.day) }),
                .numbers(rows.map(\.key.link.rawValue)), .byteStrings(rows.map { Array($0.key.campaign.utf8) }),
                .byteStrings(rows.map { Array($0.key.name.utf8) }),
                .byteStrings(rows.map { Array($0.key.currency.utf8) }), .numbers(rows.map { Int64($0.total.count) }),
                .numbers(rows.map(\.total.sum.whole)), .numbers(rows.map(\.total.sum.micros)),
                .numbers(rows.map { Int64($0.total.sum.scale) }),
            ]
        }
    }
#endif
