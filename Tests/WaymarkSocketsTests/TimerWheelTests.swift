import Testing

@testable import WaymarkSockets

@Suite struct TimerWheelTests {
    /// Milliseconds ahead: around a tick, around a round of the wheel, and far beyond it.
    private static let delays: [Int64] = [
        0, 1, 31, 32, 33, 63, 64, 1_000, 30_000, 32_735, 32_736, 32_767, 32_768, 32_769, 65_536, 3_600_000,
    ]

    private final class Listener: ReadinessHandler {
        func ready(_ readiness: Interest) {}
        func deadlinePassed() {}
    }

    /// When each deadline was reported, with a clock that goes wherever the table asks to be woken up.
    private func run(_ deadlines: [CoarseInstant], from start: CoarseInstant, lag: Int64 = 0) -> [CoarseInstant] {
        var table = RegistrationTable(now: start)
        var reports = [CoarseInstant](repeating: .distantFuture, count: deadlines.count)
        for (number, deadline) in deadlines.enumerated() {
            let registration = table.add(Int32(number), interest: .read, handler: Listener())
            _ = table.setDeadline(deadline, of: registration)
        }
        var passed: [Registration] = []
        while let next = table.nextDeadline {
            let now = next.advanced(by: lag)
            table.expire(at: now, into: &passed)
            for registration in passed { reports[Int(registration.descriptor)] = now }
            passed.removeAll()
        }
        return reports
    }

    @Test(arguments: [0, 1, 31, 32, 1_000_003] as [Int64])
    func reportsNoDeadlineEarlyAndNoneLaterThanATick(start: Int64) {
        let start = CoarseInstant(milliseconds: start)
        let deadlines = Self.delays.map { start.advanced(by: $0) }
        for (deadline, report) in zip(deadlines, run(deadlines, from: start)) {
            #expect(report >= deadline)
            // What is due at once waits for the next tick.
            #expect(report.since(max(deadline, start)) <= TimerWheel.resolution)
        }
    }

    @Test func missesNothingWhenTheLoopSleepsLonger() {
        let start = CoarseInstant(milliseconds: 500)
        let deadlines = Self.delays.map { start.advanced(by: $0) }
        for (deadline, report) in zip(deadlines, run(deadlines, from: start, lag: 100_000)) {
            #expect(report >= deadline)
            #expect(report < .distantFuture)
        }
    }

    @Test func reportsADeadlineThatMovesOnce() {
        var table = RegistrationTable(now: CoarseInstant(milliseconds: 0))
        let registration = table.add(3, interest: .read, handler: Listener())
        for milliseconds in [50_000, 100, 70_000, 40, 200] as [Int64] {
            _ = table.setDeadline(CoarseInstant(milliseconds: milliseconds), of: registration)
        }
        var reports: [Int64] = []
        var passed: [Registration] = []
        while let next = table.nextDeadline {
            table.expire(at: next, into: &passed)
            reports += passed.map { _ in next.milliseconds }
            passed.removeAll()
        }
        #expect(reports == [224])
    }

    @Test func forgetsTheDeadlineOfADescriptorThatIsClosed() {
        var table = RegistrationTable(now: CoarseInstant(milliseconds: 0))
        let first = table.add(3, interest: .read, handler: Listener())
        _ = table.setDeadline(CoarseInstant(milliseconds: 100), of: first)
        let removals = [table.remove(first), table.remove(first)]
        #expect(removals == [true, false])
        let second = table.add(3, interest: .read, handler: Listener())
        #expect(second != first)
        #expect(table.handler(of: first) == nil)
        _ = table.setDeadline(CoarseInstant(milliseconds: 50), of: first)
        var passed: [Registration] = []
        table.expire(at: CoarseInstant(milliseconds: 1_000), into: &passed)
        #expect(passed.isEmpty)
        #expect(table.nextDeadline == nil)
    }

    @Test func asksForNoWakeUpWhereADeadlineOnlyMovesLater() {
        var table = RegistrationTable(now: CoarseInstant(milliseconds: 0))
        let registration = table.add(3, interest: .read, handler: Listener())
        let isNew = table.setDeadline(CoarseInstant(milliseconds: 1_000), of: registration)
        #expect(isNew)
        for milliseconds in 1_001...5_000 as ClosedRange<Int64> {
            let isNew = table.setDeadline(CoarseInstant(milliseconds: milliseconds), of: registration)
            #expect(!isNew)
        }
    }
}
