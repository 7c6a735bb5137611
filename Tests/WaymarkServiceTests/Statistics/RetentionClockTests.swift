import Synchronization
import Testing
import WaymarkLinks
import WaymarkStores

@testable import WaymarkService

/// Which time deletions because of age go by.
@Suite struct RetentionClockTests {
    private static let hour: Int64 = 3_600_000
    private static let day: Int64 = 86_400_000

    /// A machine and the database that survives its restarts.
    private final class Machine: Sendable {
        /// 2026-11-26T12:00:00Z.
        private let now = Mutex(Timestamp(seconds: 1_795_694_400))
        private let uptime = Mutex<Int64>(5_000)
        private let stored: Mutex<(text: String, version: Int)?>
        private let clock: Mutex<RetentionClock>

        init(stored day: String?) {
            stored = Mutex(day.map { ($0, 1) })
            clock = Mutex(RetentionClock(nil))
            restart(off: 0)
        }

        var storedDay: String? { stored.withLock { $0?.text } }

        /// Time goes on, and the clock shows it.
        func run(_ milliseconds: Int64) {
            uptime.withLock { $0 += milliseconds }
            set(milliseconds)
        }

        /// The clock is changed.
        func set(_ milliseconds: Int64) { now.withLock { $0 = $0.advanced(byMilliseconds: milliseconds) } }

        func restart(off milliseconds: Int64) {
            set(milliseconds)
            uptime.withLock { $0 = 5_000 }
            let storage = RetentionClock.Storage(
                read: { [self] () async throws(StoreError) in stored.withLock { $0 } },
                write: { [self] (text, version) async throws(StoreError) in
                    stored.withLock { stored in
                        guard stored?.version == version else { return false }
                        stored = (text, (version ?? 0) + 1)
                        return true
                    }
                })
            clock.withLock { $0 = RetentionClock(storage) }
        }

        func read() async throws -> RetentionClock.Reading {
            let clock = clock.withLock { $0 }
            return try await clock.read(now: now.withLock { $0 }, uptime: uptime.withLock { $0 })
        }

        /// The day that may be deleted up to, after this many minutely readings.
        func dayAfter(minutes: Int) async throws -> String? {
            var reading = try await read()
            for _ in 0..<minutes {
                run(60_000)
                reading = try await read()
            }
            return reading.time.map { String($0.rfc3339.prefix(10)) }
        }
    }

    @Test func followsAClockThatGoesOn() async throws {
        let machine = Machine(stored: "2026-11-26")
        for date in ["2026-11-26", "2026-11-27", "2026-11-28"] {
            let reading = try await machine.read()
            #expect(reading.time?.rfc3339.prefix(10) == Substring(date) && reading.reason == nil)
            #expect(machine.storedDay == date)
            machine.run(Self.day)
        }
    }

    @Test(arguments: [63_072_000_000, 86_400_000, 1_800_000, -63_072_000_000, -7_200_000] as [Int64])
    func deletesNothingWhileAJumpIsNew(jump: Int64) async throws {
        let machine = Machine(stored: "2026-11-26")
        #expect(try await machine.read().time != nil)
        machine.set(jump)
        for _ in 0..<59 {
            let reading = try await machine.read()
            #expect(reading.time == nil)
            #expect(reading.reason?.hasPrefix("the clock was set \(jump > 0 ? "forward" : "back") by ") == true)
            machine.run(60_000)
        }
        machine.set(-jump)
        #expect(try await machine.read().time == nil)
        #expect(machine.storedDay == "2026-11-26")
        #expect(try await machine.dayAfter(minutes: 61) == "2026-11-26")
        #expect(try await machine.read().reason == nil)
    }

    @Test func takesADayEachHourFromAClockThatIsFarAhead() async throws {
        let machine = Machine(stored: "2026-11-26")
        machine.restart(off: 730 * Self.day)
        let first = try await machine.read()
        #expect(first.time == nil)
        #expect(first.reason?.hasPrefix("the clock is 730 days ahead of the last deletion") == true)
        #expect(try await machine.dayAfter(minutes: 59) == nil)
        #expect(try await machine.dayAfter(minutes: 1) == "2026-11-27")
        #expect(try await machine.dayAfter(minutes: 59) != "2026-11-28")
        #expect(machine.storedDay == "2026-11-27")
        machine.restart(off: -730 * Self.day)
        #expect(try await machine.dayAfter(minutes: 0) == "2026-11-26")
    }

    @Test func catchesUpAfterAServerWasOffForLong() async throws {
        let machine = Machine(stored: "2026-11-26")
        machine.restart(off: 40 * Self.day)
        #expect(try await machine.read().reason != nil)
        // It is the 42nd day then.
        #expect(try await machine.dayAfter(minutes: 42 * 60) == "2027-01-07")
        #expect(try await machine.read().reason == nil)
    }

    @Test func believesAnUnknownClockAfterAnHour() async throws {
        let machine = Machine(stored: nil)
        #expect(try await machine.dayAfter(minutes: 59) == nil)
        #expect(try await machine.dayAfter(minutes: 1) == "2026-11-26")
        #expect(machine.storedDay == "2026-11-26")
    }

    @Test func followsAtOnceWhereADayHasPassedWhileItWasOff() async throws {
        let machine = Machine(stored: "2026-11-25")
        let reading = try await machine.read()
        #expect(reading.time?.day == reading.day && reading.days == 1 && reading.reason == nil)
    }

    @Test func aClockFarBehindLowersTheDaySlowly() async throws {
        let machine = Machine(stored: "2026-11-26")
        machine.restart(off: -5_000 * Self.day)
        #expect(try await machine.read().time != nil)
        #expect(machine.storedDay == "2026-11-26")
        _ = try await machine.dayAfter(minutes: 121)
        #expect(machine.storedDay == "2026-11-24")
    }
}
