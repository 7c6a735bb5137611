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

/// What a loop is given to do between readiness and deadlines.
enum LoopWork: Sendable {
    case call(@Sendable () -> Void)
    /// The next step of a task. As it is and not as a closure: that would be one allocation for each.
    case job(UnownedJob)
}

/// What an event loop calls for a descriptor. Isolation: on the loop only.
package protocol ReadinessHandler: AnyObject {
    /// The descriptor is ready for what `readiness` says. May be spurious: a call may still find nothing.
    func ready(_ readiness: Interest)
    /// The deadline set for the registration has passed; it is unset by then.
    func deadlinePassed()
}

/// What a handler wants to hear of, or hears: readable, writable, broken.
///
/// Not an `OptionSet`, because across modules an empty literal of one goes through the generic initialiser of sets at run
/// time, at each event.
@usableFromInline
package struct Interest: Sendable, Equatable {
    @usableFromInline package var rawValue: UInt8

    @inlinable package init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable package static var none: Interest { Interest(rawValue: 0) }
    @inlinable package static var read: Interest { Interest(rawValue: 1) }
    @inlinable package static var write: Interest { Interest(rawValue: 2) }
    /// Only ever reported: both directions are dead (reset, or closed by both sides). Can't be switched off in epoll,
    /// so a handler that hears it must close.
    @inlinable package static var hangUp: Interest { Interest(rawValue: 4) }
    /// To be told of what arrives from now on, once for each arrival: for a handler that has read all there was. With
    /// `read` alone the kernel looks at a socket once more after each event, to find that there is nothing.
    /// Dispatch takes it for `read`.
    @inlinable package static var edgeTriggeredRead: Interest { Interest(rawValue: 8 | read.rawValue) }
    /// Only ever reported, and to `edgeTriggeredRead` only: the peer has ended its side. What it sent before may be readable
    /// still, and once that is read nothing more will be told; so the handler goes on until it has read the end, or asks
    /// for `read` again.
    @inlinable package static var end: Interest { Interest(rawValue: 16) }

    @inlinable package var isEmpty: Bool { rawValue == 0 }

    @inlinable package func contains(_ other: Interest) -> Bool { rawValue & other.rawValue == other.rawValue }

    @inlinable package mutating func insert(_ other: Interest) { rawValue |= other.rawValue }
}
