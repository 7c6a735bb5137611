#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// All system calls for sockets: retries interrupted calls, and distinguishes "would block" from errors.
///
/// Every function takes a plain descriptor number: ownership is the responsibility of `FileDescriptor` and the loops.
@usableFromInline
package enum SystemCall {
    /// Repeats a call while signals interrupt it.
    @inlinable @inline(__always)
    static func perform(_ call: () -> Int) -> IOResult {
        while true {
            let result = call()
            if result >= 0 { return .processed(result) }
            if let failure = failure() { return failure }
        }
    }

    /// The outcome of a call that has just returned -1, from `errno`; nil if a signal has interrupted it.
    @usableFromInline @inline(never)
    static func failure() -> IOResult? {
        let code = errno
        switch code {
        case EINTR: return nil
        case EAGAIN: return .wouldBlock
        default:
            // An invalid number or pointer is a bug in this program; continuing could affect another client's
            // connection.
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

    /// The same, without consuming the bytes.
    package static func peek(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> IOResult {
        // unsafe because recv writes into the buffer, whose bounds are passed.
        perform { unsafe recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_PEEK)) }
    }

    /// Whether a read would return anything: bytes, the end of the stream or an error. Consumes nothing.
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

    /// Ends the sending direction; the peer can still read everything sent before.
    package static func shutdownWriting(_ descriptor: Int32) {
        // ENOTCONN only means that the peer closed first.
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Makes closing a socket discard unsent bytes and send a reset.
    ///
    /// Otherwise the kernel keeps all of them, possibly megabytes, and retries for minutes with a peer that reads
    /// nothing.
    package static func dropUnsentOnClose(_ descriptor: Int32) {
        var option = linger(l_onoff: 1, l_linger: 0)
        // unsafe because setsockopt reads through the pointer, whose size is passed.
        _ = unsafe setsockopt(
            descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// The value of a socket option, such as the pending error (0 if none), which reading clears.
    static func option(_ descriptor: Int32, level: Int32, name: Int32) -> Int32 {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        // unsafe because getsockopt writes through the pointers; the length is the size of the variable.
        _ = unsafe getsockopt(descriptor, level, name, &value, &length)
        return value
    }

    static func setOption(_ descriptor: Int32, level: Int32, name: Int32, value: Int32) -> Int32 {
        var value = value
        // unsafe because setsockopt reads through the pointer, whose size is passed.
        return unsafe setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Sends output without delay: each batch is one send, so Nagle's algorithm has nothing to improve.
    package static func sendWithoutDelay(_ descriptor: Int32) {
        #if canImport(Glibc)
            _ = setOption(descriptor, level: Int32(IPPROTO_TCP), name: TCP_NODELAY, value: 1)
        #else
            _ = setOption(descriptor, level: IPPROTO_TCP, name: TCP_NODELAY, value: 1)
        #endif
    }

    /// Limits the unsent bytes that the kernel buffers to `bytes`, and makes a socket writable as soon as fewer are
    /// waiting.
    package static func boundUnsentBytes(_ descriptor: Int32, to bytes: Int32) {
        #if canImport(Glibc)
            _ = setOption(descriptor, level: Int32(IPPROTO_TCP), name: TCP_NOTSENT_LOWAT, value: bytes)
        #else
            _ = setOption(descriptor, level: IPPROTO_TCP, name: TCP_NOTSENT_LOWAT, value: bytes)
        #endif
    }
}
