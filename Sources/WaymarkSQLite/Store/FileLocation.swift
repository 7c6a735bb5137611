internal import WaymarkLinks

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Whether a database that is open still is the file of its name. Where it was deleted or replaced, what is written goes
/// into a file that nobody can open again: none of that may be acknowledged.
struct FileLocation: Sendable {
    private let path: String
    private let device: UInt64
    private let number: UInt64

    /// Nil where there is no file of that name.
    init?(_ path: String) {
        guard let found = Self.look(path) else { return nil }
        self.path = path
        (device, number) = found
    }

    /// - Throws: `.unavailable` where the file, or the log of what was written last, is no longer there.
    func check() throws(StoreError) {
        guard let found = Self.look(path), found == (device, number) else {
            throw .unavailable("the database file was deleted or replaced while it was open; start again")
        }
        // unsafe because C reads the path through a pointer that lives as long as the call.
        guard unsafe access(path + "-wal", F_OK) == 0 else {
            throw .unavailable("the write-ahead log of the database was deleted while it was open; start again")
        }
    }

    private static func look(_ path: String) -> (UInt64, UInt64)? {
        var found = stat()
        guard unsafe stat(path, &found) == 0 else { return nil }
        return (UInt64(truncatingIfNeeded: found.st_dev), UInt64(truncatingIfNeeded: found.st_ino))
    }
}
