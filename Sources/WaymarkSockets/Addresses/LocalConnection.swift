#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Connections between processes of this machine, through a Unix-domain socket.
package enum LocalConnection {
    /// Connects to a socket.
    ///
    /// - Returns: a non-blocking descriptor that the caller owns.
    /// - Throws: the kernel's error: ENOENT without a socket, ECONNREFUSED without a listener.
    package static func open(path: String) throws(SystemError) -> Int32 {
        guard let reachable = ReachablePath(path), let address = LocalAddress(path: reachable.text) else {
            throw SystemError(code: ENAMETOOLONG, operation: "connect")
        }
        guard case .processed(let number) = SystemCall.streamSocket(family: AF_UNIX) else {
            throw SystemError(operation: "socket")
        }
        let socket = FileDescriptor(owning: Int32(truncatingIfNeeded: number))
        // unsafe because connect reads an address through a pointer that is lent for the call.
        let result = unsafe address.withKernelAddress { unsafe connect(socket.number, $0, $1) }
        let code = errno
        withExtendedLifetime(reachable) {}
        guard result == 0 else { throw SystemError(code: code, operation: "connect") }
        return socket.release()
    }

    /// The user of the process at the other end, which the kernel noted when the connection was made; nil if unknown.
    package static func user(of descriptor: Int32) -> UInt32? {
        #if os(Linux)
            // struct ucred: process, user, group.
            var credentials: [UInt32] = [0, 0, 0]
            let size = 3 * MemoryLayout<UInt32>.size
            var length = socklen_t(size)
            // unsafe because getsockopt writes at most `length` bytes, which is the size of the array.
            let result = unsafe credentials.withUnsafeMutableBytes {
                unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, $0.baseAddress, &length)
            }
            return result == 0 && length == size ? credentials[1] : nil
        #else
            var (user, group) = (uid_t(), gid_t())
            // unsafe because getpeereid writes through both pointers.
            return unsafe getpeereid(descriptor, &user, &group) == 0 ? user : nil
        #endif
    }
}

/// A path of a socket, as short as the kernel wants it (`sun_path`). A longer one leads through the folder's open descriptor
/// on Linux, and therefore is valid only as long as this object lives.
final class ReachablePath {
    let text: String
    private let folder: Int32

    /// Nil if the folder can't be opened, or if the name alone is too long.
    init?(_ path: String) {
        guard path.utf8.count > ListeningEndpoint.longestPath else {
            text = path
            folder = -1
            return
        }
        #if os(Linux)
            guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
            let name = slash == path.startIndex ? "/" : String(path[..<slash])
            // unsafe because open reads a C string.
            folder = unsafe open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            text = "/proc/self/fd/\(folder)/" + path[path.utf8.index(after: slash)...]
            guard folder >= 0, text.utf8.count <= ListeningEndpoint.longestPath else { return nil }
        #else
            return nil
        #endif
    }

    deinit {
        if folder >= 0 { _ = SystemCall.close(folder) }
    }
}
