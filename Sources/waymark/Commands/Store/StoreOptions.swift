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
    /// Copies the file while servers are running, whichever version its tables have.
    case copying
    /// Reads while servers are running.
    case reading
    /// Writes while servers are running.
    case beside
    /// Reads or changes it completely while no server uses it.
    case alone
    /// Fills it while no server uses it. Only this use is allowed while an import is unfinished.
    case filling

    var isExclusive: Bool { self == .alone || self == .filling }
}

extension DatabaseURL {
    /// Opens the archive of the database for a command. Blocks.
    ///
    /// - Throws: `CommandFailure`, also if an import into the database is unfinished, unless the command is `filling` it: it
    ///   has only a part of the links, and a copy of it would not show that.
    func archive(_ use: ArchiveUse) throws -> any StoreArchive {
        try requireReadable()
        do {
            let archive = try opened(use)
            if use != .filling, try archive.secrets().contains(where: { $0.name == ImportProgress.secretName }) {
                archive.close()
                throw CommandFailure.failed("\(text): \(ImportProgress.refusal)")
            }
            return archive
        } catch let error as StoreError {
            throw CommandFailure(error)
        }
    }

    private func opened(_ use: ArchiveUse) throws -> any StoreArchive {
        switch self {
        case .memory:
            throw CommandFailure.usage("sqlite::memory: is forgotten with its process; name another database")
        case .file(let path):
            let mode: SQLiteArchive.Mode =
                switch use {
                case .copying: .copying
                case .reading: .reading
                case .beside: .beside
                case .alone, .filling: .alone
                }
            return try SQLiteArchive(path: path, mode: mode) { change in
                let subject = use == .reading ? "a temporary copy, because the database is of an older version: " : ""
                if let sentence = change.sentence { StandardError.write(subject + sentence) }
            }
        #if PostgreSQL
            case .postgres(let url):
                return try PostgresArchive(url: url, migrates: use.isExclusive, refusesOthers: use.isExclusive) {
                    change in
                    if let sentence = change.sentence { StandardError.write(sentence) }
                }
        #endif
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
