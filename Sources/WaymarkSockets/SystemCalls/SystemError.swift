#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A system call that failed.
package struct SystemError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The value of `errno`.
    package let code: Int32
    /// The system call, for the person who reads the message.
    package let operation: String

    package init(code: Int32, operation: String) {
        self.code = code
        self.operation = operation
    }

    /// What `errno` holds now.
    init(operation: String) {
        self.init(code: errno, operation: operation)
    }

    /// The reason in words, such as `Address already in use`.
    package var reason: String {
        // unsafe because strerror returns a C string; it is copied at once, before another call can replace it.
        unsafe String(cString: strerror(code))
    }

    package var description: String { "\(operation): \(reason)" }
}

/// How a non-blocking read, write or accept ended.
///
/// Running dry is an ordinary outcome, so it is a value and not an error.
@usableFromInline
package enum IOResult: Sendable, Equatable {
    /// So many bytes (or, from `accept`, the new descriptor). Zero bytes read mean the end of the stream.
    case processed(Int)
    /// Nothing can be done until the descriptor is ready again.
    case wouldBlock
    /// The call failed with this `errno`; the connection is of no further use.
    case failed(Int32)
}
