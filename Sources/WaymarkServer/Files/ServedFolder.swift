import WaymarkSockets

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Where served files come from.
protocol FileFolder: Sendable {
    /// - Parameters:
    ///   - folders: visible names, from the root down.
    ///   - name: a visible name in the last of them.
    ///   - isSidecarWanted: whether to look for `<name>.gz` too.
    func find(_ name: String, in folders: ArraySlice<String>, isSidecarWanted: Bool) -> FoundFile
}

enum FoundFile {
    /// With the file of the same name plus `.gz`, if that was requested and exists.
    case file(OpenFile, sidecar: OpenFile?)
    case directory
    /// No such file, or one that must not be served.
    case nothing
    case failed(SystemError)
}

/// A folder and the files below it.
///
/// Each path segment is opened separately, relative to the one before, and symbolic links are not followed: no path
/// leads out of the folder, even if the tree changes meanwhile. The folder itself may be reached through links.
final class ServedFolder: FileFolder {
    private let root: FileDescriptor

    init(_ path: String) throws(SystemError) {
        // unsafe because open reads a C string, which Swift makes for the call.
        let number = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw SystemError(code: errno, operation: "open \(path)") }
        root = FileDescriptor(owning: number)
    }

    func find(_ name: String, in folders: ArraySlice<String>, isSidecarWanted: Bool) -> FoundFile {
        var directory = root.number
        // Keeps each directory open until the next one is open.
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
        // Without O_NONBLOCK, opening a pipe that has no writer would block.
        switch Self.openName(name, below: directory, flags: O_NONBLOCK) {
        case .failure(let error): return Self.found(error)
        case .success(let number):
            let descriptor = FileDescriptor(owning: number)
            if Self.isDirectory(number) { return .directory }
            guard let file = OpenFile(descriptor) else { return .nothing }
            return .file(file, sidecar: isSidecarWanted ? Self.sidecar(of: file, name, below: directory) : nil)
        }
    }

    /// The sidecar, only if it is not older than the file and is really gzip.
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

    private static func found(_ error: SystemError) -> FoundFile {
        switch error.code {
        case EMFILE, ENFILE, ENOMEM, EIO: .failed(error)
        // Missing, a link, not a directory, no permission: clients get the same response for all of them.
        default: .nothing
        }
    }
}

/// Keeps a directory open while its entries are opened.
private final class DirectoryHolder {
    private let descriptor: FileDescriptor

    init(_ descriptor: consuming FileDescriptor) {
        self.descriptor = descriptor
    }
}
