internal import GRDB
internal import WaymarkLinks
internal import WaymarkStores

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

extension DatabaseFile {
    static func openArchive(
        _ path: String, mode: SQLiteArchive.Mode
    ) throws -> (database: DatabaseQueue, lock: FileLock?) {
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
        try database.inDatabase { database in
            if mode == .alone {
                guard try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL") == "wal" else {
                    throw StoreError.unavailable("the database can't keep a write-ahead log")
                }
                try Schema.migrate(database)
            } else {
                try Schema.requireCurrent(database)
            }
            if mode == .reading { try database.execute(sql: "PRAGMA query_only = ON") }
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 4000")
            try database.execute(sql: "PRAGMA journal_size_limit = 67108864")
        }
        return (database, lock)
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
    /// Never migrates while a server runs: it might not understand the new tables.
    static func requireCurrent(_ database: Database) throws {
        let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        guard found == version else {
            throw StoreError.unavailable(
                found == 0
                    ? "the database is empty: no server has used it so far"
                    : "the database was made by an older version of this program; start the server once")
        }
    }
}
