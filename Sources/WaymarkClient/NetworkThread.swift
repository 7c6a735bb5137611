import Foundation

/// A thread for work that blocks on the network, which threads of the concurrency pool must not.
package enum NetworkThread {
    package static func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                // Writing to a server that has closed the connection must fail, not end the process. Safety: each
                // call reads or writes one signal set through the pointer.
                var pipe = sigset_t()
                unsafe sigemptyset(&pipe)
                unsafe sigaddset(&pipe, SIGPIPE)
                unsafe pthread_sigmask(SIG_BLOCK, &pipe, nil)
                continuation.resume(returning: work())
            }
        }
    }
}
