#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The one place that calls the kernel for sockets: repeats what a signal interrupted, tells "not now" from "broken".
///
/// Every function works on a plain descriptor number: who owns it is the business of `FileDescriptor` and the loops.
@usableFromInline
package enum SystemCall {
    /// Runs a call until no signal interrupts it.
    @inlinable @inline(__always)
    static func perform(_ call: () -> Int) -> IOResult {
        while true {
            let result = call()
            if result >= 0 { return .processed(result) }
            if let failure = failure() { return failure }
        }
    }

    /// The outcome of a call that has just returned -1, by `errno`; nil where a signal has interrupted it.
    @usableFromInline @inline(never)
    static func failure() -> IOResult? {
        let code = errno
        switch code {
        case EINTR: return nil
        case EAGAIN: return .wouldBlock
        default:
            // A bad number or pointer is a mistake in this program; going on could hit somebody else's connection.
            precondition(
                code != EBADF && code != EFAULT, "system call with a descriptor or pointer that is not ours")
            return .failed(code)
        }
    }

    static func close(_ descriptor: Int32) -> Int32 {
        #if canImport(Glibc)
            Glibc.close(descriptor)
        #else
            Darwin.close(descriptor)
        #endif
    }

    /// The same, with the bytes left in the socket.
    package static func peek(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> IOResult {
        // unsafe because recv writes into the buffer; it is given the buffer's own bounds.
        perform { unsafe recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_PEEK)) }
    }

    /// Whether a read would find something: bytes, the end of the stream or an error. Takes nothing.
    static func hasInput(_ descriptor: Int32) -> Bool {
        #if canImport(Glibc)
            let flags = Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)
        #else
            let flags = MSG_PEEK | MSG_DONTWAIT
        #endif
        var byte: UInt8 = 0
        // unsafe because recv writes one byte through the pointer.
        return perform { unsafe recv(descriptor, &byte, 1, flags) } != .wouldBlock
    }

    /// Says that nothing more will be written; the peer reads to the end of what was sent.
    package static func shutdownWriting(_ descriptor: Int32) {
        // ENOTCONN only says that the peer was faster.
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Makes the close of a socket throw away what was not sent, and tell the peer by a reset.
    ///
    /// Otherwise the kernel keeps all of it, megabytes maybe, and goes on offering it for minutes to a peer that takes
    /// nothing.
    package static func dropUnsentOnClose(_ descriptor: Int32) {
        var option = linger(l_onoff: 1, l_linger: 0)
        // unsafe because setsockopt reads through the pointer, whose size it is given.
        _ = unsafe setsockopt(
            descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// The error that is pending on a socket, 0 if none; asking clears it.
    static func option(_ descriptor: Int32, level: Int32, name: Int32) -> Int32 {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        // unsafe because getsockopt writes through the pointers; the length says how much room there is.
        _ = unsafe getsockopt(descriptor, level, name, &value, &length)
        return value
    }

    static func setOption(_ descriptor: Int32, level: Int32, name: Int32, value: Int32) -> Int32 {
        var value = value
        // unsafe because setsockopt reads through the pointer, whose size it is given.
        return unsafe setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Answers go out as soon as they are written: one send per batch leaves Nagle's algorithm nothing to improve.
    package static func sendWithoutDelay(_ descriptor: Int32) {
        #if canImport(Glibc)
            _ = setOption(descriptor, level: Int32(IPPROTO_TCP), name: TCP_NODELAY, value: 1)
        #else
            _ = setOption(descriptor, level: IPPROTO_TCP, name: TCP_NODELAY, value: 1)
        #endif
    }

    /// Keeps the kernel from taking more than `bytes` that it can't put on the wire yet, and lets a socket be writable
    /// again as soon as less than that waits.
    package static func boundUnsentBytes(_ descriptor: Int32, to bytes: Int32) {
        #if canImport(Glibc)
            _ = setOption(descriptor, level: Int32(IPPROTO_TCP), name: TCP_NOTSENT_LOWAT, value: bytes)
        #else
            _ = setOption(descriptor, level: IPPROTO_TCP, name: TCP_NOTSENT_LOWAT, value: bytes)
        #endif
    }
}
