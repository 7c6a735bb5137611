import Testing

@testable import WaymarkService

@Suite struct RetryScheduleTests {
    @Test func `attempts ten times within four days`() {
        let delays = (1...12).map { RetrySchedule.delay(after: $0, retryAfter: nil, jitter: 0) }
        #expect(
            delays.map { $0.map { $0 / 1_000 } } == [
                5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400, nil, nil, nil,
            ])
    }

    @Test func `varies a delay by ten per cent`() {
        #expect(RetrySchedule.delay(after: 1, retryAfter: nil, jitter: -1) == 4_500)
        #expect(RetrySchedule.delay(after: 1, retryAfter: nil, jitter: 1) == 5_500)
    }

    @Test(
        arguments: [(0, 5_000), (5, 5_000), (60, 60_000), (86_400, 86_400_000), (.max, 86_400_000)] as [(Int, Int64)])
    func `waits as long as the receiver asks, at most a day`(seconds: Int, delay: Int64) {
        #expect(RetrySchedule.delay(after: 1, retryAfter: seconds, jitter: 0) == delay)
    }
}
