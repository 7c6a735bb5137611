internal import Dispatch
internal import GRDB
internal import WaymarkLinks
internal import WaymarkStores

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Opens a database such that acknowledged writes are durable, and errors are reported in one sentence.
///
/// Safety: C reads each path through a pointer that lives as long as the call, and the memory that it returns is freed
/// here.
enum DatabaseFile {
    /// Number of reading connections for lookups, and of additional ones for pages of listings that an index gives, and for
    /// searches and reports, which take longer.
    static let readers = 4
    static let pageReaders = 1
    static let listingReaders = 1
    /// For what is to be indexed.
    static let backgroundReaders = 1

    struct Opened {
        var database: any DatabaseWriter
        /// Nil for an in-memory database.
        var lock: FileLock?
        /// Nil for an in-memory database.
        var location: FileLocation?
    }

    /// - Parameters:
    ///   - path: A file, created with its folders if missing, or `:memory:`.
    ///   - report: Receives the beginning and the end of a migration.
    static func open(_ path: String, reporting report: (SchemaChange) -> Void) throws(StoreError) -> Opened {
        do {
            if path == ":memory:" {
                let database = try DatabaseQueue(configuration: configuration())
                try prepare(database, reporting: report)
                return Opened(database: database, lock: nil, location: nil)
            }
            return try openFile(path, reporting: report)
        } catch {
            throw StoreError(error).naming(path)
        }
    }

    private static func openFile(_ path: String, reporting report: (SchemaChange) -> Void) throws -> Opened {
        guard !path.isEmpty else { throw StoreError.unavailable("the database has no path") }
        let absolute = try absolute(path)
        try makeFolders(of: absolute)
        let lock = try lock(absolute)
        let database = try DatabasePool(path: absolute, configuration: configuration())
        try prepare(database, reporting: report)
        return Opened(database: database, lock: lock, location: FileLocation(absolute))
    }

    private static func configuration() -> Configuration {
        var configuration = Configuration()
        // Only other programs can hold the file: the lock file keeps other servers out.
        configuration.busyMode = .timeout(2)
        configuration.maximumReaderCount = readers + pageReaders + listingReaders + backgroundReaders
        // GRDB's default is `userInitiated`, for which Dispatch sets a niceness of -2 if permitted: then writing
        // clicks would take precedence over the event loops, which have visitors waiting.
        configuration.qos = .utility
        configuration.prepareDatabase { database in
            // In KiB. A reader's cache fits the inner pages of both trees that a lookup descends, for up to some ten
            // million links; the leaves are left to the kernel's page cache.
            try database.execute(sql: "PRAGMA cache_size = -\(database.configuration.readonly ? 8_192 : 16_384)")
            // Statement journals for savepoints stay in memory: in a file they cost a third of a write's time.
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
            // GRDB sets 10 s for readers, longer than a request may take.
            try database.execute(sql: "PRAGMA busy_timeout = 2000")
            guard !database.configuration.readonly else { return }
            // Deleted data must not stay readable in the file, whatever SQLite's build default: metadata, and the
            // keys that visitors' numbers were derived from.
            try database.execute(sql: "PRAGMA secure_delete = ON")
            // Before GRDB switches the file to WAL: another program's database is left unchanged.
            try Schema.check(database)
        }
        return configuration
    }

    private static func prepare(
        _ database: any DatabaseWriter, reporting report: (SchemaChange) -> Void
    ) throws {
        try database.writeWithoutTransaction { database in
            // Set after opening, because GRDB's pool sets NORMAL when it switches to WAL, after `prepareDatabase`.
            // With NORMAL a power failure can lose an acknowledged commit.
            try database.execute(sql: "PRAGMA synchronous = FULL")
            guard try Int.fetchOne(database, sql: "PRAGMA synchronous") == 2 else {
                throw StoreError.unavailable("the database does not write through to the disk")
            }
            // 16 MiB instead of 4 between checkpoints: each waits for the disk twice and blocks writes.
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 4000")
            try database.execute(sql: "PRAGMA journal_size_limit = 67108864")
            try Schema.migrate(database, reporting: report)
        }
    }

    /// Creates the file if missing, and locks it.
    static func lock(_ absolute: String) throws -> FileLock {
        // Before the name is resolved, because a symbolic link with a missing target can't be resolved.
        if unsafe access(absolute, F_OK) != 0 { try touch(absolute) }
        let lock = try FileLock.take(resolved(absolute))
        // Checks that it is writable. After taking the lock, because closing the file would drop the locks of a store
        // in this process.
        try touch(absolute)
        return lock
    }

    /// Created here, because SQLite's default mode is readable by everyone; `-wal` and `-shm` inherit its mode.
    private static func touch(_ path: String) throws {
        let descriptor = open(file: path)
        guard descriptor >= 0 else { throw FileLock.refusal(errno) }
        close(descriptor)
    }

    private static func open(file: String) -> Int32 {
        #if canImport(Glibc)
            unsafe Glibc.open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        #else
            Darwin.open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        #endif
    }

    /// An absolute path also prevents SQLite from parsing `file:` names as URIs.
    static func absolute(_ path: String) throws -> String {
        path.hasPrefix("/") ? path : try workingFolder() + "/" + path
    }

    private static func workingFolder() throws -> String {
        guard let name = unsafe getcwd(nil, 0) else { throw FileLock.refusal(errno) }
        defer { unsafe free(name) }
        return unsafe String(cString: name)
    }

    /// Two names of one file must refer to the same lock.
    static func resolved(_ path: String) -> String {
        guard let name = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(name) }
        return unsafe String(cString: name)
    }

    /// Missing folders are created with access for their owner only: the database contains secrets.
    static func makeFolders(of path: String) throws {
        var folder = ""
        for part in path.split(separator: "/").dropLast() {
            folder += "/" + part
            guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST || access(folder, X_OK) == 0 else {
                throw FileLock.refusal(errno)
            }
        }
    }
}
