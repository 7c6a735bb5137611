internal import Dispatch
internal import GRDB
internal import WaymarkLinks

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Opens a database so that what it acknowledges is durable, and so that whatever stands in the way is said in one
/// sentence.
enum DatabaseFile {
    /// Reading connections of a file for look-ups, and further ones for listings, which take longer.
    static let readers = 4
    static let listingReaders = 1

    struct Opened {
        var database: any DatabaseWriter
        /// nil for a database in memory.
        var lock: FileLock?
        /// nil for a database in memory.
        var location: FileLocation?
    }

    /// - Parameter path: A file, made with its folders where there is none, or `:memory:`.
    static func open(_ path: String) throws(StoreError) -> Opened {
        do {
            if path == ":memory:" {
                let database = try DatabaseQueue(configuration: configuration())
                try prepare(database)
                return Opened(database: database, lock: nil, location: nil)
            }
            return try openFile(path)
        } catch {
            throw StoreError(error).naming(path)
        }
    }

    private static func openFile(_ path: String) throws -> Opened {
        guard !path.isEmpty else { throw StoreError.unavailable("the database has no path") }
        let absolute = try absolute(path)
        try makeFolders(of: absolute)
        let lock = try lock(absolute)
        let database = try DatabasePool(path: absolute, configuration: configuration())
        try prepare(database)
        return Opened(database: database, lock: lock, location: FileLocation(absolute))
    }

    private static func configuration() -> Configuration {
        var configuration = Configuration()
        // Only other programs can hold the file: servers are kept away by the lock file.
        configuration.busyMode = .timeout(2)
        configuration.maximumReaderCount = readers + listingReaders
        // GRDB's own choice is `userInitiated`, which Dispatch makes a niceness of -2 where it may: then the writing down of
        // clicks would go before the event loops, which have visitors waiting.
        configuration.qos = .utility
        configuration.prepareDatabase { database in
            // In KiB. A reader's holds the inner pages of both trees that a look-up goes down, up to some ten million links;
            // for the leaves there is the kernel's cache.
            try database.execute(sql: "PRAGMA cache_size = -\(database.configuration.readonly ? 8_192 : 16_384)")
            // What savepoints take back is kept in memory: in a file it costs a third of a write's time.
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
            // GRDB gives readers 10 s of their own, longer than a request may take.
            try database.execute(sql: "PRAGMA busy_timeout = 2000")
            guard !database.configuration.readonly else { return }
            // What is deleted does not stay readable in the file, however SQLite was built: metadata, and the keys that visitors'
            // numbers were made with.
            try database.execute(sql: "PRAGMA secure_delete = ON")
            // Before GRDB switches the file to WAL: the database of another program is left as it is.
            try Schema.check(database)
        }
        return configuration
    }

    private static func prepare(_ database: any DatabaseWriter) throws {
        try database.writeWithoutTransaction { database in
            // After opening, because GRDB's pool sets NORMAL when it switches to WAL, later than `prepareDatabase`, and
            // with NORMAL a commit that was acknowledged can be lost with the power.
            try database.execute(sql: "PRAGMA synchronous = FULL")
            guard try Int.fetchOne(database, sql: "PRAGMA synchronous") == 2 else {
                throw StoreError.unavailable("the database does not write through to the disk")
            }
            // 16 MiB instead of 4 between checkpoints: each waits for the disk twice while writes wait for it.
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 4000")
            try database.execute(sql: "PRAGMA journal_size_limit = 67108864")
            try Schema.migrate(database)
        }
    }

    /// Makes the file where there is none, and locks it.
    static func lock(_ absolute: String) throws -> FileLock {
        // Before its name is resolved, because a symbolic link whose target is missing has no other name yet.
        if unsafe access(absolute, F_OK) != 0 { try touch(absolute) }
        let lock = try FileLock.take(resolved(absolute))
        // Whether it may be written. Behind the lock, because closing it would drop the locks of a store in this process.
        try touch(absolute)
        return lock
    }

    /// Made here, because SQLite would make a file that everyone can read; `-wal` and `-shm` inherit its mode.
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

    /// An absolute path also keeps SQLite from reading `file:` names as URIs.
    static func absolute(_ path: String) throws -> String {
        path.hasPrefix("/") ? path : try workingFolder() + "/" + path
    }

    // unsafe because C gives memory that has to be freed, and reads paths through pointers that live as long as a call.
    private static func workingFolder() throws -> String {
        guard let name = unsafe getcwd(nil, 0) else { throw FileLock.refusal(errno) }
        defer { unsafe free(name) }
        return unsafe String(cString: name)
    }

    /// Two names of one file must mean one lock.
    static func resolved(_ path: String) -> String {
        guard let name = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(name) }
        return unsafe String(cString: name)
    }

    /// Folders that are missing are made for their owner only: the database holds secrets.
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
