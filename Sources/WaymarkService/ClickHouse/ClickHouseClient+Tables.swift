extension ClickHouseClient {
    /// Of a statement about tables, which each server of a cluster confirms, in seconds.
    private static let patience = 200

    /// The tables to ship to.
    ///
    /// - Throws: `.tables` if they are not there, or are of a later version.
    package func tables(timeout: Int = timeout) async throws(ClickHouseFailure) -> ClickHouseTables {
        guard let found = try await noted(timeout: timeout) else {
            throw .tables(
                "ClickHouse's database \(settings.database) has no tables for clicks; run waymark clickhouse migrate")
        }
        return found
    }

    /// Makes what is missing, also the database, and sets the period of deletion.
    ///
    /// - Parameter cluster: nil: as before, one server if there was nothing.
    /// - Returns: the tables, and the server's version.
    package func migrate(cluster: String?) async throws(ClickHouseFailure) -> (
        tables: ClickHouseTables, version: String
    ) {
        let version = try await rows("SELECT version()").first?.first ?? ""
        let before = try await noted()
        if let before, let cluster, before.cluster != cluster {
            throw .tables(
                "the tables of ClickHouse's database \(settings.database) are those of "
                    + (before.cluster.map { "the cluster \($0)" } ?? "one server")
                    + "; name another database, or copy and drop them first")
        }
        let tables = before ?? ClickHouseTables(database: settings.database, cluster: cluster)
        let isModern = ClickHouseTables.isModern(version)
        let statements = tables.statements(
            retentionDays: settings.retentionDays, isModern: isModern, isNew: before == nil)
        for statement in statements {
            // Of 2018, when texts of few values were an experiment.
            let options: [Option] = isModern ? [] : [("allow_experimental_low_cardinality_type", "1")]
            try await execute(statement, options: options, timeout: Self.patience)
        }
        return (tables, version)
    }

    /// Nil if there are none.
    private func noted(timeout: Int = timeout) async throws(ClickHouseFailure) -> ClickHouseTables? {
        let one = ClickHouseTables(database: settings.database)
        let found: [[String]]
        do throws(ClickHouseFailure) {
            found = try await rows(
                "SELECT version, cluster FROM \(one.schema) ORDER BY version DESC LIMIT 1", timeout: timeout,
                byteLimit: 4_096)
        } catch {
            guard error.isOfMissingTables else { throw error }
            return nil
        }
        // Empty where the last statement of a migration has not been sent.
        guard let row = found.first, row.count == 2, let version = Int(row[0]) else { return nil }
        guard version <= ClickHouseTables.version else {
            throw .tables(
                "the tables of ClickHouse's database \(settings.database) are of version \(version), and this program writes to "
                    + "version \(ClickHouseTables.version) only; use the later version of waymark")
        }
        return ClickHouseTables(database: settings.database, cluster: row[1].isEmpty ? nil : row[1])
    }
}
