import Testing
import WaymarkServer

@Suite struct LogRateLimiterTests {
    @Test func letsTheFirstFewOfATextThroughInEachWindow() {
        var bound = LogRateLimiter(window: 10, sameLines: 2, allLines: 100)
        #expect((0..<5).map { _ in bound.admit("a", at: 100).isWritten } == [true, true, false, false, false])
        #expect(bound.admit("b", at: 109).isWritten)
        #expect(!bound.admit("a", at: 109).isWritten)
        let next = bound.admit("a", at: 110)
        #expect(next.isWritten)
        #expect(next.heldBefore == 4)
        #expect(bound.admit("a", at: 111).heldBefore == 0)
    }

    @Test func boundsAllTextsTogether() {
        var bound = LogRateLimiter(window: 10, sameLines: 5, allLines: 3)
        #expect((0..<6).count { bound.admit("\($0)", at: 0).isWritten } == 3)
        #expect(bound.admit("x", at: 20).heldBefore == 3)
    }

    @Test func aClockThatIsSetBackBeginsANewWindow() {
        var bound = LogRateLimiter(window: 10, sameLines: 1, allLines: 3)
        #expect(bound.admit("a", at: 1_000).isWritten)
        #expect(bound.admit("a", at: 10).isWritten)
    }
}
