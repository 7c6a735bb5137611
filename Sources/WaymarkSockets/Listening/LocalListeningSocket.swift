#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A listening Unix-domain socket, and its file.
package struct LocalListeningSocket: ~Copyable {
    package let file: SocketFile
    private let descriptor: FileDescriptor

    /// Binds and listens. A stale socket file of a server that has ended is replaced; a socket with a listener is
    /// not, nor is any other kind of file.
    package init(path: String, mode: UInt16, backlog: Int32 = 1_024) throws(BindError) {
        let name = "unix:\(path)"
        guard let reachable = ReachablePath(path), let address = LocalAddress(path: reachable.text) else {
            throw .failed(name, SystemError(code: ENAMETOOLONG, operation: "bind"))
        }
        defer { withExtendedLifetime(reachable) {} }
        // Two servers that start at the same time would both find the old file stale, and the second would remove the
        // first one's new socket. A lock on the folder serializes them, without leaving a lock file behind.
        let lock = Self.lockFolder(of: path)
        defer { if let lock { _ = SystemCall.close(lock) } }
        let descriptor = try Self.open(name)
        // Before the file exists, so that its permissions are never too open.
        _ = fchmod(descriptor.number, mode_t(mode))
        try Self.bind(descriptor.number, to: address, path: path, name: name)
        // The process's umask may have removed permissions.
        // unsafe because chmod reads a C string.
        guard unsafe chmod(path, mode_t(mode)) == 0, listen(descriptor.number, backlog) == 0,
            let file = SocketFile(at: path)
        else { throw .failed(name, SystemError(operation: "listen")) }
        self.file = file
        self.descriptor = descriptor
    }

    /// Returns one descriptor for each event loop, all of the same socket: the kernel does not distribute connections
    /// among several Unix-domain sockets, so the loops accept from one.
    package consuming func shares(_ count: Int) throws(BindError) -> [Int32] {
        try descriptor.duplicates(count, name: "unix:\(file.path)")
    }

    private static func open(_ name: String) throws(BindError) -> FileDescriptor {
        switch SystemCall.streamSocket(family: AF_UNIX) {
        case .processed(let number): return FileDescriptor(owning: Int32(truncatingIfNeeded: number))
        case .wouldBlock: throw .failed(name, SystemError(code: EAGAIN, operation: "socket"))
        case .failed(let code): throw .failed(name, SystemError(code: code, operation: "socket"))
        }
    }

    private static func bind(
        _ descriptor: Int32, to address: LocalAddress, path: String, name: String
    ) throws(BindError) {
        // unsafe because bind reads an address through a pointer that is lent for the call.
        func attempt() -> Int32 {
            unsafe address.withKernelAddress { unsafe systemBind(descriptor, $0, $1) } == 0 ? 0 : errno
        }
        var code = attempt()
        if code == EADDRINUSE {
            guard SocketFile.isSocket(at: path) else { throw .notASocket(path) }
            guard isAbandoned(address) else { throw .addressInUse(name) }
            // unsafe because unlink reads a C string.
            _ = unsafe unlink(path)
            code = attempt()
        }
        if code != 0 { throw .failed(name, SystemError(code: code, operation: "bind")) }
    }

    /// Whether the socket has no listener: then the kernel refuses connections at once.
    private static func isAbandoned(_ address: LocalAddress) -> Bool {
        guard case .processed(let number) = SystemCall.streamSocket(family: AF_UNIX) else { return false }
        let probe = FileDescriptor(owning: Int32(truncatingIfNeeded: number))
        // unsafe because connect reads an address through a pointer that is lent for the call.
        let result = unsafe address.withKernelAddress { unsafe connect(probe.number, $0, $1) }
        return result != 0 && errno == ECONNREFUSED
    }

    private static func lockFolder(of path: String) -> Int32? {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let descriptor = systemOpen(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
        return descriptor
    }

    private static func systemOpen(_ path: String, _ flags: Int32) -> Int32 {
        // unsafe because open reads a C string; the qualified name avoids a declaration here that hides it.
        #if canImport(Glibc)
            unsafe Glibc.open(path, flags)
        #else
            unsafe Darwin.open(path, flags)
        #endif
    }

    private static func systemBind(
        _ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t
    ) -> Int32 {
        // unsafe because bind reads through the pointer; the qualified name avoids a declaration here that hides it.
        #if canImport(Glibc)
            unsafe Glibc.bind(descriptor, address, length)
        #else
            unsafe Darwin.bind(descriptor, address, length)
        #endif
    }
}

extension FileDescriptor {
    /// This many descriptors of the same open socket, including this one, all close-on-exec.
    consuming func duplicates(_ count: Int, name: String) throws(BindError) -> [Int32] {
        var numbers: [Int32] = []
        for _ in 1..<max(1, count) {
            let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
            guard copy >= 0 else {
                let error = SystemError(operation: "dup")
                for number in numbers { _ = SystemCall.close(number) }
                throw .failed(name, error)
            }
            numbers.append(copy)
        }
        return numbers + [release()]
    }
}

/// The file of a Unix-domain socket. Identified by more than its path: another server may have replaced it since.
package struct SocketFile: Sendable, Hashable {
    package let path: String
    private let device: UInt64
    private let number: UInt64

    /// Nil if there is no socket.
    init?(at path: String) {
        guard let status = Self.status(path), Self.isSocket(status) else { return nil }
        self.path = path
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
    }

    /// Removes the file if it is still the same one.
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
