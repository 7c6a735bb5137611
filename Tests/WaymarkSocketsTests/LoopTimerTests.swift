#if os(Linux)
    import Glibc
    import Testing

    @testable import WaymarkSockets

    @Suite(.timeLimit(.minutes(1))) struct LoopTimerTests {
        private static let hour: Int64 = 3_600_000

        /// Whether the alarm has gone off, or does before `limit` milliseconds have passed.
        private func goesOff(_ number: Int32, within limit: Int32) -> Bool {
            var question = pollfd(descriptor: number)
            // unsafe because poll writes through the pointer to one structure.
            return unsafe poll(&question, 1, limit) == 1
        }

        @Test func goesOffAtTheEarliestMomentThatItWasSetFor() throws {
            var alarm = try LoopTimer()
            let now = CoarseInstant.current()
            alarm.set(for: now.advanced(by: Self.hour))
            #expect(!goesOff(alarm.descriptor.number, within: 0))
            alarm.set(for: now.advanced(by: 1))
            alarm.set(for: now.advanced(by: Self.hour))
            #expect(goesOff(alarm.descriptor.number, within: -1))
        }

        @Test func goesOffForAMomentThatHasPassed() throws {
            var alarm = try LoopTimer()
            alarm.set(for: CoarseInstant.current().advanced(by: -Self.hour))
            #expect(goesOff(alarm.descriptor.number, within: -1))
        }

        @Test func `a timer is set again once it has fired`() throws {
            var alarm = try LoopTimer()
            let now = CoarseInstant.current()
            alarm.set(for: now)
            #expect(goesOff(alarm.descriptor.number, within: -1))
            alarm.didFire()
            alarm.set(for: now.advanced(by: Self.hour))
            #expect(!goesOff(alarm.descriptor.number, within: 0))
        }

        @Test func `a timer is not set for an event that never comes`() throws {
            var alarm = try LoopTimer()
            alarm.set(for: .distantFuture)
            #expect(!goesOff(alarm.descriptor.number, within: 0))
        }

        /// What a loop that was woken finds: its own clock must have come to the moment.
        @Test func goesOffNotBeforeTheLoopsClockGetsThere() throws {
            for _ in 0..<20 {
                var alarm = try LoopTimer()
                let moment = CoarseInstant.current().advanced(by: 3)
                alarm.set(for: moment)
                #expect(goesOff(alarm.descriptor.number, within: -1))
                #expect(CoarseInstant.current() >= moment)
            }
        }
    }

    extension pollfd {
        fileprivate init(descriptor: Int32) { self.init(fd: descriptor, events: Int16(POLLIN), revents: 0) }
    }
#endif
