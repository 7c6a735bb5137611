/// One thread of control that waits for descriptors, deadlines and work from other threads.
///
/// A descriptor belongs to one loop from registration to close. Everything except `execute` and `stop` is called on
/// the loop only (from a handler, or from work passed to `execute`), so a loop's state needs no lock.
///
/// A loop can be a task's preferred executor: jobs run there in the order submitted, between readiness and deadlines.
/// Each job delays everything the loop serves, so it must take microseconds and never block. Tasks may outlive a
/// loop: their jobs then run elsewhere.
package protocol EventLoop: TaskExecutor, AnyObject {
    /// The time at the start of this turn. On the loop only.
    var now: CoarseInstant { get }

    /// Runs `work` on the loop, after earlier work of the same thread. Dropped if the loop has stopped. Callable from
    /// any thread; takes no lock on the loop itself.
    func execute(_ work: @escaping @Sendable () -> Void)

    /// Takes ownership of a non-blocking descriptor and reports readiness to `handler`, which it retains until
    /// `close`.
    ///
    /// - Throws: if the kernel can't watch the descriptor, which is then closed.
    func register(
        _ descriptor: consuming FileDescriptor, for interest: Interest, handler: any ReadinessHandler
    ) throws(SystemError) -> Registration

    /// Replaces the interest of a registration. A closed one is ignored.
    func setInterest(_ interest: Interest, of registration: Registration)

    /// Replaces the deadline of a registration; `.distantFuture` for none. Cheap if it moves later.
    func setDeadline(_ deadline: CoarseInstant, of registration: Registration)

    /// Ends a registration and closes its descriptor. Nothing is reported for it afterwards.
    func close(_ registration: Registration)

    /// Ends the loop and closes all remaining registrations; `completion` runs last, on the loop. From any thread.
    func stop(_ completion: @escaping @Sendable () -> Void)
}

/// The available event loops.
package enum EventLoopKind: String, Sendable, CaseIterable {
    /// A thread with epoll. Linux only.
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
    /// - Parameter name: name of its thread or queue, for debuggers; at most 15 bytes are shown.
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

/// Work that a loop runs between readiness and deadlines.
enum LoopWork: Sendable {
    case call(@Sendable () -> Void)
    /// A job of a task. Not a closure, which would cost an allocation for each.
    case job(UnownedJob)
}

/// The callbacks of an event loop for a descriptor. Isolation: on the loop only.
package protocol ReadinessHandler: AnyObject {
    /// The descriptor is ready as `readiness` describes. May be spurious: a call may still block.
    func ready(_ readiness: Interest)
    /// The registration's deadline has passed; it is no longer set.
    func deadlinePassed()
}

/// A handler's interest, or the readiness reported to it: readable, writable, broken.
///
/// Not an `OptionSet`, because across modules its empty literal calls the generic initializer of sets at run time,
/// for each event.
@usableFromInline
package struct Interest: Sendable, Equatable {
    @usableFromInline package var rawValue: UInt8

    @inlinable package init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable package static var none: Interest { Interest(rawValue: 0) }
    @inlinable package static var read: Interest { Interest(rawValue: 1) }
    @inlinable package static var write: Interest { Interest(rawValue: 2) }
    /// Only reported: both directions are closed (reset, or closed by both sides). Can't be disabled in epoll, so a
    /// handler that gets it must close.
    @inlinable package static var hangUp: Interest { Interest(rawValue: 4) }
    /// Reports new input, once per arrival: for a handler that has drained the socket. With `read` alone the kernel
    /// checks a socket again after each event, only to find it empty. Dispatch treats it as `read`.
    @inlinable package static var edgeTriggeredRead: Interest { Interest(rawValue: 8 | read.rawValue) }
    /// Only reported, and only for `edgeTriggeredRead`: the peer has closed its side. Earlier input may still be
    /// unread, and nothing more will be reported after it; so the handler must read until the end, or set `read`
    /// again.
    @inlinable package static var end: Interest { Interest(rawValue: 16) }

    @inlinable package var isEmpty: Bool { rawValue == 0 }

    @inlinable package func contains(_ other: Interest) -> Bool { rawValue & other.rawValue == other.rawValue }

    @inlinable package mutating func insert(_ other: Interest) { rawValue |= other.rawValue }
}
