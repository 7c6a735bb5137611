#if os(Linux)
    import CWaymarkSystem
#endif

/// The pages of the program and its libraries that are mapped from their files and never written: code and constants.
package enum ProgramPages {
    /// Removes them from the resident memory of this process, for a service that has started: starting runs code all over
    /// the program, and the kernel maps 16 pages for each that is touched. What is used again is mapped again, from the
    /// page cache, which keeps the pages.
    ///
    /// - Returns: how much address space they take, in bytes; 0 where this is not supported.
    @discardableResult
    package static func release() -> Int {
        #if os(Linux)
            return CWaymarkSystem_releaseProgramPages()
        #else
            return 0
        #endif
    }
}
