#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The address of a Unix-domain socket: a path, or on Linux a name in the abstract namespace.
struct LocalAddress {
    private let bytes: [UInt8]

    /// Nil if the path is empty, too long for the kernel or contains a NUL.
    init?(path: String) {
        bytes = Array(path.utf8)
        guard (1...ListeningEndpoint.longestPath).contains(bytes.count), !bytes.contains(0) else { return nil }
    }

    /// A name in the abstract namespace, without the `@` that represents its leading NUL.
    init?(abstractName: String) {
        bytes = [0] + Array(abstractName.utf8)
        guard (2...ListeningEndpoint.longestPath).contains(bytes.count) else { return nil }
    }

    /// Lends the address in the kernel's format.
    func withKernelAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var kernel = sockaddr_un()
        kernel.sun_family = sa_family_t(AF_UNIX)
        // unsafe because the path is written into a C array, whose size the initializers have checked against.
        unsafe withUnsafeMutableBytes(of: &kernel.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? MemoryLayout<sa_family_t>.size
        // The exact length: in the abstract namespace every further byte, even a NUL, would be part of the name.
        let length = socklen_t(offset + bytes.count + (bytes[0] == 0 ? 0 : 1))
        // unsafe because the kernel's functions take any address type through one pointer type, with its actual
        // length.
        return unsafe withUnsafePointer(to: &kernel) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, length) }
        }
    }

    /// The path that a socket is bound to; nil if it has none or belongs to another family.
    static func path(of descriptor: Int32) -> String? {
        var kernel = sockaddr_un()
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        // unsafe because getsockname writes the address, at most as many bytes as the length that is passed.
        let result = unsafe withUnsafeMutablePointer(to: &kernel) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &length)
            }
        }
        guard result == 0, Int32(kernel.sun_family) == AF_UNIX else { return nil }
        // unsafe because it reads the bytes of a C array, all initialized above.
        return unsafe withUnsafeBytes(of: kernel.sun_path) { bytes in
            let path = unsafe [UInt8](bytes).prefix { $0 != 0 }
            return path.isEmpty ? nil : String(decoding: path, as: UTF8.self)
        }
    }
}
