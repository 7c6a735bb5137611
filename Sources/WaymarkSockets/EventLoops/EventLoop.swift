/// One thread of control that waits for descriptors, deadlines and work from other threads.
///
/// A descriptor lives and dies on one loop. Everything but `execute` and `stop` is called on the loop only (from a
/// handler, or from work given to `execute`), so what belongs to a loop needs no lock.
///
/// Tasks may prefer a loop as their executor: their jobs run there in the order in which they come, between readiness and
/// deadlines. Each holds up all that the loop serves, so it must take microseconds and never block. Tasks outlive a loop:
/// after its end their jobs run elsewhere.
package protocol EventLoop: TaskExecutor, AnyObject {
    /// The time at the beginning of this turn. On the loop only.
    var now: CoarseInstant { get }

    /// Runs `work` on the loop, after what the same thread has given before. Dropped when the loop has stopped. From any
    /// thread; what runs on the loop itself gives it without a lock.
    func execute(_ work: @escaping @Sendable () -> Void)

    /// Takes over a non-blocking descriptor and reports readiness to `handler`, which it keeps until `close`.
    ///
    /// - Throws: when the kernel can't watch the descriptor; it is closed then.
    func register(
        _ descriptor: consuming FileDescriptor, for interest: Interest, handler: any ReadinessHandler
    ) throws(SystemError) -> Registration

    /// Replaces what is reported for a registration. A closed one is ignored.
    func setInterest(_ interest: Interest, of registration: Registration)

    /// Replaces the deadline of a registration; `.distantFuture` for none. Cheap where it moves later.
    func setDeadline(_ deadline: CoarseInstant, of registration: Registration)

    /// Ends a registration and closes its descriptor. Nothing is reported for it afterwards.
    func close(_ registration: Registration)

    /// Ends the loop and closes whatever is registered still; `completion` runs last, on the loop. From any thread.
    func stop(_ completion: @escaping @Sendable () -> Void)
}

/// The event loops to choose from.
package enum EventLoopKind: String, Sendable, CaseIterable {
    /// A thread around epoll. Linux only.
    case epoll
    /// Dispatch sources on a serial queue; works everywhere.
    case dispatch

    package static var standard: EventLoopKind {
        #if os(Linux)
            .epoll
        #else
            .dispatch
        #endif
    }

    /// Makes a running loop.
    ///
    /// - Parameter name: of its thread or queue, for debuggers; at most 15 bytes are shown.
    package func makeLoop(named name: String) throws(SystemError) -> any EventLoop {
        switch self {
        case .epoll:
            #if os(Linux)
                return try EpollEventLoop.start(named: name)
            #else
                throw SystemError(code: ENOSYS, operation: "epoll")
            #endif
        case .dispatch: return DispatchEventLoop(name: name)
        }
    }
}
