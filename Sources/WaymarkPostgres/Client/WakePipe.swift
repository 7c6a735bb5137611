#if PostgreSQL
    internal import WaymarkLinks

    #if canImport(Glibc)
        internal import Glibc
    #else
        internal import Darwin
    #endif

    /// Lets a thread that waits for a socket be woken by another.
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

        /// Whoever waits on `reading` now or later comes back at once.
        func wake() {
            var byte: UInt8 = 1
            // Sound because one byte is there to be read. Nothing is lost where it fails: the waiting ends by itself.
            _ = unsafe write(writing, &byte, 1)
        }

        /// Waits until it is woken or time is up.
        func wait(until deadline: Deadline) {
            var polled = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
            while !deadline.hasPassed {
                // Sound because there is one entry.
                if unsafe poll(&polled, 1, Int32(clamping: deadline.remainingMilliseconds)) > 0 { return }
            }
        }
    }
#endif
