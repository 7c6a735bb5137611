extension RequestHead {
    /// A host and the port with it.
    package struct HostAndPort: Sendable, Equatable {
        /// With the brackets of an IPv6 address.
        package let host: ByteRange
        package let port: Int?
    }

    /// Reads `HOST` or `HOST:PORT` anywhere in the head; nil where it is empty or malformed.
    package static func hostAndPort(_ bytes: Span<UInt8>, _ range: ByteRange) -> HostAndPort? {
        guard let authority = Authority(bytes, range) else { return nil }
        return HostAndPort(host: authority.host, port: authority.port < 0 ? nil : Int(authority.port))
    }

    /// Makes `host` and `port` those that a proxy says the client asked for.
    ///
    /// - Parameter authority: of the same bytes as the rest of this head.
    package func setAuthority(_ authority: HostAndPort) {
        // unsafe because the line is behind a pointer, which always holds one initialised value.
        unsafe line.pointee.host = authority.host
        unsafe line.pointee.port = authority.port.map { Int32(truncatingIfNeeded: $0) } ?? -1
    }
}
