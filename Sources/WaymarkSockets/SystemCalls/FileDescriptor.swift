#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// An open descriptor with exactly one owner, who closes it by letting go of it.
package struct FileDescriptor: ~Copyable, Sendable {
    /// The number the kernel knows it by; valid as long as the owner lives.
    package let number: Int32

    /// Takes over a descriptor that nobody else will close.
    package init(owning number: Int32) {
        precondition(number >= 0, "a failed call returned no descriptor to own")
        self.number = number
    }

    deinit {
        // Not repeated on EINTR: Linux has released the number by then, and another thread may hold it already.
        _ = SystemCall.close(number)
    }

    /// Gives up ownership without closing, for a hand-over that the type system can't follow (into an event loop).
    package consuming func release() -> Int32 {
        let number = self.number
        discard self
        return number
    }
}
