internal import GRDB
package import WaymarkLinks
package import WaymarkStores

extension SQLiteLinkStore {
    package func record(_ conversions: [Conversion], at now: Timestamp) async throws(StoreError) -> [EventOutcome] {
        guard !conversions.isEmpty else { return [] }
        return try await write(weight: conversions.count) { try $0.record(conversions, at: now) }
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
