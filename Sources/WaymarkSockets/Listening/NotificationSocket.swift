#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The socket that reports a service's state to its service manager (sd_notify(3)): sends datagrams of lines
/// `NAME=value` to the address in `NOTIFY_SOCKET`.
package struct NotificationSocket: Sendable {
    private let address: LocalAddress

    /// - Parameter text: the value of `NOTIFY_SOCKET`: an absolute path, or `@` and a name in the abstract namespace.
    ///   Nil for anything else.
    package init?(_ text: String) {
        let address: LocalAddress?
        switch text.utf8.first {
        case UInt8(ascii: "/"): address = LocalAddress(path: text)
        case UInt8(ascii: "@"): address = LocalAddress(abstractName: String(text.dropFirst()))
        default: address = nil
        }
        guard let address else { return nil }
        self.address = address
    }

    /// Sends one datagram; false if it is not accepted. Never blocks.
    @discardableResult
    package func send(_ message: String) -> Bool {
        #if canImport(Glibc)
            let type = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
            let flags = Int32(MSG_NOSIGNAL)
        #else
            let type = SOCK_DGRAM
            let flags: Int32 = 0
        #endif
        let number = socket(AF_UNIX, type, 0)
        guard number >= 0 else { return false }
        let descriptor = FileDescriptor(owning: number)
        var message = message
        // unsafe because sendto reads message and address through pointers that are lent for the call.
        let sent = message.withUTF8 { bytes in
            unsafe address.withKernelAddress {
                unsafe sendto(descriptor.number, bytes.baseAddress, bytes.count, flags, $0, $1)
            }
        }
        return sent == message.utf8.count
    }
}
