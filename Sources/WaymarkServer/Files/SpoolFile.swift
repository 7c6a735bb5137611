import Synchronization
import WaymarkSockets

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A temporary file that only this process may read. It is deleted with the object, or at the next start if the process
/// ends before: it is locked (flock) while it is in use, so that servers may share a folder.
///
/// Isolation: `append` is called by one task at a time.
package final class SpoolFile: Sendable {
    package struct Failure: Error, Equatable {
        /// The value of `errno`.
        package let code: Int32

        /// Whether there is no space left.
        package var isDiskFull: Bool { code == ENOSPC || code == EDQUOT }
    }

    private static let prefix = "waymark-import-"
    /// What SQLite adds to the name of a database for its own files.
    private static let companions = ["-wal", "-shm", "-journal"]

    package let path: String
    private let descriptor: FileDescriptor
    private let space: SpoolSpace
    private let bytes = Atomic<Int>(0)

    /// - Parameter folder: empty for the working directory.
    package init(in folder: String, _ space: SpoolSpace) throws(Failure) {
        self.space = space
        let name = Self.prefix + String(UInt64.random(in: .min ... .max), radix: 36)
        let path = folder.isEmpty ? name : folder + "/" + name
        // unsafe because C reads a path through a pointer that lives as long as the call.
        let number = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else { throw Failure(code: errno) }
        self.path = path
        descriptor = FileDescriptor(owning: number)
        // A start between the two calls may have deleted the file: it stays usable, but can't be opened by its path.
        guard flock(number, LOCK_EX | LOCK_NB) == 0 else { throw Failure(code: errno) }
    }

    deinit {
        // unsafe because C reads a path through a pointer that lives as long as the call.
        for name in [""] + Self.companions { _ = unsafe unlink(path + name) }
        space.release(bytes.load(ordering: .relaxed))
    }

    /// Fails before the disk is full: the store may need it, too.
    package func append(_ bytes: ArraySlice<UInt8>) throws(Failure) {
        try space.reserve(bytes.count, on: descriptor.number)
        self.bytes.add(bytes.count, ordering: .relaxed)
        var rest = bytes
        while !rest.isEmpty {
            // unsafe because a pointer to the rest is lent, with its size.
            let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor.number, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw Failure(code: count == 0 ? EIO : errno)
            }
        }
    }

    /// The bytes from `offset` on, some at a time; empty at the end.
    package func read(at offset: Int, atMost limit: Int = 65_536) throws(Failure) -> [UInt8] {
        var piece = [UInt8](repeating: 0, count: limit)
        while true {
            // unsafe because pread writes into the array, whose size it is given.
            let count = unsafe piece.withUnsafeMutableBytes {
                unsafe pread(descriptor.number, $0.baseAddress, $0.count, off_t(offset))
            }
            if count >= 0 {
                piece.removeLast(limit - count)
                return piece
            }
            guard errno == EINTR else { throw Failure(code: errno) }
        }
    }

    /// For a response, with what was written so far; nil if the file can't be opened. To be called once.
    package func opened() -> OpenFile? {
        // unsafe because C reads a path through a pointer that lives as long as the call.
        let number = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard number >= 0 else { return nil }
        // Before the response looks at the file: one that is deleted meanwhile seems changed.
        _ = unsafe unlink(path)
        // Its space is taken until it was sent.
        return OpenFile(FileDescriptor(owning: number), keeping: self)
    }

    /// Deletes files that processes left behind which have ended.
    ///
    /// - Returns: how many.
    package static func removeAbandoned(in folder: String) -> Int {
        var removed = 0
        let names = names(in: folder.isEmpty ? "." : folder).filter { $0.hasPrefix(prefix) }
        let all = Set(names)
        for name in names {
            // A companion goes with its file, which may be in use.
            if let end = companions.first(where: { name.hasSuffix($0) }), all.contains(String(name.dropLast(end.count)))
            {
                continue
            }
            let path = folder.isEmpty ? name : folder + "/" + name
            // unsafe because C reads a path through a pointer that lives as long as the call.
            let number = unsafe open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            guard number >= 0 else { continue }
            let file = FileDescriptor(owning: number)
            guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else { continue }
            // unsafe as above.
            for end in [""] + companions where unsafe unlink(path + end) == 0 { removed += 1 }
        }
        return removed
    }

    private static func names(in folder: String) -> [String] {
        // unsafe because C objects are used: the stream is closed here, and each entry is copied before the next call.
        guard let stream = unsafe opendir(folder) else { return [] }
        defer { _ = unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            // unsafe as above: a name ends with a NUL within its field.
            names.append(
                unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                    unsafe name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) {
                        unsafe String(cString: $0)
                    }
                })
        }
        return names
    }
}
