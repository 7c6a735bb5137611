#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A file as the system knows it: another file, and the same one when it was written to, has another version.
struct FileVersion: Sendable, Hashable {
    let count: Int
    /// Last modification, in seconds since 1970.
    let modified: Int64
    private let modifiedNanoseconds: Int64
    // The time of modification can be set to any value, as archives and images do when they are unpacked; this one not.
    private let changed: Int64
    private let changedNanoseconds: Int64
    private let device: UInt64
    private let node: UInt64

    /// Nil where the descriptor is of anything but a regular file.
    init?(ofRegularFile descriptor: Int32) {
        var information = stat()
        // unsafe because fstat writes through the pointer.
        guard unsafe fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return nil }
        #if canImport(Glibc)
            let (modification, change) = (information.st_mtim, information.st_ctim)
        #else
            let (modification, change) = (information.st_mtimespec, information.st_ctimespec)
        #endif
        count = Int(information.st_size)
        modified = Int64(modification.tv_sec)
        modifiedNanoseconds = Int64(modification.tv_nsec)
        changed = Int64(change.tv_sec)
        changedNanoseconds = Int64(change.tv_nsec)
        device = UInt64(truncatingIfNeeded: information.st_dev)
        node = UInt64(truncatingIfNeeded: information.st_ino)
    }

    /// Tells versions apart on this machine, for files that are too large to be read for it.
    var text: String {
        [modified, modifiedNanoseconds, changed, changedNanoseconds, Int64(truncatingIfNeeded: node), Int64(count)]
            .map { String($0, radix: 36) }.joined(separator: ".")
    }

    /// Whether it was written no earlier than another.
    func isNotOlder(than other: FileVersion) -> Bool {
        (modified, modifiedNanoseconds) >= (other.modified, other.modifiedNanoseconds)
    }
}
