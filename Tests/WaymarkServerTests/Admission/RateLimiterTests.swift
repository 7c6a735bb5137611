import Synchronization
import Testing
import WaymarkBytes
import WaymarkServer
import WaymarkSockets

@Suite struct RateLimiterTests {
    private final class ManualClock: Sendable {
        private let microseconds = Atomic<Int64>(1_000_000)
        var now: Int64 { microseconds.load(ordering: .relaxed) }
        func advance(milliseconds: Int64) { microseconds.wrappingAdd(milliseconds * 1_000, ordering: .relaxed) }
    }

    private func caller(_ address: String, key: String? = nil, kind: UInt8 = 0) throws -> RateLimiter.Caller {
        RateLimiter.Caller(try #require(Peer(addressText: address)), key: key, kind: kind)
    }

    /// Advances in milliseconds and what then follows: admitted, or the seconds to wait.
    @Test(
        arguments: [
            // One a second, three at once.
            (
                60, 3,
                [
                    (0, nil), (0, nil), (0, nil), (0, 1), (999, 1), (1, nil), (0, 1), (60_000, nil), (0, nil), (0, nil),
                    (0, 1),
                ]
            ),
            // One a minute, one at once.
            (1, 1, [(0, nil), (0, 60), (30_000, 30), (29_999, 1), (1, nil), (0, 60)]),
            // A hundred a second.
            (6_000, 1, [(0, nil), (0, 1), (9, 1), (1, nil)]),
        ] as [(Int, Int, [(Int64, Int?)])])
    func givesTokensAtItsRate(perMinute: Int, burst: Int, steps: [(Int64, Int?)]) throws {
        let clock = ManualClock()
        let limiter = RateLimiter(clock: { clock.now })
        let limit = try #require(RateLimit(perMinute: perMinute, burst: burst))
        let caller = try caller("192.0.2.1")
        for (number, (pause, wait)) in steps.enumerated() {
            clock.advance(milliseconds: pause)
            #expect(
                limiter.take(from: caller, limit) == (wait.map { .refused(retryAfter: $0) } ?? .admitted),
                "step \(number)")
        }
    }

    @Test func asksForNoMoreThanOneTokenAndKeepsTheDebt() throws {
        let clock = ManualClock()
        let limiter = RateLimiter(clock: { clock.now })
        let limit = try #require(RateLimit(perMinute: 60, burst: 2))
        let caller = try caller("192.0.2.1")
        #expect(limiter.take(10, from: caller, limit) == .admitted)
        #expect(limiter.take(from: caller, limit) == .refused(retryAfter: 9))
        limiter.charge(5, to: caller, limit)
        #expect(limiter.take(0, from: caller, limit) == .refused(retryAfter: 14))
        clock.advance(milliseconds: 14_000)
        #expect(limiter.take(0, from: caller, limit) == .admitted)
        #expect(limiter.take(from: caller, limit) == .admitted)
        #expect(limiter.take(from: caller, limit) == .refused(retryAfter: 1))
    }

    @Test func keepsCallersApartByKeyAddressAndKind() throws {
        let limiter = RateLimiter(clock: { 0 })
        let limit = try #require(RateLimit(perMinute: 1, burst: 1))
        let callers = [
            try caller("192.0.2.1"), try caller("192.0.2.2"), try caller("192.0.2.1", key: "a"),
            try caller("192.0.2.1", key: "b"), try caller("192.0.2.1", kind: 1), try caller("2001:db8:0:1::1"),
            try caller("2001:db8:0:2::1"),
        ]
        for caller in callers { #expect(limiter.take(from: caller, limit) == .admitted) }
        for caller in callers { #expect(limiter.take(from: caller, limit) == .refused(retryAfter: 60)) }
        // One subscriber has all of a /64.
        let neighbour = try caller("2001:db8:0:1:ffff::2")
        #expect(limiter.take(from: neighbour, limit) == .refused(retryAfter: 60))
    }

    @Test func holdsAnEmptyBucketAgainstACrowdOfAddresses() throws {
        let clock = ManualClock()
        let limiter = RateLimiter(slots: 512, clock: { clock.now })
        let limit = try #require(RateLimit(perMinute: 1, burst: 3))
        let caller = try caller("192.0.2.1")
        for _ in 0..<3 { #expect(limiter.take(from: caller, limit) == .admitted) }
        // Far more of them than there are places, each with a single request.
        for number in 0..<50_000 {
            let address = IPAddress(high: 0x2001_0db8_0000_0000 | UInt64(number), low: 0)
            _ = limiter.take(from: RateLimiter.Caller(Peer(address: address), kind: 0), limit)
        }
        #expect(limiter.take(from: caller, limit) == .refused(retryAfter: 60))
    }

    @Test func admitsNoMoreThanTheBurstFromManyThreads() async throws {
        let limiter = RateLimiter(clock: { 0 })
        let limit = try #require(RateLimit(perMinute: 1, burst: 100))
        let caller = try caller("192.0.2.1")
        let admitted = await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { (0..<100).count { _ in limiter.take(from: caller, limit) == .admitted } }
            }
            return await group.reduce(0, +)
        }
        #expect(admitted == 100)
    }

    @Test(arguments: [(0, 1), (1, 0), (-1, 1), (1_000_001, 1), (1, 1_000_001)])
    func refusesNumbersOutOfRange(perMinute: Int, burst: Int) {
        #expect(RateLimit(perMinute: perMinute, burst: burst) == nil)
    }

    @Test func waitsByTheSystemsClock() throws {
        let limiter = RateLimiter()
        let limit = try #require(RateLimit(perMinute: 1_000_000, burst: 1_000_000))
        #expect(limiter.take(from: try caller("192.0.2.1"), limit) == .admitted)
    }
}
