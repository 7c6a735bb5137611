package import WaymarkLinks
package import WaymarkStores

/// A query of a link's clicks: the period, its intervals, and a filter.
package struct ClickSelection: Sendable, Equatable {
    /// The interval of the series, in UTC.
    package enum Interval: String, Sendable, CaseIterable {
        case hour, day

        package var seconds: Int64 { self == .hour ? 3_600 : Timestamp.secondsOfDay }

        /// Maximum period in days.
        package var dayLimit: Int64 { self == .hour ? 31 : 400 }
    }

    /// Unix time; both bounds are multiples of the interval, and the upper one is exclusive.
    package let seconds: Range<Int64>
    package let interval: Interval
    /// The field to group by.
    package var field: ClickField?
    /// Values required of a click; nil requires that it has none.
    package var filter: [ClickField: String?]

    /// - Parameters:
    ///   - from: rounded down to an interval, because clicks of visitors with a do-not-track header are only known to
    ///     the hour.
    ///   - to: rounded up.
    /// - Returns: nil if the period is empty or longer than `dayLimit`.
    package init?(
        from: Timestamp, to: Timestamp, interval: Interval, field: ClickField? = nil,
        filter: [ClickField: String?] = [:]
    ) {
        let step = interval.seconds
        let start = Self.floor(from.seconds, step)
        // A time within a second belongs to it.
        let last = to.rawValue % 1_000 == 0 ? to.seconds : to.seconds + 1
        let end = -Self.floor(-last, step)
        guard from < to, end - start <= interval.dayLimit * Timestamp.secondsOfDay else { return nil }
        seconds = start..<end
        self.interval = interval
        self.field = field
        self.filter = filter
    }

    package var count: Int { Int((seconds.upperBound - seconds.lowerBound) / interval.seconds) }

    /// As in `ClickBlock.Key`.
    package var days: ClosedRange<Int> {
        Timestamp(seconds: seconds.lowerBound).day...Timestamp(seconds: seconds.upperBound - 1).day
    }

    package func start(_ index: Int) -> Timestamp {
        Timestamp(seconds: seconds.lowerBound + Int64(index) * interval.seconds)
    }

    /// Whether clicks with this profile match the filter.
    package func fits(_ profile: ClickRecord.Profile) -> Bool {
        filter.allSatisfy { profile[$0.key] == $0.value }
    }

    private static func floor(_ seconds: Int64, _ step: Int64) -> Int64 {
        let rest = seconds % step
        return seconds - (rest < 0 ? rest + step : rest)
    }
}
