internal import WaymarkLinks
internal import WaymarkStores

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Locks a database for one process: advisory locks (flock) on a lock file beside it (`.lock`), and on the database
/// itself.
///
/// The lock file is locked first, because SQLite's own locks on the database are POSIX record locks, which are all
/// released when any descriptor of the file is closed: a second attempt in the same process must fail before it opens
/// the database. The lock on the database, which on Linux does not conflict with SQLite's own locks, holds even if
/// someone deletes the lock file. The lock file is left in place when the locks are released. If the process dies,
/// the kernel closes its descriptors and releases the locks.
final class FileLock: Sendable {
    private let side: Int32
    private let database: Int32

    private init(side: Int32, database: Int32) {
        self.side = side
        self.database = database
    }

    /// - Parameter path: The existing database, by a path without symbolic links.
    /// - Throws: `.unavailable` if another holder has the lock or the lock file can't be created.
    static func take(_ path: String) throws(StoreError) -> FileLock {
        let side = try lock(path + ".lock", O_RDWR | O_CREAT)
        do throws(StoreError) {
            return FileLock(side: side, database: try lock(path, O_RDONLY))
        } catch {
            release(side)
            throw error
        }
    }

    deinit {
        Self.release(database)
        Self.release(side)
    }

    /// Closing alone leaves the lock with a child process that has not executed its program yet: it has a copy of the descriptor.
    private static func release(_ descriptor: Int32) {
        _ = flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    private static func lock(_ path: String, _ flags: Int32) throws(StoreError) -> Int32 {
        // unsafe because C reads the path through a pointer that lives as long as the call.
        let descriptor = unsafe open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw refusal(errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(descriptor)
            throw code == EWOULDBLOCK ? .unavailable("the database is locked by another server") : refusal(code)
        }
        return descriptor
    }

    static func refusal(_ code: Int32) -> StoreError {
        switch code {
        case EROFS: .unavailable("the database file or its folder is read-only")
        case EACCES, EPERM: .unavailable("the database file or its folder may not be written")
        case ENOSPC, EDQUOT: .diskFull
        case ENOENT, ENOTDIR: .unavailable("the folder of the database can't be made")
        case EISDIR: .unavailable("the database is a folder")
        default: .unavailable("the database file can't be opened (error \(code))")
        }
    }
}

/// Checks that an open database still is the file at its path. If it was deleted or replaced, writes go to a file
/// that no one can open again, so they must not be acknowledged.
///
/// Safety: C reads each path through a pointer that lives as long as the call, and fills a structure of this frame.
struct FileLocation: Sendable {
    private let path: String
    private let device: UInt64
    private let number: UInt64

    /// Nil if there is no such file.
    init?(_ path: String) {
        guard let found = Self.look(path) else { return nil }
        self.path = path
        (device, number) = found
    }

    /// - Throws: `.unavailable` if the file, or its write-ahead log, no longer exists.
    func check() throws(StoreError) {
        guard let found = Self.look(path), found == (device, number) else {
            throw .unavailable("the database file was deleted or replaced while it was open; start again")
        }
        // unsafe because C reads the path through a pointer that lives as long as the call.
        guard unsafe access(path + "-wal", F_OK) == 0 else {
            throw .unavailable("the write-ahead log of the database was deleted while it was open; start again")
        }
    }

    /// Bytes that this process can still write to the file system.
    ///
    /// - Throws: `.unavailable` if it can't be written at all.
    func freeBytes() throws(StoreError) -> Int? {
        var found = statvfs()
        guard unsafe statvfs(path, &found) == 0 else { return nil }
        guard UInt64(found.f_flag) & UInt64(ST_RDONLY) == 0 else { throw FileLock.refusal(EROFS) }
        let bytes = UInt64(found.f_bavail).multipliedReportingOverflow(by: UInt64(found.f_frsize))
        return bytes.overflow ? .max : Int(clamping: bytes.partialValue)
    }

    /// The time of the stamp; zero if there is none.
    var lastBackup: Timestamp {
        var found = stat()
        guard unsafe stat(path + BackupStamp.suffix, &found) == 0 else { return Timestamp(seconds: 0) }
        #if canImport(Glibc)
            return Timestamp(seconds: Int64(found.st_mtim.tv_sec))
        #else
            return Timestamp(seconds: Int64(found.st_mtimespec.tv_sec))
        #endif
    }

    private static func look(_ path: String) -> (UInt64, UInt64)? {
        var found = stat()
        guard unsafe stat(path, &found) == 0 else { return nil }
        return (UInt64(truncatingIfNeeded: found.st_dev), UInt64(truncatingIfNeeded: found.st_ino))
    }
}
