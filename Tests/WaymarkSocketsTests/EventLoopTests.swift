import Glibc
import Synchronization
import Testing
import WaymarkSockets

@Suite struct EventLoopTests {
    /// Reports to a closure. Isolation: its loop.
    private final class Reporter: ReadinessHandler, @unchecked Sendable {
        let report: (Interest?) -> Void

        init(_ report: @escaping (Interest?) -> Void) { self.report = report }

        func ready(_ readiness: Interest) { report(readiness) }
        func deadlinePassed() { report(nil) }
    }

    /// What a test keeps while events come. Isolation: its loop.
    private final class Scene: @unchecked Sendable {
        var registrations: [Registration] = []
        var hasReplaced = false
        var isStale = false
    }

    /// Steps with some turns of the loop between them. Isolation: its loop.
    private final class Script: @unchecked Sendable {
        private let loop: any EventLoop
        /// False at the end.
        private let step: (Int) -> Bool
        private var turns = 0

        init(loop: any EventLoop, _ step: @escaping (Int) -> Bool) {
            self.loop = loop
            self.step = step
        }

        func run() {
            loop.execute { [self] in
                turns += 1
                if turns % 5 > 0 || step(turns / 5 - 1) { run() }
            }
        }
    }

    private static func pair() -> (Int32, Int32) {
        var numbers: [Int32] = [0, 0]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        socketpair(AF_UNIX, type, 0, &numbers)
        return (numbers[0], numbers[1])
    }

    private func onLoop<Value: Sendable>(
        _ loop: any EventLoop, _ body: @escaping @Sendable (CheckedContinuation<Value, Never>) -> Void
    ) async -> Value {
        await withCheckedContinuation { continuation in
            loop.execute { body(continuation) }
        }
    }

    private func stop(_ loop: any EventLoop) async {
        await withCheckedContinuation { continuation in loop.stop { continuation.resume() } }
    }

    @Test(arguments: EventLoopKind.allCases)
    func runsWorkInTheOrderItWasGiven(kind: EventLoopKind) async throws {
        let loop = try kind.makeLoop(named: "test")
        let order = Mutex<[Int]>([])
        for number in 0..<1_000 {
            loop.execute { order.withLock { $0.append(number) } }
        }
        await stop(loop)
        #expect(order.withLock { $0 } == Array(0..<1_000))
    }

    @Test(arguments: EventLoopKind.allCases)
    func dropsWorkAfterItsEnd(kind: EventLoopKind) async throws {
        let loop = try kind.makeLoop(named: "test")
        await stop(loop)
        let hasRun = Atomic(false)
        loop.execute { hasRun.store(true, ordering: .relaxed) }
        let ran = hasRun.load(ordering: .relaxed)
        #expect(!ran)
    }

    /// On the threads of tasks a thousand turns would hardly come in this order.
    @Test(arguments: EventLoopKind.allCases)
    func runsTasksThatPreferItInTurnWithItsWork(kind: EventLoopKind) async throws {
        let loop = try kind.makeLoop(named: "test")
        let order = Mutex<[Int]>([])
        for number in stride(from: 0, to: 1_000, by: 2) {
            loop.execute { order.withLock { $0.append(number) } }
            Task(executorPreference: loop) { @Sendable in order.withLock { $0.append(number + 1) } }
        }
        await stop(loop)
        #expect(order.withLock { $0 } == Array(0..<1_000))
    }

    @Test(arguments: EventLoopKind.allCases)
    func doesWhatItGivesItselfInTurn(kind: EventLoopKind) async throws {
        let loop = try kind.makeLoop(named: "test")
        let order = Mutex<[Int]>([])
        let before: [Int] = await onLoop(loop) { continuation in
            for number in stride(from: 0, to: 1_000, by: 2) {
                loop.execute { order.withLock { $0.append(number) } }
                Task(executorPreference: loop) { @Sendable in order.withLock { $0.append(number + 1) } }
            }
            let before = order.withLock { $0 }
            loop.execute { continuation.resume(returning: before) }
        }
        #expect(before.isEmpty, "not before what gave it has ended")
        #expect(order.withLock { $0 } == Array(0..<1_000))
        await stop(loop)
    }

    @Test(.timeLimit(.minutes(1)), arguments: EventLoopKind.allCases)
    func servesOthersBesideATaskThatAlwaysHasMoreToDo(kind: EventLoopKind) async throws {
        let loop = try kind.makeLoop(named: "test")
        let isDone = Atomic(false)
        let busy = Task(executorPreference: loop) {
            while !isDone.load(ordering: .relaxed) { await Task.yield() }
        }
        // Work from elsewhere, then a descriptor and a deadline that only a turn of the loop finds.
        let found: Interest? = await onLoop(loop) { continuation in
            let (near, far) = Self.pair()
            let registration = Mutex<Registration?>(nil)
            let reporter = Reporter { readiness in
                guard let own = registration.withLock({ $0 }) else { return }
                guard readiness == nil else { return loop.setDeadline(loop.now, of: own) }
                loop.close(own)
                close(far)
                continuation.resume(returning: readiness)
            }
            let own = try? loop.register(FileDescriptor(owning: near), for: .read, handler: reporter)
            registration.withLock { $0 = own }
            _ = send(far, "x", 1, 0)
        }
        #expect(found == nil)
        isDone.store(true, ordering: .relaxed)
        await busy.value
        await stop(loop)
    }

