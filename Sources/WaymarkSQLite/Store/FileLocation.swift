internal import WaymarkLinks
internal import WaymarkStores

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Checks that an open database still is the file at its path. If it was deleted or replaced, writes go to a file
/// that no one can open again, so they must not be acknowledged.
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

    private static func look(_ path: String) -> (UInt64, UInt64)? {
        var found = stat()
        guard unsafe stat(path, &found) == 0 else { return nil }
        return (UInt64(truncatingIfNeeded: found.st_dev), UInt64(truncatingIfNeeded: found.st_ino))
    }
}
