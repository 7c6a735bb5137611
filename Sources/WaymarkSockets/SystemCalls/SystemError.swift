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
