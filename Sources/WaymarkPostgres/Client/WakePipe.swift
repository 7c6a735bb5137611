#if PostgreSQL
    internal import WaymarkStores
    internal import WaymarkLinks

    #if canImport(Glibc)
        internal import Glibc
    #else
        internal import Darwin
    #endif

    /// Lets one thread wake another that waits for a socket.
    final class WakePipe: Sendable {
        let reading: Int32
        private let writing: Int32

        init() throws(StoreError) {
            var ends: [Int32] = [-1, -1]
            // Sound because the array has room for the two descriptors.
            guard unsafe pipe(&ends) == 0 else { throw .unavailable("there are too many open files") }
            reading = ends[0]
            writing = ends[1]
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        }

        deinit {
            _ = close(reading)
            _ = close(writing)
        }

        /// Ends the current or next wait on `reading` at once.
        func wake() {
            var byte: UInt8 = 1
            // Sound because one byte is read. A failure loses nothing: the wait ends by itself.
            _ = unsafe write(writing, &byte, 1)
        }

        /// Waits until it is woken or the time is up.
        func wait(until deadline: Deadline) {
            var polled = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
            while !deadline.hasPassed {
                // Sound because the array has one entry.
                if unsafe poll(&polled, 1, Int32(clamping: deadline.remainingMilliseconds)) > 0 { return }
            }
        }
    }
#endif
