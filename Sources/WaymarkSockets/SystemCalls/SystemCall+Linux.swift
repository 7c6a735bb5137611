#if os(Linux)
    public import CWaymarkSystem
    public import Glibc

    extension SystemCall {
        // Inlined because the processor mispredicts each return after a system call
        // (docs/decisions/2026-11-23-inlined-across-targets.md).

        /// Reads up to `buffer.count` bytes; `.processed(0)` is the end of the stream.
        @inlinable @inline(__always)
        package static func receive(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> IOResult {
            // unsafe because recv writes into the buffer, whose bounds are passed.
            perform { unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0) }
        }

        /// Writes from `buffer`; never raises SIGPIPE.
        ///
        /// - Parameter more: lets the kernel wait for more bytes to fill the packet.
        @inlinable @inline(__always)
        package static func send(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer, more: Bool = false) -> IOResult
        {
            let flags = Int32(MSG_NOSIGNAL) | (more ? Int32(MSG_MORE) : 0)
            // unsafe because send reads from the buffer, whose bounds are passed.
            return perform { unsafe Glibc.send(descriptor, buffer.baseAddress, buffer.count, flags) }
        }

        /// Accepts one connection from a listening socket: non-blocking, close-on-exec.
        ///
        /// - Returns: `.processed(descriptor)` of a socket that the caller owns.
        package static func accept(_ descriptor: Int32, peer: inout SocketAddress) -> IOResult {
            var storage = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            // unsafe because accept4 writes the peer's address; sockaddr_storage is large enough for every family.
            let result = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    perform {
                        let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
                        return Int(unsafe CWaymarkSystem_accept4(descriptor, address, &length, flags))
                    }
                }
            }
            if case .processed = result, let address = SocketAddress(storage) { peer = address }
            return result
        }

        /// A non-blocking, close-on-exec stream socket.
        static func streamSocket(family: Int32) -> IOResult {
            let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
            return perform { Int(socket(family, type, 0)) }
        }

        /// Sends part of a file without copying it through this process. Does not move the file's own offset.
        package static func sendFile(_ descriptor: Int32, from file: Int32, offset: Int, count: Int) -> IOResult {
            var position = off_t(offset)
            // unsafe because sendfile writes the new offset through the pointer.
            return perform { unsafe sendfile(descriptor, file, &position, count) }
        }
    }
#endif
