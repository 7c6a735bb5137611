#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A failed system call.
package struct SystemError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The value of `errno`.
    package let code: Int32
    /// The name of the system call, for the error message.
    package let operation: String

    package init(code: Int32, operation: String) {
        self.code = code
        self.operation = operation
    }

    /// From the current `errno`.
    init(operation: String) {
        self.init(code: errno, operation: operation)
    }

    /// The reason as text, such as `Address already in use`.
    package var reason: String {
        // unsafe because strerror returns a C string; it is copied before another call can replace it.
        unsafe String(cString: strerror(code))
    }

    package var description: String { "\(operation): \(reason)" }
}

/// The result of a non-blocking read, write or accept.
///
/// Running dry is expected, so it is a value and not an error.
@usableFromInline
package enum IOResult: Sendable, Equatable {
    /// This many bytes (or, from `accept`, the new descriptor). Zero bytes read mean the end of the stream.
    case processed(Int)
    /// Retry once the descriptor is ready.
    case wouldBlock
    /// The call failed with this `errno`; the connection is unusable.
    case failed(Int32)
}
