internal import WaymarkJSON
package import WaymarkLinks

/// One change of an application, and what it replaced.
package struct ApplicationChange: Sendable, Equatable {
    /// The version that the change made.
    package var version: Int
    package var at: Timestamp
    /// As stored before, without secrets; nil if there was none, or it is not known.
    package var former: [UInt8]?

    package init(version: Int, at: Timestamp, former: [UInt8]?) {
        self.version = version
        self.at = at
        self.former = former
    }

    /// - Parameter application: its number.
    package func replacement(of application: Int64) -> SQLStatement {
        SQLStatement(
            """
            INSERT INTO application_change (application, version, at, document) VALUES ($1, $2, $3, $4)
            ON CONFLICT (application, version) DO UPDATE SET at = excluded.at, document = excluded.document
            """, .number(application), .number(version), .time(at), .bytes(former))
    }
}

extension AuditValues {
    /// A document without `firebase.apiKeys`, the only members of an application that open anything; without a mark before it.
    fileprivate static func withoutCredentials(_ document: [UInt8]) -> [UInt8] {
        let json = Array(document.drop { $0 != UInt8(ascii: "{") })
        guard var object = (try? JSONValue(parsing: json))?.object, var firebase = object["firebase"]?.object,
            firebase["apiKeys"] != nil
        else { return json }
        firebase["apiKeys"] = nil
        object["firebase"] = JSONValue(firebase)
        return JSONValue(object).bytes()
    }
}

extension SQLStore {
    // Nothing was replaced before version 1, so that it may have been so at any time.
    package func noteApplications(at now: Timestamp) async throws(StoreError) {
        try await run(
            SQLStatement(
                """
                INSERT INTO application_change (application, version, at)
                SELECT number, version, CASE WHEN version = 1 THEN 0 ELSE CAST($1 AS bigint) END
                FROM application WHERE NOT EXISTS (
                    SELECT 1 FROM application_change AS made
                    WHERE made.application = application.number AND made.version = application.version)
                ON CONFLICT (application, version) DO NOTHING
                """, .time(now)))
    }

    package func changes(
        of id: ApplicationID, around time: Timestamp
    ) async throws(StoreError) -> [ApplicationChange] {
        let around = SQLStatement(
            """
            SELECT change.version, change.at, change.document
            FROM application JOIN application_change AS change ON change.application = application.number
            WHERE application.name = $1 AND change.version >= coalesce(
                (SELECT max(made.version) FROM application_change AS made
                    WHERE made.application = application.number AND made.at <= $2), 0)
            ORDER BY change.version LIMIT 2
            """, .text(id.text), .time(time))
        return try await read(around) { row in
            ApplicationChange(
                version: try row.count(0), at: try row.timestamp(1), former: try row.optionalBytes(2))
        }
    }
}

extension SQLTransaction {
    package func document(of id: ApplicationID) throws -> [UInt8]? {
        let document = SQLStatement("SELECT document FROM application WHERE name = $1", .text(id.text))
        return try rows(document) { try $0.bytes(0) }.first
    }

    /// Adds a change to the history of an application.
    ///
    /// - Parameters:
    ///   - number: its number.
    ///   - former: the document that was replaced; nil for none.
    package func addChange(_ application: StoredApplication, of number: Int64, replacing former: [UInt8]?) throws {
        let change = ApplicationChange(
            version: application.version, at: application.changedAt ?? Timestamp(rawValue: 0),
            former: former.map(AuditValues.withoutCredentials))
        try run(change.replacement(of: number))
    }
}

extension SQLArchive {
    package func applicationChanges(
        after key: ArchivedApplicationChange.Key?, limit: Int
    ) throws(StoreError) -> [ArchivedApplicationChange] {
        let page = SQLStatement(
            """
            SELECT application.name, change.version, change.at, change.document
            FROM application JOIN application_change AS change ON change.application = application.number
            WHERE (application.name, change.version) > ($1, $2) ORDER BY application.name, change.version LIMIT $3
            """, .text(key?.application.text ?? ""), .number(key?.version ?? 0), .number(limit))
        return try rows(page) { row in
            ArchivedApplicationChange(
                application: try row.present(ApplicationID(row.text(0))),
                change: ApplicationChange(
                    version: try row.count(1), at: try row.timestamp(2), former: try row.optionalBytes(3)))
        }
    }
}
