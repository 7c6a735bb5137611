#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

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
