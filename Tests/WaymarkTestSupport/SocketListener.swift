import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Listens on a free port of 127.0.0.1, or on a path, until it is released.
package final class SocketListener: Sendable {
    /// 0 where it listens on a path.
    package let port: UInt16
    private let descriptor: Int32

    /// - Parameter serve: called with each connection, on a thread of its own; without it nobody accepts.
    package init(serve: (@Sendable (StreamSocket) -> Void)? = nil) throws {
        let descriptor = socket(AF_INET, SocketAddresses.stream, 0)
        self.descriptor = descriptor
        let isBound = SocketAddresses.withLoopback(port: 0) { bind(descriptor, $0, $1) } == 0
        let code = errno
        port = SocketAddresses.port(of: descriptor)
        guard isBound else { throw SocketFailure(code: code) }
        try start(serve)
    }

    /// - Parameter path: where no file is yet.
    package init(path: String, serve: @escaping @Sendable (StreamSocket) -> Void) throws {
        descriptor = socket(AF_UNIX, SocketAddresses.stream, 0)
        port = 0
        guard SocketAddresses.withPath(path, { bind(descriptor, $0, $1) }) == 0 else {
            throw SocketFailure(code: errno)
        }
        try start(serve)
    }

    deinit {
        // Ends the thread that accepts.
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }

    private func start(_ serve: (@Sendable (StreamSocket) -> Void)?) throws {
        guard listen(descriptor, 64) == 0 else { throw SocketFailure(code: errno) }
        guard let serve else { return }
        Thread.detachNewThread { [descriptor] in
            while true {
                let client = accept(descriptor, nil, nil)
                guard client >= 0 else { return }
                Thread.detachNewThread { serve(StreamSocket(accepted: client)) }
            }
        }
    }
}
