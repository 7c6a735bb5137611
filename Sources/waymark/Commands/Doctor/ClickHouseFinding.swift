import WaymarkService

/// Whether ClickHouse answers this machine, and has the tables.
enum ClickHouseFinding {
    /// Nil where it is not configured.
    static func finding(_ configuration: Configuration) async -> DoctorFinding? {
        guard let setting = configuration.clickhouse else { return nil }
        do {
            guard let client = try configuration.clickHouseClient() else { return nil }
            let tables = try await client.tables()
            let place = tables.cluster.map { "on the cluster \($0)" } ?? "on one server"
            return .ok(.clickhouse, "\(setting.url) answers, and has the tables \(place)")
        } catch let failure as ClickHouseFailure {
            return .finding(
                .clickhouse, "\(setting.url): \(failure.sentence)",
                fix: "see docs/operations/clickhouse.md; clicks wait in the database meanwhile")
        } catch {
            let reason = (error as? CommandFailure)?.message ?? "\(error)"
            return .finding(.clickhouse, reason, fix: "correct clickhouse of the configuration")
        }
    }
}
