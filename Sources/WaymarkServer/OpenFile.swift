package import WaymarkSockets

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A regular file that is open for reading, with the size it had when it was opened.
///
/// What is sent is exactly that many bytes, or the connection breaks: the size has been announced by then.
package final class OpenFile: Sendable {
    private let descriptor: FileDescriptor
    /// Size in bytes.
    package let count: Int
    /// Last modification, in seconds since 1970.
    package let modified: Int64
    /// The nanoseconds beyond them.
    package let modifiedNanoseconds: Int64

    /// Takes over a descriptor; nil where it is no regular file.
    package init?(_ descriptor: consuming FileDescriptor) {
        var information = stat()
        // unsafe because fstat writes through the pointer.
        guard unsafe fstat(descriptor.number, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        #if canImport(Glibc)
            let time = information.st_mtim
        #else
            let time = information.st_mtimespec
        #endif
        count = Int(information.st_size)
        modified = Int64(time.tv_sec)
        modifiedNanoseconds = Int64(time.tv_nsec)
        self.descriptor = descriptor
    }

    var number: Int32 { descriptor.number }

    /// Reads from `offset` into `buffer`; 0 at the end, nil where the file can't be read.
    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        // unsafe because pread writes into the buffer, whose size it is given.
        let count = unsafe pread(descriptor.number, buffer.baseAddress, buffer.count, off_t(offset))
        return count < 0 ? nil : count
    }
}
