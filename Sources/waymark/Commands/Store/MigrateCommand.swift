import ArgumentParser
import Foundation
import WaymarkArchive
import WaymarkLinks
import WaymarkStores
import WaymarkTLS

/// `waymark migrate --from URL --to URL`
struct MigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Fill an empty database with what another one holds, and compare the two.",
        discussion: """
            From SQLite to PostgreSQL or back. Stop the servers first; the source is not changed. A migration that was \
            interrupted goes on where it was when the same command runs again. Metadata that is sealed stays sealed, and \
            is sealed where it was not and metadataKeys is configured. Exit status: 0 done and compared, 1 it failed, 2 \
            wrong arguments, or a database that is not there.
            """)

    @Option(name: .long, help: ArgumentHelp("The database to read.", valueName: "url"))
    var from: String

    @Option(name: .long, help: ArgumentHelp("The empty database to fill.", valueName: "url"))
    var to: String

    @Option(
        name: .long, help: ArgumentHelp("The configuration file, for metadataKeys. [WAYMARK_CONFIG]", valueName: "file")
    )
    var config: String?

    mutating func run() throws {
        let source = try SettingType.database.read(text: from, from: .flag("--from"))
        let target = try SettingType.database.read(text: to, from: .flag("--to"))
        guard source != target else { throw CommandFailure.usage("--to: the database is the one of --from") }
        let keys = MetadataKeys(try Configuration(config: config).metadataKeys)
        if case .file(let path) = source, !FileManager.default.fileExists(atPath: path) {
            throw CommandFailure.usage("--from: \(path): the file does not exist")
        }
        let old = try source.archive(.alone)
        defer { old.close() }
        let new = try target.archive(.filling)
        defer { new.close() }
        try reportingFailures(of: "\(source.text) to \(target.text)") {
            try old.beginReading()
            let transfer = Transfer(
                new, keys: keys, source: source.identity { SHA256.digest(of: $0) }, links: try old.linkCount())
            let links = try transfer.run {
                var entries = StoreEntries(old)
                return { try entries.next() }
            }
            print("moved \(links) links from \(source.text) to \(target.text), and compared them")
        }
    }
}
