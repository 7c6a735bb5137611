#if canImport(Darwin)
    package import Darwin

    extension SystemCall {
        /// Reads up to `buffer.count` bytes; `.processed(0)` is the end of the stream.
        package static func receive(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> IOResult {
            // unsafe because recv writes into the buffer, whose bounds are passed.
            perform { unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0) }
        }

        /// Writes from `buffer`; never raises SIGPIPE, because of an option set when the socket is created.
        package static func send(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer, more: Bool = false) -> IOResult
        {
            // unsafe because send reads from the buffer, whose bounds are passed.
            perform { unsafe Darwin.send(descriptor, buffer.baseAddress, buffer.count, 0) }
        }

        /// Accepts one connection from a listening socket: non-blocking, close-on-exec.
        ///
        /// - Returns: `.processed(descriptor)` of a socket that the caller owns.
        package static func accept(_ descriptor: Int32, peer: inout SocketAddress) -> IOResult {
            var storage = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            // unsafe because accept writes the peer's address; sockaddr_storage is large enough for every family.
            let result = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    unsafe perform { Int(unsafe Darwin.accept(descriptor, address, &length)) }
                }
            }
            guard case .processed(let number) = result else { return result }
            if let address = SocketAddress(storage) { peer = address }
            prepare(Int32(number))
            return result
        }

        /// A non-blocking, close-on-exec stream socket.
        static func streamSocket(family: Int32) -> IOResult {
            let result = perform { Int(socket(family, SOCK_STREAM, 0)) }
            if case .processed(let number) = result { prepare(Int32(number)) }
            return result
        }

        /// Sends part of a file without copying it through this process.
        package static func sendFile(_ descriptor: Int32, from file: Int32, offset: Int, count: Int) -> IOResult {
            var length = off_t(count)
            // unsafe because sendfile writes the number of sent bytes through the pointer, even after a partial
            // write.
            let result = unsafe perform { Int(unsafe sendfile(file, descriptor, off_t(offset), &length, nil, 0)) }
            return length > 0 ? .processed(Int(length)) : result
        }

        /// Sets the flags that Linux sets at creation; Darwin has none.
        private static func prepare(_ descriptor: Int32) {
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = setOption(descriptor, level: SOL_SOCKET, name: SO_NOSIGPIPE, value: 1)
        }
    }
#endif
