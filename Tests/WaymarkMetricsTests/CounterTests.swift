import Testing
import WaymarkMetrics

@Suite struct CounterTests {
    @Test func noAdditionIsLostBetweenThreads() async {
        let table = CounterTable(count: 3)
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<10_000 { table.add(1, at: 1) } }
            }
        }
        #expect(table.values == [0, 80_000, 0])
    }

    @Test func readsWhatTheOwnerAdds() {
        let table = CounterTable(count: 2)
        table.addAlone(5, at: 0)
        table.addAlone(-2, at: 0)
        #expect(table[0] == 3)
        #expect(table[1] == 0)
    }

    @Test(arguments: [(0, 0), (1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (4_096, 12), (4_097, 13), (Int.max, 13)])
    func aValueFallsIntoTheFirstBucketThatHoldsIt(example: (value: Int, bucket: Int)) {
        let histogram = Histogram(.sizes)
        histogram.record(example.value)
        #expect(histogram.metrics.counts.firstIndex(of: 1) == example.bucket)
        #expect(histogram.metrics.count == 1)
        #expect(histogram.metrics.sum == example.value)
    }

    @Test func histogramsOfTheSameBoundsAddUp() {
        let (one, other) = (Histogram(.sizes), Histogram(.sizes))
        one.record(1)
        other.record(1)
        other.recordAlone(9)
        var total = HistogramMetrics(.sizes)
        total.add(one.metrics)
        total.add(other.metrics)
        #expect(total.count == 3)
        #expect(total.sum == 11)
        #expect(total.counts[0] == 2)
    }
}
