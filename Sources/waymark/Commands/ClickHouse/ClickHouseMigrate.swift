import ArgumentParser
import WaymarkService

/// `waymark clickhouse migrate`
struct ClickHouseMigrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Make the database and the tables in ClickHouse, where they are missing.",
        discussion: """
            May be repeated, also to apply another retentionDays. With --cluster the tables are replicated and distributed, which \
            their servers and ClickHouse Keeper do. Exit status: 0 done, 2 ClickHouse did not do it.
            """)

    @Option(name: .long, help: ArgumentHelp("The configuration file. [WAYMARK_CONFIG]", valueName: "file"))
    var config: String?

    @Option(name: .long, help: ArgumentHelp("The cluster of ClickHouse to make the tables on.", valueName: "name"))
    var cluster: String?

    @Flag(name: .customLong("print"), help: "Print the statements, and send nothing.")
    var prints = false

    mutating func run() async throws {
        if let cluster, !ClickHouseTables.isName(cluster) {
            throw CommandFailure.usage(
                "--cluster: \"\(cluster.shown(atMost: 80))\" is not allowed; give letters, digits and underscores, not a digit first"
            )
        }
        let target = try ClickHouseTarget(try Configuration(config: config))
        let settings = target.client.settings
        guard !prints else {
            let tables = ClickHouseTables(database: settings.database, cluster: cluster)
            for statement in tables.statements(retentionDays: settings.retentionDays) { print(statement + ";") }
            return
        }
        let cluster = cluster
        let (tables, version) = try await target.asking { try await target.client.migrate(cluster: cluster) }
        let place = tables.cluster.map { " on the cluster \($0)" } ?? ""
        print(
            "ClickHouse \(version.shown(atMost: 40)) has the tables of version \(ClickHouseTables.version) "
                + "in the database \(tables.database)\(place)")
        if ClickHouseTables.isModern(version) {
            print("it deletes clicks after \(settings.retentionDays.counted("day"))")
        } else {
            print("this version of ClickHouse deletes no clicks by itself, and knows no deduplication tokens")
        }
    }
}
