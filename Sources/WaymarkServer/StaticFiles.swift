package import WaymarkHTTP
package import WaymarkSockets

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Serves the files below one directory, and nothing else.
///
/// Each segment of a path is opened by itself, below the one before, and no symbolic link is followed: there is no path
/// that leads out, whatever happens to the tree meanwhile. Reads the disk, so it is called in `Reply.later`.
package final class StaticFiles: Sendable {
    package enum Outcome: Sendable {
        case response(Response)
        /// No such file, or one that is not to be seen.
        case notFound
        /// The system can't open files now, such as when it has no descriptors left.
        case failed(SystemError)
    }

    private let root: FileDescriptor
    private let fields: HeaderBlock

    /// - Parameters:
    ///   - root: a directory.
    ///   - fields: added to every response, such as Cache-Control.
    /// - Throws: where the directory can't be opened.
    package init(root: String, fields: HeaderBlock = HeaderBlock()) throws(SystemError) {
        // unsafe because open reads a C string, which Swift makes for the call.
        let number = unsafe open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw SystemError(code: errno, operation: "open \(root)") }
        self.root = FileDescriptor(owning: number)
        self.fields = fields
    }

    /// Answers a GET or HEAD.
    package func serve(_ request: StaticFileRequest) -> Outcome {
        guard !request.segments.isEmpty else { return .notFound }
        var directory = root.number
        // Keeps each directory open until the next one is.
        var holder: DirectoryHolder?
        for name in request.segments.dropLast() {
            switch Self.openName(name, below: directory, flags: O_DIRECTORY) {
            case .success(let number):
                holder = DirectoryHolder(FileDescriptor(owning: number))
                directory = number
            case .failure(let error): return Self.outcome(of: error)
            }
        }
        defer { withExtendedLifetime(holder) {} }
        let name = request.segments.last.flatMap { $0.isEmpty ? nil : $0 } ?? "index.html"
        switch Self.openName(name, below: directory, flags: O_NONBLOCK) {
        case .success(let number): return respond(FileDescriptor(owning: number), name: name, to: request)
        case .failure(let error): return Self.outcome(of: error)
        }
    }

    private func respond(
        _ descriptor: consuming FileDescriptor, name: String, to request: StaticFileRequest
    ) -> Outcome {
        if Self.isDirectory(descriptor.number) {
            // Relative links of a page only work behind the slash. No empty segment gets here, so this can't be `//host`.
            var fields = fields
            guard fields.append(.location, request.path + "/") else { return .notFound }
            return .response(Response(.movedPermanently, fields: fields))
        }
        guard let file = OpenFile(descriptor) else { return .notFound }
        let tag = Self.entityTag(of: file)
        var fields = fields
        _ = fields.append(.eTag, tag)
        _ = fields.append(.lastModified, HTTPDate(unixSeconds: file.modified).text)
        _ = fields.append(.xContentTypeOptions, "nosniff")
        if request.isFresh(tag: tag, modified: file.modified) {
            return .response(Response(.notModified, fields: fields))
        }
        fields.append(.contentType, ContentType.ofFile(named: name))
        return .response(Response(.ok, fields: fields, body: .file(file)))
    }

    private static func entityTag(of file: OpenFile) -> String {
        "\"" + String(file.modified, radix: 36) + "-" + String(file.modifiedNanoseconds, radix: 36) + "-"
            + String(file.count, radix: 36) + "\""
    }

    private static func openName(_ name: String, below directory: Int32, flags: Int32) -> Result<Int32, SystemError> {
        // unsafe because openat reads a C string, which Swift makes for the call.
        let number = unsafe openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | flags)
        return number >= 0 ? .success(number) : .failure(SystemError(code: errno, operation: "openat"))
    }

    private static func isDirectory(_ number: Int32) -> Bool {
        var information = stat()
        // unsafe because fstat writes through the pointer.
        return unsafe fstat(number, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
    }

    private static func outcome(of error: SystemError) -> Outcome {
        switch error.code {
        case EMFILE, ENFILE, ENOMEM, EIO: .failed(error)
        // Not there, a link, not a directory, not for us: none of which a client needs to tell apart.
        default: .notFound
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