    @Test(.timeLimit(.minutes(1)), arguments: EventLoopKind.allCases)
    func aTaskGoesOnToItsEndWhereItsLoopHasEnded(kind: EventLoopKind) async throws {
        let loop = try kind.makeLoop(named: "test")
        let (answers, answer) = AsyncStream.makeStream(of: Int.self)
        let waiting = Task(executorPreference: loop) {
            for await number in answers { return number }
            return 0
        }
        // Whether it comes before the end of the loop, with it or behind it.
        let racing = (0..<100).map { number in Task(executorPreference: loop) { number } }
        await stop(loop)
        let late = Task(executorPreference: loop) { 2 }
        answer.yield(1)
        #expect(await waiting.value == 1)
        #expect(await late.value == 2)
        for (number, task) in racing.enumerated() { #expect(await task.value == number) }
    }

    @Test(arguments: EventLoopKind.allCases)
    func reportsReadinessAndTheEndOfTheStream(kind: EventLoopKind) async throws {
        let loop = try kind.makeLoop(named: "test")
        let bytes: [Int] = await onLoop(loop) { continuation in
            let (near, far) = Self.pair()
            let other = far
            let number = near
            var counts: [Int] = []
            var registration: Registration?
            let reporter = Reporter { readiness in
                var buffer = [UInt8](repeating: 0, count: 16)
                let count = recv(number, &buffer, 16, 0)
                guard count >= 0 else { return }
                counts.append(count)
                if counts.count == 1 {
                    close(other)
                } else if let registration {
                    loop.close(registration)
                    continuation.resume(returning: counts)
                }
            }
            registration = try? loop.register(FileDescriptor(owning: near), for: .read, handler: reporter)
            _ = write(other, "abc", 3)
        }
        #expect(bytes == [3, 0])
        await stop(loop)
    }

    @Test(arguments: EventLoopKind.allCases)
    func goesOnReportingWhatAVanishedPeerHasLeft(kind: EventLoopKind) async throws {
        let loop = try kind.makeLoop(named: "test")
        let bytes: [Int] = await onLoop(loop) { continuation in
            let (near, far) = Self.pair()
            // Bytes, the end and the hang-up are all there before the loop first looks.
            _ = write(far, "abc", 3)
            close(far)
            var counts: [Int] = []
            var registration: Registration?
            let reporter = Reporter { readiness in
                var byte: UInt8 = 0
                if readiness != nil { counts.append(recv(near, &byte, 1, 0)) }
                guard let registration, readiness == nil || counts.last == 0 else { return }
                loop.close(registration)
                continuation.resume(returning: counts)
            }
            registration = try? loop.register(FileDescriptor(owning: near), for: .read, handler: reporter)
            // So that a loop that forgets the descriptor fails the test instead of stopping it.
            if let registration { loop.setDeadline(loop.now.advanced(by: 5_000), of: registration) }
        }
        #expect(bytes == [1, 1, 1, 0])
        await stop(loop)
    }

    @Test func tellsOfAnArrivalOnceUntilReadIsAskedForAgain() async throws {
        let loop = try EventLoopKind.epoll.makeLoop(named: "test")
        let reports: [Int] = await onLoop(loop) { continuation in
            let (near, far) = Self.pair()
            let scene = Scene()
            var count = 0
            var counts: [Int] = []
            let reporter = Reporter { _ in count += 1 }
            guard
                let registration = try? loop.register(
                    FileDescriptor(owning: near), for: .edgeTriggeredRead, handler: reporter)
            else { return continuation.resume(returning: []) }
            scene.registrations = [registration]
            _ = write(far, "abc", 3)
            // Each step waits for a few turns of the loop, in which a socket that is readable would be reported.
            let steps: [() -> Void] = [
                {}, { _ = write(far, "d", 1) }, { loop.setInterest(.read, of: registration) },
                {
                    close(far)
                    loop.close(registration)
                    continuation.resume(returning: counts)
                },
            ]
            let script = Script(loop: loop) { step in
                counts.append(count)
                steps[step]()
                return step + 1 < steps.count
            }
            script.run()
        }
        #expect(reports.first == 1, "nothing was read, and it was told once")
        #expect(reports.dropFirst().first == 1)
        #expect(reports.dropFirst(2).first == 2, "what came then was told as well")
        #expect(try #require(reports.last) > 3, "asked for readable, it is told with each turn")
        await stop(loop)
    }

    @Test func tellsOfTheEndBehindWhatHasArrived() async throws {
        let loop = try EventLoopKind.epoll.makeLoop(named: "test")
        let (readiness, counts): (Interest, [Int]) = await onLoop(loop) { continuation in
            let (near, far) = Self.pair()
            _ = write(far, "abc", 3)
            shutdown(far, Int32(SHUT_WR))
            var first: Interest?
            var counts: [Int] = []
            var registration: Registration?
            let reporter = Reporter { readiness in
                guard let registration, let readiness else { return }
                if first == nil { first = readiness }
                var buffer = [UInt8](repeating: 0, count: 16)
                counts.append(recv(near, &buffer, 16, 0))
                if counts.last == 3 { return loop.setInterest(.read, of: registration) }
                loop.close(registration)
                close(far)
                continuation.resume(returning: (first ?? .none, counts))
            }
            registration = try? loop.register(FileDescriptor(owning: near), for: .edgeTriggeredRead, handler: reporter)
        }
        #expect(readiness.contains(.read) && readiness.contains(.end))
        #expect(counts == [3, 0])
        await stop(loop)
    }

    @Test(arguments: EventLoopKind.allCases)
    func reportsOnlyWhatIsAskedFor(kind: EventLoopKind) async throws {
        let loop = try kind.makeLoop(named: "test")
        let reports: [Interest] = await onLoop(loop) { continuation in
            let (near, far) = Self.pair()
            let other = far
            var reports: [Interest] = []
            var registration: Registration?
            let reporter = Reporter { readiness in
                guard let readiness, let registration else { return }
                reports.append(readiness)
                if reports.count == 1 {
                    // Readable too, but not asked for; then the other way round.
                    loop.setInterest(.none, of: registration)
                    loop.execute { loop.setInterest(.read, of: registration) }
                } else {
                    loop.close(registration)
                    close(other)
                    continuation.resume(returning: reports)
                }
            }
            _ = write(other, "abc", 3)
            registration = try? loop.register(FileDescriptor(owning: near), for: .write, handler: reporter)
        }
        #expect(reports == [.write, .read])
        await stop(loop)
    }

    @Test(arguments: EventLoopKind.allCases)
    func keepsEventsFromADescriptorThatReusesTheNumber(kind: EventLoopKind) async throws {
        //  kernel                          loop, one turn
        //  A and B become readable
        //                                  event of the first: closes the other, whose number C takes over
        //                                  event of the second: is for a generation that has ended
        let loop = try kind.makeLoop(named: "test")
        let isStale: Bool = await onLoop(loop) { continuation in
            let (nearA, farA) = Self.pair()
            let (nearB, farB) = Self.pair()
            let others = [farA, farB]
            let scene = Scene()
            func replace(_ victim: Int) {
                guard !scene.hasReplaced else { return }
                scene.hasReplaced = true
                let old = scene.registrations[victim]
                let survivor = scene.registrations[1 - victim]
                loop.close(old)
                // Nothing is ever sent to C, so whatever it hears was meant for the other.
                let (nearC, farC) = Self.pair()
                let peer = farC
                let new = try? loop.register(
                    FileDescriptor(owning: nearC), for: .read,
                    handler: Reporter { readiness in if readiness != nil { scene.isStale = true } })
                loop.setInterest(.none, of: old)
                loop.setDeadline(loop.now, of: old)
                loop.execute {
                    loop.execute {
                        if let new { loop.close(new) }
                        loop.close(survivor)
                        for other in others + [peer] { close(other) }
                        continuation.resume(returning: scene.isStale)
                    }
                }
            }
            let reporterA = Reporter { _ in replace(1) }
            let reporterB = Reporter { _ in replace(0) }
            for other in others { _ = write(other, "x", 1) }
            if let registration = try? loop.register(FileDescriptor(owning: nearA), for: .read, handler: reporterA) {
                scene.registrations.append(registration)
            }
            if let registration = try? loop.register(FileDescriptor(owning: nearB), for: .read, handler: reporterB) {
                scene.registrations.append(registration)
            }
        }
        #expect(!isStale)
        await stop(loop)
    }

    @Test(arguments: EventLoopKind.allCases)
    func keepsDeadlinesThatMoveInOrder(kind: EventLoopKind) async throws {
        let loop = try kind.makeLoop(named: "test")
        let order: [Int] = await onLoop(loop) { continuation in
            var order: [Int] = []
            var registrations: [Registration] = []
            var peers: [Int32] = []
            for number in 0..<4 {
                let (near, far) = Self.pair()
                peers.append(far)
                let reporter = Reporter { _ in
                    order.append(number)
                    guard order.count == 3 else { return }
                    for registration in registrations { loop.close(registration) }
                    for peer in peers { close(peer) }
                    continuation.resume(returning: order)
                }
                if let registration = try? loop.register(FileDescriptor(owning: near), for: .none, handler: reporter) {
                    registrations.append(registration)
                }
            }
            let now = loop.now
            loop.setDeadline(now.advanced(by: 40), of: registrations[0])
            loop.setDeadline(now.advanced(by: 5_000), of: registrations[1])
            loop.setDeadline(now.advanced(by: 200), of: registrations[2])
            loop.setDeadline(now.advanced(by: 10), of: registrations[3])
            // Later, earlier, and never.
            loop.setDeadline(now.advanced(by: 400), of: registrations[0])
            loop.setDeadline(now.advanced(by: 100), of: registrations[1])
            loop.setDeadline(.distantFuture, of: registrations[3])
        }
        #expect(order == [1, 2, 0])
        await stop(loop)
    }
}
