#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A client's connection. Calls block; each gives up (`EAGAIN`) when nothing happens for so long that a test must fail.
package final class StreamSocket: Sendable {
    package let descriptor: Int32

    /// Connects to a port of 127.0.0.1.
    ///
    /// - Parameters:
    ///   - source: the loopback address to come from, in host byte order, where it matters.
    ///   - receiveBuffer: `SO_RCVBUF`, in bytes.
    package init(
        port: UInt16, from source: UInt32? = nil, receiveBuffer: Int32? = nil, timeLimit: Int = 30
    ) throws(SocketFailure) {
        descriptor = try Self.open(AF_INET, timeLimit)
        if let receiveBuffer { set(SO_RCVBUF, to: receiveBuffer) }
        set(TCP_NODELAY, level: Int32(IPPROTO_TCP), to: 1)
        if let source {
            let isBound = SocketAddresses.withLoopback(port: 0, host: source) { bind(descriptor, $0, $1) } == 0
            guard isBound else { throw SocketFailure(code: errno) }
        }
        guard SocketAddresses.withLoopback(port: port, { connect(descriptor, $0, $1) }) == 0 else {
            throw SocketFailure(code: errno)
        }
    }

    /// Connects to a Unix-domain socket.
    package init(path: String, timeLimit: Int = 30) throws(SocketFailure) {
        descriptor = try Self.open(AF_UNIX, timeLimit)
        guard SocketAddresses.withPath(path, { connect(descriptor, $0, $1) }) == 0 else {
            throw SocketFailure(code: errno)
        }
    }

    /// Takes over a connection that is open.
    package init(accepted descriptor: Int32) {
        self.descriptor = descriptor
        Self.limit(descriptor, timeLimit: 30)
    }

    deinit { close(descriptor) }

    /// Sends all of it.
    package func send(_ bytes: [UInt8]) throws(SocketFailure) {
        var sent = 0
        while sent < bytes.count {
            let count = sendSome(bytes[sent...], flags: 0)
            if count >= 0 {
                sent += count
            } else if errno != EINTR {
                throw SocketFailure(code: errno)
            }
        }
    }

    /// Sends as much as the socket takes at once, and returns how much.
    package func sendWithoutWaiting(_ bytes: [UInt8]) -> Int {
        max(0, sendSome(bytes[...], flags: Int32(MSG_DONTWAIT)))
    }

    /// The next bytes; empty at the end of the stream.
    package func receive(atMost limit: Int = 65_536) throws(SocketFailure) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: limit)
        while true {
            let count = recv(descriptor, &buffer, limit, 0)
            if count >= 0 { return Array(buffer[..<count]) }
            if errno != EINTR { throw SocketFailure(code: errno) }
        }
    }

    /// Everything up to the end of the stream, or to the first failure.
    package func receiveAll() -> [UInt8] {
        var received: [UInt8] = []
        while let part = try? receive(), !part.isEmpty { received += part }
        return received
    }

    package func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    private func sendSome(_ bytes: ArraySlice<UInt8>, flags: Int32) -> Int {
        bytes.withUnsafeBytes { buffer in
            #if canImport(Glibc)
                Glibc.send(descriptor, buffer.baseAddress, buffer.count, flags | Int32(MSG_NOSIGNAL))
            #else
                Darwin.send(descriptor, buffer.baseAddress, buffer.count, flags)
            #endif
        }
    }

    private func set(_ option: Int32, level: Int32 = SOL_SOCKET, to value: Int32) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func open(_ family: Int32, _ timeLimit: Int) throws(SocketFailure) -> Int32 {
        let descriptor = socket(family, SocketAddresses.stream, 0)
        guard descriptor >= 0 else { throw SocketFailure(code: errno) }
        limit(descriptor, timeLimit: timeLimit)
        return descriptor
    }

    private static func limit(_ descriptor: Int32, timeLimit: Int) {
        var limit = timeval(tv_sec: timeLimit, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
    }
}
