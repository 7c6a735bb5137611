import Synchronization
import Testing
import WaymarkLinks
import WaymarkStores

@testable import WaymarkService

@Suite struct SharedFlushTests {
    private final class Clock: Sendable {
        private let state = Mutex((now: 0 as Int64, slept: [Int64]()))
        var now: Int64 { state.withLock { $0.now } }
        var slept: [Int64] { state.withLock { $0.slept } }
        func pass(_ milliseconds: Int64) { state.withLock { $0.now += milliseconds } }
        func sleep(_ milliseconds: Int64) {
            state.withLock { state in
                state.now += milliseconds
                state.slept.append(milliseconds)
            }
        }
    }

    @Test func flushesAtMostOnceASecond() async throws {
        let clock = Clock()
        let flush = SharedFlush(uptime: { clock.now }, sleep: { clock.sleep($0) })
        let times = Mutex<[Int64]>([])
        for pause in [0, 0, 300, 5_000] as [Int64] {
            clock.pass(pause)
            try await flush.run { () async throws(StoreError) in times.withLock { $0.append(clock.now) } }
        }
        #expect(times.withLock { $0 } == [0, 1_000, 2_000, 7_000])
        #expect(clock.slept == [1_000, 700])
    }

    @Test func allWhoAskWhileItWaitsShareOne() async throws {
        let clock = Clock()
        let gate = Gate()
        let flush = SharedFlush(
            uptime: { clock.now },
            sleep: {
                await gate.pass()
                clock.sleep($0)
            })
        let count = Mutex(0)
        let body: @Sendable () async throws(StoreError) -> Void = { () async throws(StoreError) in
            count.withLock { $0 += 1 }
        }
        try await flush.run(body)
        let first = flush.join(body)
        await gate.waitForArrivals()
        let others = (0..<5).map { _ in flush.join(body) }
        gate.open()
        for task in [first] + others { try await task.value.get() }
        #expect(count.withLock { $0 } == 2)
    }

    @Test func aFailureIsEverybodys() async {
        let flush = SharedFlush(uptime: { 0 })
        await #expect(throws: StoreError.unavailable("away")) {
            try await flush.run { () async throws(StoreError) in throw .unavailable("away") }
        }
    }
}
