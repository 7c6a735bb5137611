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

/// How many descriptors this process may open.
package enum DescriptorLimit {
    /// Raises the limit to the most that the process is allowed to set itself, and returns it; nil where it is unknown.
    ///
    /// Systems start programs with a low limit (1,024 on most Linux systems), because `select` can't deal with more;
    /// nothing here uses that.
    package static func raise() -> Int? {
        var limit = rlimit()
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        // unsafe because getrlimit and setrlimit work through a pointer.
        guard unsafe getrlimit(resource, &limit) == 0 else { return nil }
        if limit.rlim_cur < limit.rlim_max {
            var raised = limit
            #if canImport(Darwin)
                // Its kernel refuses more than this, although it calls the limit infinite.
                raised.rlim_max = min(limit.rlim_max, rlim_t(OPEN_MAX))
            #endif
            raised.rlim_cur = raised.rlim_max
            if unsafe setrlimit(resource, &raised) == 0 { limit = raised }
        }
        return Int(clamping: limit.rlim_cur)
    }
}
