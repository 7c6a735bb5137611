import WaymarkBytes

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A listening address in text form: `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080`.
package struct HostAndPort: Sendable, Hashable, CustomStringConvertible {
    /// An address without brackets, or a name.
    package let host: String
    /// 0 lets the kernel choose a free port.
    package let port: UInt16

    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Parses `HOST:PORT`; nil for anything else. The port is one to five digits, 0 to 65535.
    ///
    /// Names are letters, digits, `-`, `.` and `_`; they are resolved when the server starts.
    package init?(_ text: String) {
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) else { return nil }
        var host = text[..<colon]
        let digits = text[text.index(after: colon)...]
        guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = UInt16(digits)
        else { return nil }
        if host.utf8.first == UInt8(ascii: "["), host.utf8.last == UInt8(ascii: "]") {
            host = host.dropFirst().dropLast()
            guard host.utf8.contains(UInt8(ascii: ":")), IPAddress(host) != nil else { return nil }
        } else {
            guard (1...253).contains(host.utf8.count), host.utf8.allSatisfy(Self.isNameByte) else { return nil }
        }
        self.init(host: String(host), port: port)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    package var description: String {
        host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    /// Its addresses, in the resolver's order and without duplicates; calls the system resolver, so it may block.
    ///
    /// - Throws: `BindError.unknownHost`.
    package func resolve() throws(BindError) -> [SocketAddress] {
        if let address = IPAddress(host) { return [SocketAddress(address: address, port: port)] }
        // unsafe because the hints are a C structure with pointers; none of them is set.
        var hints = unsafe addrinfo()
        unsafe hints.ai_family = AF_UNSPEC
        #if canImport(Glibc)
            unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            unsafe hints.ai_socktype = SOCK_STREAM
        #endif
        unsafe hints.ai_flags = AI_PASSIVE
        var first: UnsafeMutablePointer<addrinfo>? = nil
        // unsafe because getaddrinfo returns a linked list of C structures, which is copied from and then freed.
        guard unsafe getaddrinfo(host, nil, &hints, &first) == 0 else { throw .unknownHost(host) }
        defer { unsafe freeaddrinfo(first) }
        var addresses: [SocketAddress] = []
        var next = unsafe first
        while let entry = unsafe next {
            var storage = sockaddr_storage()
            let length = unsafe min(Int(entry.pointee.ai_addrlen), MemoryLayout<sockaddr_storage>.size)
            if let source = unsafe entry.pointee.ai_addr {
                unsafe withUnsafeMutableBytes(of: &storage) {
                    unsafe $0.copyMemory(from: UnsafeRawBufferPointer(start: source, count: length))
                }
            }
            if let found = SocketAddress(storage) {
                let address = SocketAddress(address: found.address, port: port)
                if !addresses.contains(address) { addresses.append(address) }
            }
            unsafe next = entry.pointee.ai_next
        }
        guard !addresses.isEmpty else { throw .unknownHost(host) }
        return addresses
    }
}
