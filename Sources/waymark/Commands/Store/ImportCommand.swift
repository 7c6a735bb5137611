import ArgumentParser
import WaymarkArchive
import WaymarkLinks
import WaymarkStores
import WaymarkTLS

/// `waymark import FILE`
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Fill an empty database with what an export holds, and compare the two.",
        discussion: """
            The database must be empty and no server may use it. An import that was interrupted goes on where it was when \
            the same command runs again; until it has ended, no server starts on the database. Metadata that comes plain is \
            sealed where metadataKeys is configured. Exit status: 0 done and compared, 1 it failed, 2 wrong arguments, or \
            a file that is not there.
            """)

    @Argument(help: ArgumentHelp("The export.", valueName: "file"))
    var file: String

    @OptionGroup var options: StoreOptions

    mutating func run() throws {
        let configuration = try options.configuration()
        guard file != "-" else {
            throw CommandFailure.usage("-: an export is read twice, to be compared; give a file")
        }
        // Validated before a database is created.
        _ = try reportingFailures(of: file) { try reader() }
        let target = try configuration.database.archive(.filling)
        defer { target.close() }
        try reportingFailures(of: file, store: configuration.database.text) {
            let first = try reader()
            let transfer = Transfer(
                target, keys: MetadataKeys(configuration.metadataKeys), source: "export \(first.header.id)",
                links: first.header.links)
            let links = try transfer.run {
                var reader = try reader()
                return { try reader.next() }
            }
            print("imported \(links) links into \(configuration.database.text), and compared them")
        }
    }

    private func reader() throws -> ExportReader {
        let lines = try LineFile(file)
        return try ExportReader(sha256: { SHA256.digest(of: $0) }) { try lines.next() }
    }
}

/// Fills a store from a source that is read twice: first to copy it, then to compare.
struct Transfer {
    private let target: any StoreArchive
    private let work: StoreImport
    private let links: Int

    init(_ target: any StoreArchive, keys: MetadataKeys, source: String, links: Int) {
        self.target = target
        self.links = links
        work = StoreImport(into: target, keys: keys, source: source)
    }

    /// - Parameter open: opens the source's entries, from the first one.
    /// - Returns: the number of links.
    func run(_ open: () throws -> () throws -> ArchiveEntry?) throws -> Int {
        var count = 0
        let copying = ProgressBar("copying links", all: links)
        try work.run(from: open()) { copying.show($0) }
        copying.end()
        let comparing = ProgressBar("comparing links", all: links)
        try work.verify(from: open()) {
            count = $0
            comparing.show($0)
        }
        comparing.end()
        return count
    }
}
