internal import GRDB
internal import WaymarkLinks
internal import WaymarkStores

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

extension DatabaseFile {
    struct OpenedArchive {
        var database: DatabaseQueue
        var lock: FileLock?
        var copy: TemporaryCopy?
    }

    static func openArchive(
        _ path: String, mode: SQLiteArchive.Mode, reporting report: (SchemaChange) -> Void
    ) throws -> OpenedArchive {
        guard !path.isEmpty, path != ":memory:" else {
            throw StoreError.unavailable("only a database in a file can be opened here")
        }
        let absolute = try absolute(path)
        var lock: FileLock?
        if mode == .alone {
            try makeFolders(of: absolute)
            lock = try self.lock(absolute)
        } else {
            // SQLite would create the file; unsafe because C reads the path through a pointer that lives as long as
            // the call.
            guard unsafe access(absolute, F_OK) == 0 else { throw StoreError.unavailable("the file does not exist") }
        }
        let database = try DatabaseQueue(path: absolute, configuration: archiveConfiguration(mode))
        let isOlder = try database.inDatabase { database in
            if mode == .alone {
                guard try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL") == "wal" else {
                    throw StoreError.unavailable("the database can't keep a write-ahead log")
                }
                try Schema.migrate(database, reporting: report)
            } else {
                let found = try Schema.found(database)
                guard found > 0 else { throw Schema.emptiness }
                if mode == .beside, found < Schema.version { throw Schema.isOlder(found) }
            }
            if mode == .reading || mode == .copying { try database.execute(sql: "PRAGMA query_only = ON") }
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 4000")
            try database.execute(sql: "PRAGMA journal_size_limit = 67108864")
            return try mode == .reading && Schema.found(database) < Schema.version
        }
        guard isOlder else { return OpenedArchive(database: database, lock: lock) }
        let copy = try TemporaryCopy(of: database)
        try database.close()
        let migrated = try DatabaseQueue(path: copy.path, configuration: archiveConfiguration(mode))
        try migrated.inDatabase { database in
            // The copy is deleted anyway.
            try database.execute(sql: "PRAGMA synchronous = OFF")
            try Schema.migrate(database, reporting: report)
            try database.execute(sql: "PRAGMA query_only = ON")
        }
        return OpenedArchive(database: migrated, copy: copy)
    }

    private static func archiveConfiguration(_ mode: SQLiteArchive.Mode) -> Configuration {
        var configuration = Configuration()
        // A consistent snapshot needs a transaction that spans several calls.
        configuration.allowsUnsafeTransactions = true
        // A busy server leaves only short gaps between its transactions.
        configuration.busyMode = .timeout(mode == .beside ? 60 : 10)
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA cache_size = -32768")
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
            // Replaced bytes must not stay readable in the file: they may be metadata that is being encrypted.
            if mode == .beside { try database.execute(sql: "PRAGMA secure_delete = ON") }
            try Schema.check(database)
        }
        return configuration
    }
}

extension Schema {
    static var emptiness: StoreError { .unavailable("the database is empty: no server has used it so far") }

    /// Never migrates while a server runs: it might not understand the new tables.
    static func isOlder(_ found: Int) -> StoreError {
        .unavailable(
            "the database has schema \(found), of an older version of this program, which has \(version); start the server once"
        )
    }
}

/// A copy of a database in a folder for temporary files, which only its owner may read.
final class TemporaryCopy {
    let path: String
    private let folder: String

    init(of database: DatabaseQueue) throws {
        folder = try Self.makeFolder()
        path = folder + "/copy.sqlite"
        do {
            let target = try DatabaseQueue(path: path)
            try database.inDatabase { source in
                // In a single transaction, because the copy would restart with every commit of another connection.
                try source.inTransaction(.deferred) {
                    _ = try Int.fetchOne(source, sql: "SELECT count(*) FROM sqlite_master")
                    try target.inDatabase { try source.backup(to: $0) }
                    return .commit
                }
            }
            try target.close()
        } catch {
            remove()
            guard case .unavailable(let sentence) = StoreError(error) else { throw error }
            throw StoreError.unavailable(
                "the temporary copy, which is brought up to date, can't be made: \(sentence); name another folder in TMPDIR"
            )
        }
    }

    func remove() {
        for name in ["", "-wal", "-shm", "-journal"] {
            // Safety: C reads the path through a pointer that lives as long as the call.
            _ = unsafe unlink(path + name)
        }
        _ = unsafe rmdir(folder)
    }

    private static func makeFolder() throws -> String {
        // Safety: C returns a pointer into the environment, which nothing changes meanwhile; it is copied at once.
        let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var template = Array((parent + "/waymark-XXXXXX").utf8CString)
        // Safety: C writes the name into the array's bytes, which it does not outlive.
        let isMade = unsafe template.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return false }
            return unsafe mkdtemp(start) != nil
        }
        guard isMade else { throw FileLock.refusal(errno) }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
