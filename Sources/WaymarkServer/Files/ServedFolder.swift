import WaymarkSockets

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A folder and the files below it.
///
/// Each segment of a path is opened by itself, below the one before, and no symbolic link is followed: there is no path
/// that leads out, whatever happens to the tree meanwhile. The folder itself may be reached through links.
final class ServedFolder: Sendable {
    enum Found {
        /// With the file of the same name and `.gz` behind it, where that was asked for and is there.
        case file(OpenFile, sidecar: OpenFile?)
        case directory
        /// No such file, or one that is not to be seen.
        case nothing
        case failed(SystemError)
    }

    private let root: FileDescriptor

    init(_ path: String) throws(SystemError) {
        // unsafe because open reads a C string, which Swift makes for the call.
        let number = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw SystemError(code: errno, operation: "open \(path)") }
        root = FileDescriptor(owning: number)
    }

    /// - Parameters:
    ///   - folders: visible names, from the root down.
    ///   - name: a visible name in the last of them.
    ///   - isSidecarWanted: whether to look for `<name>.gz` too.
    func find(_ name: String, in folders: ArraySlice<String>, isSidecarWanted: Bool) -> Found {
        var directory = root.number
        // Keeps each directory open until the next one is.
        var holder: DirectoryHolder?
        for folder in folders {
            switch Self.openName(folder, below: directory, flags: O_DIRECTORY) {
            case .success(let number):
                holder = DirectoryHolder(FileDescriptor(owning: number))
                directory = number
            case .failure(let error): return Self.found(error)
            }
        }
        defer { withExtendedLifetime(holder) {} }
        // A pipe that nobody writes to would block without O_NONBLOCK.
        switch Self.openName(name, below: directory, flags: O_NONBLOCK) {
        case .failure(let error): return Self.found(error)
        case .success(let number):
            let descriptor = FileDescriptor(owning: number)
            if Self.isDirectory(number) { return .directory }
            guard let file = OpenFile(descriptor) else { return .nothing }
            return .file(file, sidecar: isSidecarWanted ? Self.sidecar(of: file, name, below: directory) : nil)
        }
    }

    /// Only one that was made from the file as it is now, and is what its name says.
    private static func sidecar(of file: OpenFile, _ name: String, below directory: Int32) -> OpenFile? {
        guard case .success(let number) = openName(name + ".gz", below: directory, flags: O_NONBLOCK),
            let sidecar = OpenFile(FileDescriptor(owning: number)), sidecar.version.isNotOlder(than: file.version),
            sidecar.count < file.count, sidecar.startsAsGzip
        else { return nil }
        return sidecar
    }

    private static func openName(_ name: String, below directory: Int32, flags: Int32) -> Result<Int32, SystemError> {
        while true {
            // unsafe because openat reads a C string, which Swift makes for the call.
            let number = unsafe openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC | flags)
            if number >= 0 { return .success(number) }
            let code = errno
            guard code == EINTR else { return .failure(SystemError(code: code, operation: "openat")) }
        }
    }

    private static func isDirectory(_ number: Int32) -> Bool {
        var information = stat()
        // unsafe because fstat writes through the pointer.
        return unsafe fstat(number, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
    }

    private static func found(_ error: SystemError) -> Found {
        switch error.code {
        case EMFILE, ENFILE, ENOMEM, EIO: .failed(error)
        // Not there, a link, not a directory, not for us: none of which a client needs to tell apart.
        default: .nothing
        }
    }
}

/// Holds a directory open while what is below it is opened.
private final class DirectoryHolder {
    private let descriptor: FileDescriptor

    init(_ descriptor: consuming FileDescriptor) {
        self.descriptor = descriptor
    }
}
