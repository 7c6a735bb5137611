import ArgumentParser
import Foundation
import WaymarkArchive
import WaymarkLinks
import WaymarkSQLite
import WaymarkStores

#if PostgreSQL
    import WaymarkPostgres
#endif

/// The database that a command opens directly, and its keys.
struct StoreOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("The configuration file, for database and metadataKeys. [WAYMARK_CONFIG]", valueName: "file")
    )
    var config: String?

    @Option(name: .long, help: ArgumentHelp("The database. [WAYMARK_DATABASE]", valueName: "url"))
    var database: String?

    func configuration() throws -> Configuration {
        try Configuration(config: config, database: database)
    }
}

/// How a command uses an archive.
enum ArchiveUse {
    /// Reads while servers are running.
    case reading
    /// Writes while servers are running.
    case beside
    /// Fills or reads it completely while no server uses it.
    case alone
}

extension DatabaseURL {
    /// Opens the archive of the database for a command. Blocks.
    func archive(_ use: ArchiveUse) throws -> any StoreArchive {
        try requireReadable()
        do {
            switch self {
            case .memory:
                throw CommandFailure.usage("sqlite::memory: is forgotten with its process; name another database")
            case .file(let path):
                let mode: SQLiteArchive.Mode =
                    switch use {
                    case .reading: .reading
                    case .beside: .beside
                    case .alone: .alone
                    }
                return try SQLiteArchive(path: path, mode: mode)
            #if PostgreSQL
                case .postgres(let url):
                    return try PostgresArchive(url: url, migrates: use == .alone, refusesOthers: use == .alone)
            #endif
            }
        } catch let error as StoreError {
            throw CommandFailure(error)
        }
    }

    /// - Throws: `CommandFailure` if the user who runs the command may not read the file.
    func requireReadable() throws {
        guard isForbidden else { return }
        throw CommandFailure.failed(
            "not allowed to read \(text); run the command as the user of the service, with sudo -u waymark for example")
    }

    /// Identifies a database without revealing its URL.
    func identity(sha256: ([UInt8]) -> [UInt8]) -> String {
        let text =
            switch self {
            case .memory: "memory"
            case .file(let path): URL(fileURLWithPath: path).resolvingSymlinksInPath().path
            #if PostgreSQL
                case .postgres(let url): url
            #endif
            }
        return "database " + sha256(Array(text.utf8)).prefix(16).map { String($0, radix: 16) }.joined(separator: ".")
    }
}

/// Runs a command's body, and reports errors in one line.
///
/// - Parameter store: the name used for errors of the store, if it is not the subject.
func reportingFailures<Value>(
    of subject: String, store: String? = nil, _ body: () throws -> Value
) throws -> Value {
    do {
        return try body()
    } catch let error as CommandFailure {
        throw error
    } catch let error as StoreError {
        throw CommandFailure.failed("\(store ?? subject): \(error.sentence)")
    } catch let error as ArchiveFailure {
        throw CommandFailure.failed("\(subject): \(error.description)")
    }
}
