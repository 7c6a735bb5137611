import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The disk space that this process's spool files may take together: a fixed number of bytes, and no more than they leave free,
/// because the store needs the disk, too.
package final class SpoolSpace: Sendable {
    /// Bytes that are left free at least.
    static let reserve = 64 << 20

    private let limit: Int
    private let free: @Sendable (_ descriptor: Int32) -> Int?
    private let used = Mutex(0)

    /// - Parameters:
    ///   - limit: bytes of all files together.
    ///   - free: free bytes of the disk with this file; nil if that is unknown.
    package init(limit: Int, free: @escaping @Sendable (_ descriptor: Int32) -> Int? = SpoolSpace.free) {
        self.limit = limit
        self.free = free
    }

    /// Takes the space for further bytes of a file.
    package func reserve(_ count: Int, on descriptor: Int32) throws(SpoolFile.Failure) {
        let free = free(descriptor)
        let isReserved = used.withLock { used in
            guard used + count <= limit else { return false }
            if let free, free - count < max(Self.reserve, used + count) { return false }
            used += count
            return true
        }
        guard isReserved else { throw SpoolFile.Failure(code: ENOSPC) }
    }

    package func release(_ count: Int) { used.withLock { $0 -= count } }

    package static func free(_ descriptor: Int32) -> Int? {
        var space = statvfs()
        // unsafe because fstatvfs writes through the pointer.
        guard unsafe fstatvfs(descriptor, &space) == 0 else { return nil }
        return Int(
            clamping: UInt64(space.f_bavail).multipliedReportingOverflow(by: UInt64(space.f_frsize)).partialValue)
    }
}
