import Foundation
import WaymarkBytes

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// One attempt to open a TCP connection, which is closed at once. `OutgoingConnection` does not report why connecting
/// failed.
enum PortProbe {
    enum Outcome: Sendable, Equatable {
        case connected
        /// The host is there, but nothing listens on the port.
        case refused
        /// This machine has no network, or none for this kind of address.
        case noRoute
        /// Nothing came back.
        case timeout
    }

    /// Blocks.
    ///
    /// - Parameter timeout: in seconds.
    static func outcome(to address: IPAddress, port: Int, timeout: Int) -> Outcome {
        // Safety: `getaddrinfo` reads the hints during the call and fills the list, which is freed after its only use.
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_NUMERICHOST
        var list: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(address.text, "\(port)", &hints, &list) == 0, let entry = unsafe list else {
            return .noRoute
        }
        defer { unsafe freeaddrinfo(list) }
        let descriptor = unsafe socket(entry.pointee.ai_family, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return .noRoute }
        defer { close(descriptor) }
        guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0, fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else {
            return .noRoute
        }
        // Safety: the address is the list's, with the length that it names.
        if unsafe connect(descriptor, entry.pointee.ai_addr, entry.pointee.ai_addrlen) == 0 { return .connected }
        guard errno == EINPROGRESS else { return meaning(errno) }
        return wait(descriptor, milliseconds: Int32(timeout * 1_000))
    }

    private static func wait(_ descriptor: Int32, milliseconds: Int32) -> Outcome {
        let end = ContinuousClock.now + .milliseconds(Int(milliseconds))
        while true {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            let left = (end - ContinuousClock.now) / .milliseconds(1)
            // Safety: one element is lent for the call.
            let count = unsafe poll(&waiting, 1, max(0, Int32(left)))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return .timeout }
            var code: Int32 = 0
            var length = socklen_t(MemoryLayout<Int32>.size)
            // Safety: the kernel writes at most `length` bytes into the integer.
            guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0 else { return .noRoute }
            return meaning(code)
        }
    }

    private static func meaning(_ code: Int32) -> Outcome {
        switch code {
        case 0: .connected
        case ECONNREFUSED, ECONNRESET: .refused
        case ETIMEDOUT: .timeout
        default: .noRoute
        }
    }
}
