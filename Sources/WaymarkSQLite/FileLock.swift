internal import WaymarkLinks

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Holds a database for one process: an advisory lock (flock) on the file beside it whose name ends in `.lock`.
///
/// Not on the database itself, because SQLite's own locks there are POSIX record locks, and those are all dropped when
/// any descriptor of the file is closed. The file stays when the lock goes: deleting it would let two servers lock two
/// different files of the same name. A process that dies, however it dies, loses the lock with its descriptors.
final class FileLock: Sendable {
    private let descriptor: Int32

    /// - Throws: `.unavailable` where another holder has the lock or the side file can't be made.
    init(besides path: String) throws(StoreError) {
        // unsafe because C reads the path through a pointer that lives as long as the call.
        descriptor = unsafe open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.refusal(errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(descriptor)
            throw code == EWOULDBLOCK
                ? .unavailable("the database is locked by another server") : Self.refusal(code)
        }
    }

    deinit { close(descriptor) }

    static func refusal(_ code: Int32) -> StoreError {
        switch code {
        case EROFS: .unavailable("the database file or its folder is read-only")
        case EACCES, EPERM: .unavailable("the database file or its folder may not be written")
        case ENOSPC, EDQUOT: .unavailable("the disk that holds the database is full")
        case ENOENT, ENOTDIR: .unavailable("the folder of the database can't be made")
        case EISDIR: .unavailable("the database is a folder")
        default: .unavailable("the database file can't be opened (error \(code))")
        }
    }
}
