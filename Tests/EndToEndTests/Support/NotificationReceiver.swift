import WaymarkTestSupport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Plays systemd's end of `NOTIFY_SOCKET`: takes the datagrams that a service sends.
final class NotificationReceiver {
    private let descriptor: Int32

    /// - Parameter path: where no file is yet.
    init(path: String) throws {
        descriptor = socket(AF_UNIX, SocketAddresses.datagram, 0)
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        guard SocketAddresses.withPath(path, { bind(descriptor, $0, $1) }) == 0 else {
            throw DidNotHappen(description: "can't bind \(path): \(errno)")
        }
    }

    deinit { close(descriptor) }

    /// The next datagram, as its lines; waits for it.
    func next() throws -> [String: String] {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { throw DidNotHappen(description: "no notification came: \(errno)") }
        var lines: [String: String] = [:]
        for line in String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            lines[String(parts[0])] = parts.count == 2 ? String(parts[1]) : ""
        }
        return lines
    }

    /// The next datagram that has a line of this name.
    func next(with name: String) throws -> [String: String] {
        while true {
            let lines = try next()
            if lines[name] != nil { return lines }
        }
    }
}
