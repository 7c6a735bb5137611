import Testing
import WaymarkSockets

@Suite struct WallClockTests {
    /// Behind by no more than a tick, for which a minute leaves room on a machine that stands still now and then.
    @Test func recentIsNeverAheadOfTheExactTime() {
        for _ in 0..<1_000 {
            let before = WallClock.milliseconds()
            let recent = WallClock.recentMilliseconds()
            let after = WallClock.milliseconds()
            #expect(recent <= after && recent > before - 60_000)
        }
    }
}
