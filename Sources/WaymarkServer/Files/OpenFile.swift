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
    /// Which file, in which state.
    let version: FileVersion

    /// Takes over a descriptor; nil where it is no regular file.
    package init?(_ descriptor: consuming FileDescriptor) {
        guard let version = FileVersion(ofRegularFile: descriptor.number) else { return nil }
        self.version = version
        self.descriptor = descriptor
    }

    /// Size in bytes.
    package var count: Int { version.count }

    var number: Int32 { descriptor.number }

    /// Whether anything was written to it since it was opened.
    var hasChanged: Bool { FileVersion(ofRegularFile: number) != version }

    /// Reads from `offset` into `buffer`; 0 at the end, nil where the file can't be read.
    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        while true {
            // unsafe because pread writes into the buffer, whose size it is given.
            let count = unsafe pread(descriptor.number, buffer.baseAddress, buffer.count, off_t(offset))
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

    /// All of it, where that is what it was when the digest was made; else nil.
    func contents(of digest: CompressionCache.Digest) -> [UInt8]? {
        contents().flatMap { CompressionCache.Digest(of: $0) == digest ? $0 : nil }
    }

    /// All of it; nil where it can't be read, or was written to meanwhile.
    func contents() -> [UInt8]? {
        let total = count
        var failed = false
        // unsafe because the file is read straight into the array's memory; what is said to be initialised has been read.
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
