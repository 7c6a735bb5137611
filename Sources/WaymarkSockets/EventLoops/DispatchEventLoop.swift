import Dispatch
import Synchronization

/// An event loop on a serial queue with Dispatch sources, for systems without epoll.
///
/// `@unchecked Sendable` because all mutable state is confined to the queue; `execute` and `stop` only add to it.
final class DispatchEventLoop: EventLoop, @unchecked Sendable {
    private let queue: DispatchQueue
    private let timer: any DispatchSourceTimer
    private var table: RegistrationTable
    private var sources: [Int32: DescriptorSources] = [:]
    private var passed: [Registration] = []
    private var timerInstant = CoarseInstant.distantFuture
    private var isStopped = false
    private(set) var now: CoarseInstant

    init(name: String) {
        queue = DispatchQueue(label: name, qos: .userInitiated)
        timer = DispatchSource.makeTimerSource(queue: queue)
        now = .current()
        table = RegistrationTable(now: now)
        timer.setEventHandler { [weak self] in self?.turn { self?.expireDeadlines() } }
        timer.schedule(deadline: .distantFuture)
        timer.resume()
    }

    deinit {
        timer.cancel()
    }

    func execute(_ work: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            guard !isStopped else { return }
            turn(work)
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // Also after the end: a task must run to completion. unsafe because the executor is not counted; the closure
        // keeps the loop.
        queue.async { [self] in turn { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) } }
    }

    func stop(_ completion: @escaping @Sendable () -> Void) {
        execute { [self] in
            for registration in table.all { close(registration) }
            isStopped = true
            completion()
        }
    }

    // MARK: On the loop

    func register(
        _ descriptor: consuming FileDescriptor, for interest: Interest, handler: any ReadinessHandler
    ) throws(SystemError) -> Registration {
        let number = descriptor.release()
        let registration = table.add(number, interest: interest, handler: handler)
        let sources = DescriptorSources(number, queue: queue) { [weak self] readiness in
            self?.dispatch(readiness, to: registration)
        }
        self.sources[number] = sources
        sources.setInterest(interest)
        return registration
    }

    func setInterest(_ interest: Interest, of registration: Registration) {
        guard table.setInterest(interest, of: registration) else { return }
        sources[registration.descriptor]?.setInterest(interest)
    }

    func setDeadline(_ deadline: CoarseInstant, of registration: Registration) {
        if table.setDeadline(deadline, of: registration) { scheduleTimer() }
    }

    func close(_ registration: Registration) {
        guard table.remove(registration) else { return }
        // The sources close the descriptor later: Dispatch must have released it before its number can be reused.
        sources.removeValue(forKey: registration.descriptor)?.cancel()
    }

    private func dispatch(_ readiness: Interest, to registration: Registration) {
        // An event may be queued already when its interest ends.
        guard table.interest(of: registration).contains(readiness),
            let handler = table.handler(of: registration)
        else { return }
        turn { handler.ready(readiness) }
    }

    private func turn(_ body: () -> Void) {
        now = .current()
        body()
    }

    private func expireDeadlines() {
        timerInstant = .distantFuture
        table.expire(at: now, into: &passed)
        // A handler may close another's registration, so each is looked up at its turn.
        for registration in passed { table.handler(of: registration)?.deadlinePassed() }
        passed.removeAll()
        scheduleTimer()
    }

    private func scheduleTimer() {
        guard let next = table.nextDeadline, next < timerInstant else { return }
        timerInstant = next
        // One more millisecond, because the coarse clock lags and nothing would be due at an early wake-up.
        timer.schedule(deadline: .now() + .milliseconds(Int(clamping: max(0, next.since(now)) &+ 1)))
    }
}
