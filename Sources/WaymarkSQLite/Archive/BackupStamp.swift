package import WaymarkStores

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// An empty file beside a database. Its modification time is the end of the last backup, which the server shows in its
/// metrics. Backups by other programs may `touch` it.
package enum BackupStamp {
    package static let suffix = ".backed-up"

    /// - Parameter database: The path of the database.
    /// - Throws: `.unavailable` or `.full` if the file can't be written, as for a user who may only read the database.
    package static func write(for database: String) throws(StoreError) {
        // Safety: C reads the path through a pointer that lives as long as the call.
        let descriptor = unsafe open(
            database + suffix, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600 as mode_t)
        guard descriptor >= 0 else { throw FileLock.refusal(errno) }
        defer { close(descriptor) }
        // Nil stands for the current time.
        guard futimens(descriptor, nil) == 0 else { throw FileLock.refusal(errno) }
    }
}
