package import WaymarkSockets

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A regular file, open for reading, with its size at the time of opening; or one of the executable.
///
/// Exactly that many bytes are sent, or the connection is aborted: Content-Length has been sent by then.
package final class OpenFile: Sendable {
    /// Nil for a file of the executable.
    private let descriptor: FileDescriptor?
    /// Of the descriptor; -1 for a file of the executable.
    let number: Int32
    /// The content of a file of the executable.
    let program: ProgramBytes?
    /// The file's identity and state.
    let version: FileVersion

    private let owner: (any Sendable)?

    /// Takes ownership of a descriptor; nil if it is not a regular file.
    ///
    /// - Parameter owner: lives as long as the file is open.
    package init?(_ descriptor: consuming FileDescriptor, keeping owner: (any Sendable)? = nil) {
        guard let version = FileVersion(ofRegularFile: descriptor.number) else { return nil }
        self.version = version
        self.owner = owner
        number = descriptor.number
        self.descriptor = .some(consume descriptor)
        program = nil
    }

    /// A file of the executable.
    ///
    /// - Parameters:
    ///   - number: no other file has it.
    ///   - modified: in Unix seconds.
    init(_ program: ProgramBytes, number: Int, modified: Int64) {
        self.program = program
        version = FileVersion(count: program.count, number: number, modified: modified)
        owner = nil
        self.number = -1
        descriptor = nil
    }

    /// Size in bytes.
    package var count: Int { version.count }

    /// Whether the file was written to since it was opened.
    var hasChanged: Bool { program == nil && FileVersion(ofRegularFile: number) != version }

    /// Reads from `offset` into `buffer`; 0 at the end, nil if the read fails.
    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        if let program {
            let end = min(program.count, offset + buffer.count)
            guard offset < end else { return 0 }
            // unsafe because at most as many bytes are copied as the buffer has.
            unsafe program.withBytes(offset..<end) { unsafe buffer.copyMemory(from: $0) }
            return end - offset
        }
        while true {
            // unsafe because pread writes into the buffer, whose size it is given.
            let count = unsafe pread(number, buffer.baseAddress, buffer.count, off_t(offset))
            if count >= 0 { return count }
            guard errno == EINTR else { return nil }
        }
    }

    /// Whether it begins with the magic number of gzip (RFC 1952 section 2.3.1).
    var startsAsGzip: Bool {
        var magic: UInt16 = 0
        // unsafe because the two bytes are read through a pointer, with its size.
        let count = unsafe withUnsafeMutableBytes(of: &magic) { unsafe read(at: 0, into: $0) }
        return count == 2 && UInt16(littleEndian: magic) == 0x8B1F
    }

    /// The whole content, if it still has this digest; else nil.
    func contents(of digest: CompressionCache.Digest) -> [UInt8]? {
        contents().flatMap { CompressionCache.Digest(of: $0) == digest ? $0 : nil }
    }

    /// The whole content; nil if it can't be read, or was written to meanwhile.
    package func contents() -> [UInt8]? {
        let total = count
        var failed = false
        // unsafe because the file is read straight into the array's memory; only bytes that were read are declared
        // initialised.
        let contents = unsafe [UInt8](unsafeUninitializedCapacity: total) { buffer, filled in
            while filled < total {
                let rest = unsafe UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer)[filled..<total])
                guard let count = unsafe read(at: filled, into: rest), count > 0 else {
                    failed = true
                    return
                }
                filled += count
            }
        }
        return failed || hasChanged ? nil : contents
    }
}

/// A file's identity and state as the system reports them: another file, or the same file after a write, has another
/// version.
struct FileVersion: Sendable, Hashable {
    let count: Int
    /// Last modification, in seconds since 1970.
    let modified: Int64
    private let modifiedNanoseconds: Int64
    // The modification time can be set to any value, as archives and images do when unpacked; the change time can't.
    private let changed: Int64
    private let changedNanoseconds: Int64
    private let device: UInt64
    private let node: UInt64

    /// Of a file of the executable.
    init(count: Int, number: Int, modified: Int64) {
        self.count = count
        self.modified = modified
        node = UInt64(number)
        (modifiedNanoseconds, changed, changedNanoseconds, device) = (0, 0, 0, 0)
    }

    /// Nil if the descriptor is not a regular file.
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

    /// Identifies the version on this machine, for files too large to hash.
    var text: String {
        [modified, modifiedNanoseconds, changed, changedNanoseconds, Int64(truncatingIfNeeded: node), Int64(count)]
            .map { String($0, radix: 36) }.joined(separator: ".")
    }

    /// Whether it was written no earlier than another version.
    func isNotOlder(than other: FileVersion) -> Bool {
        (modified, modifiedNanoseconds) >= (other.modified, other.modifiedNanoseconds)
    }
}
