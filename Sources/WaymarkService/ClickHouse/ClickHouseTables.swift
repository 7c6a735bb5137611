import WaymarkBytes
import WaymarkLinks
import WaymarkStores

/// The tables in ClickHouse, and the statements that make them.
///
/// A click's row has what its block stored of it, and is identified by link, day, block and place in the block. A block is one
/// day's, hence lies in one partition, and one link's, hence on one shard.
package struct ClickHouseTables: Sendable, Equatable {
    /// Of the tables that this program knows. A program refuses to write to those of a later one.
    package static let version = 1
    /// Batches whose tokens ClickHouse remembers.
    private static let window = 10_000
    /// Statements that servers before it don't know, such as a table's period of deletion, have been there for years since.
    private static let firstModernVersion = 22

    /// An identifier, see `isName`.
    package let database: String
    /// An identifier; nil: tables of one server.
    package let cluster: String?

    package init(database: String, cluster: String? = nil) {
        self.database = database
        self.cluster = cluster
    }

    /// Whether a text can be the name of a database or a cluster without quotation.
    package static func isName(_ text: String) -> Bool {
        let bytes = text.utf8
        return (1...64).contains(bytes.count) && bytes.first?.isDigit == false
            && bytes.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }
    }

    /// - Parameter version: as a server tells it, such as `24.8.4.13`.
    package static func isModern(_ version: String) -> Bool {
        guard let year = version.split(separator: ".").first.flatMap({ Int($0) }) else { return true }
        return year >= firstModernVersion
    }

    /// Names and types in the order of `ClickRows`.
    static let columns: [(name: String, type: String)] =
        [
            ("day", "Date"), ("time", "DateTime('UTC')"), ("app", name), ("domain", name), ("slug", "String"),
            ("link", "Int64"),
        ]
        + ClickField.allCases.map { ($0.name, $0 == .bot ? "LowCardinality(Nullable(String))" : name) }
        + [("visitor", "UInt64"), ("block", "Int64"), ("place", "UInt32"), ("shipment", "String")]

    private static let name = "LowCardinality(String)"

    /// What is read, and written to.
    package var clicks: String { qualified("clicks") }
    /// What holds the rows.
    var stored: String { cluster == nil ? clicks : qualified("clicks_local") }
    var schema: String { qualified("waymark_schema") }
    var onCluster: String { cluster.map { " ON CLUSTER `\($0)`" } ?? "" }

    func qualified(_ table: String) -> String { "`\(database)`.\(table)" }

    // MARK: Statements

    /// What `waymark clickhouse migrate` sends, in order; the last one says that the others have been.
    ///
    /// - Parameters:
    ///   - retentionDays: after which ClickHouse deletes rows.
    ///   - isModern: false for servers that know neither tokens nor periods of deletion.
    ///   - isNew: whether no version is noted yet.
    package func statements(retentionDays: Int, isModern: Bool = true, isNew: Bool = true) -> [String] {
        let columns = Self.columns.map { "\($0.name) \($0.type)" }.joined(separator: ", ")
        let order = "PARTITION BY toYYYYMM(day) ORDER BY (app, link, time)"
        var statements = ["CREATE DATABASE IF NOT EXISTS `\(database)`\(onCluster)"]
        if let cluster {
            // The same path for all replicas of a shard; of the other table all servers are replicas.
            let paths = "/clickhouse/tables/\(database)"
            statements += [
                "CREATE TABLE IF NOT EXISTS \(stored)\(onCluster) (\(columns)) "
                    + "ENGINE = ReplicatedMergeTree('\(paths)/{shard}/clicks_local', '{replica}') \(order) "
                    + "SETTINGS replicated_deduplication_window = \(Self.window)",
                "CREATE TABLE IF NOT EXISTS \(clicks)\(onCluster) AS \(stored) "
                    + "ENGINE = Distributed('\(cluster)', '\(database)', 'clicks_local', sipHash64(link))",
                "CREATE TABLE IF NOT EXISTS \(schema)\(onCluster) (version UInt32, cluster String, at DateTime('UTC')) "
                    + "ENGINE = ReplicatedMergeTree('\(paths)/waymark_schema', '{shard}-{replica}') ORDER BY version",
            ]
        } else {
            let window = isModern ? " SETTINGS non_replicated_deduplication_window = \(Self.window)" : ""
            statements += [
                "CREATE TABLE IF NOT EXISTS \(clicks) (\(columns)) ENGINE = MergeTree \(order)\(window)",
                "CREATE TABLE IF NOT EXISTS \(schema) (version UInt32, cluster String, at DateTime('UTC')) "
                    + "ENGINE = MergeTree ORDER BY version",
            ]
        }
        if isModern {
            statements.append("ALTER TABLE \(stored)\(onCluster) MODIFY TTL day + toIntervalDay(\(retentionDays))")
        }
        for counters in DailyCounterTable.all {
            statements += counters.creation(in: self, retentionDays: retentionDays, isModern: isModern)
        }
        if isNew {
            statements.append("INSERT INTO \(schema) SELECT \(Self.version), '\(cluster ?? "")', now()")
        }
        return statements
    }

    var insertion: String {
        "INSERT INTO \(clicks) (\(Self.columns.map(\.name).joined(separator: ", "))) FORMAT RowBinary"
    }

    func deletion(of links: some Sequence<LinkID>) -> String {
        "ALTER TABLE \(stored)\(onCluster) DELETE WHERE link IN (\(Self.list(links.map(\.rawValue))))"
    }

    /// Those of the links that have clicks.
    func clicked(among links: some Sequence<LinkID>) -> String {
        "SELECT DISTINCT link FROM \(clicks) WHERE link IN (\(Self.list(links.map(\.rawValue))))"
    }

    /// How many queries run whose id begins like this.
    func running(_ queryID: String) -> String {
        let processes = cluster.map { "clusterAllReplicas('\($0)', system.processes)" } ?? "system.processes"
        let column = cluster == nil ? "query_id" : "initial_query_id"
        return "SELECT count() FROM \(processes) WHERE \(column) LIKE '\(queryID)%'"
    }

    /// Which of the blocks are there, with the number of their rows.
    func presence(of keys: some Collection<ClickBlock.Key>) -> String {
        let days = keys.map(\.day)
        let pairs = keys.map { "(\($0.link.rawValue),\($0.number))" }.joined(separator: ",")
        // The links once more: by them alone ClickHouse finds where to look.
        return "SELECT link, toUInt32(day), block, count() FROM \(clicks) "
            + "WHERE \(Self.within((days.min() ?? 0)...(days.max() ?? 0))) "
            + "AND link IN (\(Self.list(Set(keys.map(\.link.rawValue)).sorted()))) AND (link, block) IN (\(pairs)) "
            + "GROUP BY link, day, block"
    }

    /// The rows of some days. Rows of a link are in the order of their times, so these say where to look in a month; a day more on
    /// both sides, whatever a block holds.
    static func within(_ days: ClosedRange<Int>) -> String {
        let first = Int64(max(0, days.lowerBound - 1)) * Timestamp.secondsOfDay
        let last = min(Int64(days.upperBound + 2) * Timestamp.secondsOfDay, Int64(UInt32.max))
        let isOneDay = days.lowerBound == days.upperBound
        let condition =
            isOneDay
            ? "day = toDate(\(days.lowerBound))"
            : "day >= toDate(\(days.lowerBound)) AND day <= toDate(\(days.upperBound))"
        return condition + " AND time >= toDateTime(\(first)) AND time <= toDateTime(\(last))"
    }

    static func list(_ numbers: some Sequence<Int64>) -> String {
        numbers.map { "\($0)" }.joined(separator: ",")
    }
}
