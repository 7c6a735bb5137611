#if PostgreSQL
    package import WaymarkLinks
    package import WaymarkStores

    extension PostgresLinkStore {
        package func record(_ given: [Conversion], at now: Timestamp) async throws(StoreError) -> [EventOutcome] {
            guard !given.isEmpty else { return [] }
            var readable = given
            if given.contains(where: { $0.rule != nil }), try await !mayWriteRules() {
                for index in readable.indices { readable[index].rule = nil }
            }
            let conversions = readable
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
