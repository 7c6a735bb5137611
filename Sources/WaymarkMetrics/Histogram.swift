/// Counts of values between given bounds, and their sum. Written and read like a `CounterTable`.
package final class Histogram: Sendable {
    /// The largest value of each bucket except the last, which is unbounded; in ascending order.
    package let bounds: HistogramBounds
    /// A counter for each bucket, followed by the sum.
    private let table: CounterTable

    package init(_ bounds: HistogramBounds) {
        self.bounds = bounds
        table = CounterTable(count: bounds.values.count + 2)
    }

    /// Records a value; from one thread only.
    package func recordAlone(_ value: Int) {
        table.addAlone(1, at: bucket(of: value))
        table.addAlone(value, at: table.count - 1)
    }

    /// Records a value; from any thread.
    package func record(_ value: Int) {
        table.add(1, at: bucket(of: value))
        table.add(value, at: table.count - 1)
    }

    package var metrics: HistogramMetrics {
        let values = table.values
        return HistogramMetrics(bounds: bounds, counts: Array(values.dropLast()), sum: values.last ?? 0)
    }

    private func bucket(of value: Int) -> Int {
        // For twenty bounds a linear search is faster than a binary one.
        var index = 0
        while index < bounds.values.count, value > bounds.values[index] { index += 1 }
        return index
    }
}

/// The upper bounds of a histogram's buckets, and the unit of its values.
package struct HistogramBounds: Sendable, Equatable {
    package enum Unit: Sendable {
        /// Values are in nanoseconds, and exported in seconds.
        case nanoseconds
        /// Values are counts.
        case count
    }

    package let unit: Unit
    package let values: [Int]

    /// - Precondition: at least one value, in ascending order.
    package init(_ unit: Unit, _ values: [Int]) {
        precondition(!values.isEmpty && zip(values, values.dropFirst()).allSatisfy { $0 < $1 }, "bounds ascend")
        self.unit = unit
        self.values = values
    }

    /// From one microsecond to ten seconds, in steps of 1, 2.5 and 5.
    package static let durations = HistogramBounds(
        .nanoseconds,
        [
            1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000,
            10_000_000, 25_000_000, 50_000_000, 100_000_000, 250_000_000, 500_000_000, 1_000_000_000, 2_500_000_000,
            5_000_000_000, 7_500_000_000, 10_000_000_000,
        ])

    /// From 1 to 4,096, doubling.
    package static let sizes = HistogramBounds(.count, (0...12).map { 1 << $0 })
}

/// The values of one or several histograms with the same bounds at one moment.
package struct HistogramMetrics: Sendable, Equatable {
    package let bounds: HistogramBounds
    /// Per bucket, not cumulative; the last one is unbounded.
    package private(set) var counts: [Int]
    package private(set) var sum: Int

    package init(bounds: HistogramBounds, counts: [Int], sum: Int) {
        precondition(counts.count == bounds.values.count + 1, "a count for each bucket")
        self.bounds = bounds
        self.counts = counts
        self.sum = sum
    }

    /// Without any values.
    package init(_ bounds: HistogramBounds) {
        self.init(bounds: bounds, counts: [Int](repeating: 0, count: bounds.values.count + 1), sum: 0)
    }

    package var count: Int { counts.reduce(0, &+) }

    /// - Precondition: the bounds are equal.
    package mutating func add(_ other: HistogramMetrics) {
        precondition(bounds == other.bounds, "only histograms of the same bounds add up")
        for index in counts.indices { counts[index] &+= other.counts[index] }
        sum &+= other.sum
    }
}
