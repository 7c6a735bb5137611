#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The file that a Unix-domain socket stands as. It is known by more than its name: another server may have put its
/// own in this place since.
package struct SocketFile: Sendable, Hashable {
    package let path: String
    private let device: UInt64
    private let number: UInt64

    /// Nil where there is no socket.
    init?(at path: String) {
        guard let status = Self.status(path), Self.isSocket(status) else { return nil }
        self.path = path
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
    }

    /// Removes the file where it is still this one.
    package func remove() {
        guard SocketFile(at: path) == self else { return }
        // unsafe because unlink reads a C string.
        _ = unsafe unlink(path)
    }

    static func isSocket(at path: String) -> Bool {
        status(path).map(isSocket) ?? false
    }

    private static func isSocket(_ status: stat) -> Bool { status.st_mode & S_IFMT == S_IFSOCK }

    private static func status(_ path: String) -> stat? {
        var status = stat()
        // unsafe because lstat reads a C string and writes through the pointer.
        return unsafe lstat(path, &status) == 0 ? status : nil
    }
}
