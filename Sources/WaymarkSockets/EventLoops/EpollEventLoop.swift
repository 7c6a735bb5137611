#if os(Linux)
    import CWaymarkSystem
    import Glibc
    import Synchronization

    /// An event loop on its own thread, based on epoll: level-triggered, except for handlers that use
    /// `edgeTriggeredRead`.
    ///
    /// `@unchecked Sendable` because all mutable state is confined to the loop's thread; other threads reach it only
    /// through the work queue and the eventfd. Work from the loop's own thread needs neither: it runs in the same
    /// turn.
    final class EpollEventLoop: EventLoop, @unchecked Sendable {
        private static let eventsPerTurn = 256
        /// Limit of rounds of self-submitted work in one turn: a task that always submits more must not starve
        /// others.
        private static let roundsPerTurn = 2
        /// If a turn's work exceeds this count, its memory is freed.
        private static let keptCapacity = 256

        private let epoll: FileDescriptor
        /// Closed only with the loop: until then another thread may be about to write to it.
        private let wakeUp: FileDescriptor
        private let work = WorkQueue()
        /// The loop's thread while it runs, else 0.
        private let thread = Atomic<UInt>(0)
        /// Set to stop the loop; written on the loop.
        private var completion: (@Sendable () -> Void)?
        /// Whether other threads have submitted work; otherwise a turn does not take their lock.
        private var isWoken = false
        // Every turn uses these, and the runtime would check each access for overlap. Unchecked because there is
        // none: they are confined to this thread, and no access to them calls a handler.
        @safe @exclusivity(unchecked) private var table: RegistrationTable
        @safe @exclusivity(unchecked) private var passed: [Registration] = []
        @safe @exclusivity(unchecked) private var alarm: LoopTimer
        /// Work submitted by this thread.
        @safe @exclusivity(unchecked) private var own: [LoopWork] = []
        /// The work being run.
        @safe @exclusivity(unchecked) private var running: [LoopWork] = []
        private(set) var now: CoarseInstant

        /// Starts the thread. It owns the loop until `stop`.
        static func start(named name: String) throws(SystemError) -> EpollEventLoop {
            let loop = try EpollEventLoop()
            var thread = pthread_t()
            // The thread takes ownership of one reference; unsafe because C passes it as an untyped pointer.
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
            // Only their wake-up matters; nothing is read from them. They are not in the table, so their events have
            // no registration.
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

        /// Reliable without synchronization: only the loop's own thread can find its own number there.
        private var isCurrent: Bool { thread.load(ordering: .relaxed) == pthread_self() }

        private func wake() {
            var one: UInt64 = 1
            // unsafe because write reads eight bytes through the pointer. They are added to a counter that is never
            // reset: 64 bits can't overflow.
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
                // The kernel is out of memory. It would report nothing more for this descriptor, so its handler gets
                // a hang-up after its current work.
                own.append(.call { [self] in table.handler(of: registration)?.ready(.hangUp) })
            }
        }

        func setDeadline(_ deadline: CoarseInstant, of registration: Registration) {
            _ = table.setDeadline(deadline, of: registration)
        }

        func close(_ registration: Registration) {
            // Closing also removes it from the epoll set: no other descriptor refers to the same open file.
            if table.remove(registration) { _ = SystemCall.close(registration.descriptor) }
        }

        private func control(_ operation: Int32, _ registration: Registration, _ interest: Interest) throws(SystemError)
        {
            // unsafe because the structure contains a C union; 64 bits are stored here, and `dispatch` reads 64.
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

        /// The thread's main function.
        fileprivate func run() {
            // unsafe because epoll_wait fills the array, whose length is passed; the memory lives as long as this
            // call.
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
            // unsafe because the executor is not counted; the caller of `run` retains the loop.
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

        /// Handles events without a handler: the loop's own descriptors, and late events of closed registrations.
        private func dispatchOwn(_ registration: Registration) {
            if registration.descriptor == wakeUp.number {
                // Work added before the queue is taken is included; later work triggers another wake-up.
                isWoken = true
            } else if registration.descriptor == alarm.descriptor.number {
                alarm.didFire()
            }
        }

        private func expireDeadlines() {
            table.expire(at: now, into: &passed)
            guard !passed.isEmpty else { return }
            // A handler may close another's registration, so each is looked up at its turn.
            for registration in passed { table.handler(of: registration)?.deadlinePassed() }
            passed.removeAll()
        }

        private func finish() {
            // Tasks that are queued must run to completion; after this turn they run on other threads.
            thread.store(0, ordering: .relaxed)
            for work in work.close() + own { run(work) }
            own = []
            for registration in table.all { close(registration) }
            completion?()
            completion = nil
        }
    }

    /// A global function, because a closure literal passed to `pthread_create` below a main-actor function is
    /// inferred as isolated to it, and traps in the executor check on the new thread.
    private func runEpollEventLoop(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        // Requests run for microseconds and then wait for the next: with the shortest slice the kernel grants (0.1
        // ms) they are not delayed by other work on the core, above all the writing of clicks.
        _ = CWaymarkSystem_setSlice(100_000)
        // unsafe because C passed the reference that `start` retained as an untyped pointer; its ownership ends here.
        if let context = unsafe context {
            unsafe Unmanaged<EpollEventLoop>.fromOpaque(context).takeRetainedValue().run()
        }
        return nil
    }
#endif
