#if os(Linux)
    import CWaymarkSystem
    import Glibc
    import Synchronization

    /// An event loop on its own thread around epoll: level-triggered, but for handlers that ask for `edgeTriggeredRead`.
    ///
    /// `@unchecked Sendable` because all mutable state belongs to the loop's thread; other threads reach it through the
    /// work queue and the eventfd only. What the loop's own thread gives it needs neither: it is done in the same turn.
    final class EpollEventLoop: EventLoop, @unchecked Sendable {
        private static let eventsPerTurn = 256
        /// How often what comes of its own work is done in one turn: a task that always has more to do must not keep
        /// others waiting.
        private static let roundsPerTurn = 2
        /// Work of a turn from which on its memory is given back.
        private static let keptCapacity = 256

        private let epoll: FileDescriptor
        /// Closed with the loop only: before, another thread may be about to write to it.
        private let wakeUp: FileDescriptor
        private let work = WorkQueue()
        /// The loop's thread while it runs, else 0.
        private let thread = Atomic<UInt>(0)
        /// Set to stop; written on the loop.
        private var completion: (@Sendable () -> Void)?
        /// Whether other threads have left work; a turn without any does not touch their lock.
        private var isWoken = false
        // Every turn of the loop touches these, and the run time would check each access for overlap with another.
        // Unchecked because there is none: they belong to this thread, and no access to them calls a handler.
        @safe @exclusivity(unchecked) private var table: RegistrationTable
        @safe @exclusivity(unchecked) private var passed: [Registration] = []
        @safe @exclusivity(unchecked) private var alarm: LoopTimer
        /// What this thread has given to itself.
        @safe @exclusivity(unchecked) private var own: [LoopWork] = []
        /// What is being done.
        @safe @exclusivity(unchecked) private var running: [LoopWork] = []
        private(set) var now: CoarseInstant

        /// Starts the thread. It owns the loop until `stop`.
        static func start(named name: String) throws(SystemError) -> EpollEventLoop {
            let loop = try EpollEventLoop()
            var thread = pthread_t()
            // The thread takes over one reference; unsafe because C carries it as an untyped pointer.
            let context = unsafe Unmanaged.passRetained(loop)
            let code = unsafe pthread_create(&thread, nil, runEpollEventLoop, context.toOpaque())
            guard code == 0 else {
                unsafe context.release()
                throw SystemError(code: code, operation: "pthread_create")
            }
            _ = unsafe CWaymarkSystem_setThreadName(thread, String(name.prefix(15)))
            pthread_detach(thread)
            return loop
        }

        private init() throws(SystemError) {
            let epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
            guard epoll >= 0 else { throw SystemError(operation: "epoll_create1") }
            self.epoll = FileDescriptor(owning: epoll)
            let wakeUp = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))
            guard wakeUp >= 0 else { throw SystemError(operation: "eventfd") }
            self.wakeUp = FileDescriptor(owning: wakeUp)
            now = .current()
            table = RegistrationTable(now: now)
            alarm = try LoopTimer()
            // Of these only that something arrives matters, and nothing is read from them. They are in no table: it has
            // never heard of their numbers.
            for descriptor in [self.wakeUp.number, alarm.descriptor.number] {
                try control(EPOLL_CTL_ADD, Registration(descriptor: descriptor, generation: .max), .edgeTriggeredRead)
            }
        }

        func execute(_ work: @escaping @Sendable () -> Void) {
            if isCurrent {
                own.append(.call(work))
            } else if case .first = self.work.add(.call(work)) {
                wake()
            }
        }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            if isCurrent { return own.append(.job(job)) }
            switch work.add(.job(job)) {
            case .added: break
            case .first: wake()
            case .refused: globalConcurrentExecutor.enqueue(job)
            }
        }

        /// No thread but the loop's own finds its own number there, whenever it looks.
        private var isCurrent: Bool { thread.load(ordering: .relaxed) == pthread_self() }

        private func wake() {
            var one: UInt64 = 1
            // unsafe because write reads eight bytes through the pointer. It is added to what nobody ever takes: 64 bits are
            // enough for all wake-ups there will be.
            _ = unsafe write(wakeUp.number, &one, MemoryLayout<UInt64>.size)
        }

        func stop(_ completion: @escaping @Sendable () -> Void) {
            execute { self.completion = completion }
        }

        // MARK: On the loop

        func register(
            _ descriptor: consuming FileDescriptor, for interest: Interest, handler: any ReadinessHandler
        ) throws(SystemError) -> Registration {
            let number = descriptor.release()
            let registration = table.add(number, interest: interest, handler: handler)
            do throws(SystemError) {
                try control(EPOLL_CTL_ADD, registration, interest)
            } catch {
                close(registration)
                throw error
            }
            return registration
        }

        func setInterest(_ interest: Interest, of registration: Registration) {
            guard table.setInterest(interest, of: registration) else { return }
            do throws(SystemError) {
                try control(EPOLL_CTL_MOD, registration, interest)
            } catch {
                // The kernel has no memory left for it. Nothing more would be heard of this descriptor, so its handler
                // is told that the other end is gone, once it is done with what it does now.
                own.append(.call { [self] in table.handler(of: registration)?.ready(.hangUp) })
            }
        }

        func setDeadline(_ deadline: CoarseInstant, of registration: Registration) {
            _ = table.setDeadline(deadline, of: registration)
        }

        func close(_ registration: Registration) {
            // Closing takes it out of the epoll set too: no other descriptor refers to the same open file.
            if table.remove(registration) { _ = SystemCall.close(registration.descriptor) }
        }

        private func control(_ operation: Int32, _ registration: Registration, _ interest: Interest) throws(SystemError)
        {
            // unsafe because the structure holds a C union; 64 bits go in here, and `dispatch` takes 64 out.
            var event = unsafe epoll_event()
            unsafe event.events = 0
            if interest.contains(.read) { unsafe event.events |= EPOLLIN.rawValue }
            if interest.contains(.write) { unsafe event.events |= EPOLLOUT.rawValue }
            if interest.contains(.edgeTriggeredRead) {
                unsafe event.events |= EPOLLRDHUP.rawValue | EPOLLET.rawValue
            }
            unsafe event.data.u64 = registration.packed
            // unsafe because epoll_ctl reads the event through the pointer; the kernel copies it.
            if unsafe epoll_ctl(epoll.number, operation, registration.descriptor, &event) != 0 {
                throw SystemError(operation: "epoll_ctl")
            }
        }

        /// The life of the thread.
        fileprivate func run() {
            // unsafe because epoll_wait fills the array; it is told its length, and memory lives as long as this call.
            let events = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: Self.eventsPerTurn)
            defer { unsafe events.deallocate() }
            thread.store(pthread_self(), ordering: .relaxed)
            while completion == nil {
                if let next = table.nextDeadline { alarm.set(for: next) }
                let patience: Int32 = own.isEmpty ? -1 : 0
                let result = SystemCall.perform {
                    Int(unsafe epoll_wait(epoll.number, events.baseAddress, Int32(Self.eventsPerTurn), patience))
                }
                guard case .processed(let count) = result else { preconditionFailure("epoll_wait failed") }
                now = .current()
                for index in 0..<count { unsafe dispatch(events[index]) }
                if isWoken {
                    isWoken = false
                    work.take(into: &running)
                    runAll()
                }
                for _ in 0..<Self.roundsPerTurn where !own.isEmpty {
                    swap(&own, &running)
                    runAll()
                }
                expireDeadlines()
            }
            finish()
        }

        private func runAll() {
            for work in running { run(work) }
            running.removeAll(keepingCapacity: running.count <= Self.keptCapacity)
        }

        private func run(_ work: LoopWork) {
            switch work {
            case .call(let call): call()
            // unsafe because the executor is not counted; whoever runs the loop keeps it.
            case .job(let job): unsafe job.runSynchronously(on: asUnownedTaskExecutor())
            }
        }

        private func dispatch(_ event: epoll_event) {
            // unsafe because the data is a C union; only `control` writes it, always as 64 bits.
            let registration = Registration(packed: unsafe event.data.u64)
            guard let handler = table.handler(of: registration) else { return dispatchOwn(registration) }
            let events = unsafe event.events
            var readiness: UInt8 = 0
            if events & EPOLLIN.rawValue != 0 { readiness |= Interest.read.rawValue }
            if events & EPOLLOUT.rawValue != 0 { readiness |= Interest.write.rawValue }
            if events & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 { readiness |= Interest.hangUp.rawValue }
            if events & EPOLLRDHUP.rawValue != 0 { readiness |= Interest.end.rawValue }
            handler.ready(Interest(rawValue: readiness))
        }

        /// What no handler hears of: the loop's own descriptors, and what was on its way for a registration that has ended.
        private func dispatchOwn(_ registration: Registration) {
            if registration.descriptor == wakeUp.number {
                // Whatever is added before the work is taken is taken with it; what comes later wakes again.
                isWoken = true
            } else if registration.descriptor == alarm.descriptor.number {
                alarm.didFire()
            }
        }

        private func expireDeadlines() {
            table.expire(at: now, into: &passed)
            guard !passed.isEmpty else { return }
            // One handler may close another's registration, so each is looked up when its turn comes.
            for registration in passed { table.handler(of: registration)?.deadlinePassed() }
            passed.removeAll()
        }

        private func finish() {
            // A task that is here must go on to its end; what it does after this turn it does elsewhere.
            thread.store(0, ordering: .relaxed)
            for work in work.close() + own { run(work) }
            own = []
            for registration in table.all { close(registration) }
            completion?()
            completion = nil
        }
    }

    /// A global function, because a closure literal given to `pthread_create` below a main-actor function is taken for
    /// isolated to it, and dies in the executor check on the new thread.
    private func runEpollEventLoop(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        // Requests are done in microseconds and then wait for the next: with a turn as short as the kernel grants (0.1 ms)
        // they are not kept behind whatever else runs on the core, the writing down of clicks above all.
        _ = CWaymarkSystem_setSlice(100_000)
        // unsafe because C carried the reference that `start` retained as an untyped pointer; it is taken over here.
        if let context = unsafe context {
            unsafe Unmanaged<EpollEventLoop>.fromOpaque(context).takeRetainedValue().run()
        }
        return nil
    }
#endif
