#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// An open descriptor with exactly one owner; it is closed at the end of its lifetime.
package struct FileDescriptor: ~Copyable, Sendable {
    /// The kernel's number; valid during the owner's lifetime.
    package let number: Int32

    /// Takes ownership of a descriptor.
    package init(owning number: Int32) {
        precondition(number >= 0, "a failed call returned no descriptor to own")
        self.number = number
    }

    deinit {
        // Not retried on EINTR: Linux has released the number by then, and another thread may already use it.
        _ = SystemCall.close(number)
    }

    /// Gives up ownership without closing, for transfers that the type system can't express (into an event loop).
    package consuming func release() -> Int32 {
        let number = self.number
        discard self
        return number
    }
}

/// The limit of open descriptors of this process.
package enum DescriptorLimit {
    /// Raises the limit to the maximum that the process may set, and returns it; nil if it is unknown.
    ///
    /// Most Linux systems start programs with a low limit (1,024), because `select` can't handle more; nothing here
    /// uses `select`.
    package static func raise() -> Int? {
        var limit = rlimit()
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        // unsafe because getrlimit and setrlimit read and write through a pointer.
        guard unsafe getrlimit(resource, &limit) == 0 else { return nil }
        if limit.rlim_cur < limit.rlim_max {
            var raised = limit
            #if canImport(Darwin)
                // Darwin's kernel rejects more than this, although it reports the limit as infinite.
                raised.rlim_max = min(limit.rlim_max, rlim_t(OPEN_MAX))
            #endif
            raised.rlim_cur = raised.rlim_max
            if unsafe setrlimit(resource, &raised) == 0 { limit = raised }
        }
        return Int(clamping: limit.rlim_cur)
    }
}
