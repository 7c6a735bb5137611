package import WaymarkLinks
package import WaymarkStores

/// What is asked of a link's clicks: of which time, how it is divided, and which clicks count.
package struct ClickSelection: Sendable, Equatable {
    /// What the time is divided into, in UTC.
    package enum Interval: String, Sendable, CaseIterable {
        case hour, day

        package var seconds: Int64 { self == .hour ? 3_600 : Timestamp.secondsOfDay }

        /// How many days may be asked for at once.
        package var dayLimit: Int64 { self == .hour ? 31 : 400 }
    }

    /// Seconds since 1970, both on a boundary of the interval; the end is left out.
    package let seconds: Range<Int64>
    package let interval: Interval
    /// By which field the clicks of an interval are told apart.
    package var field: ClickField?
    /// What a click must have; nil: that it has no such value.
    package var filter: [ClickField: String?]

    /// - Parameters:
    ///   - from: Rounded down to a boundary, because clicks of those who ask not to be followed are known to the hour.
    ///   - to: Rounded up.
    /// - Returns: nil where there is no time between the two, or more than `dayLimit` days.
    package init?(
        from: Timestamp, to: Timestamp, interval: Interval, field: ClickField? = nil,
        filter: [ClickField: String?] = [:]
    ) {
        let step = interval.seconds
        let start = Self.floor(from.seconds, step)
        // A moment within a second belongs to it.
        let last = to.rawValue % 1_000 == 0 ? to.seconds : to.seconds + 1
        let end = -Self.floor(-last, step)
        guard from < to, end - start <= interval.dayLimit * Timestamp.secondsOfDay else { return nil }
        seconds = start..<end
        self.interval = interval
        self.field = field
        self.filter = filter
    }

    package var count: Int { Int((seconds.upperBound - seconds.lowerBound) / interval.seconds) }

    /// As `ClickBlock.Key` counts them.
    package var days: ClosedRange<Int> {
        Timestamp(seconds: seconds.lowerBound).day...Timestamp(seconds: seconds.upperBound - 1).day
    }

    package func start(_ index: Int) -> Timestamp {
        Timestamp(seconds: seconds.lowerBound + Int64(index) * interval.seconds)
    }

    /// Whether clicks of the profile count.
    package func fits(_ profile: ClickRecord.Profile) -> Bool {
        filter.allSatisfy { profile[$0.key] == $0.value }
    }

    private static func floor(_ seconds: Int64, _ step: Int64) -> Int64 {
        let rest = seconds % step
        return seconds - (rest < 0 ? rest + step : rest)
    }
}
