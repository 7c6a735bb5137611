import Testing
import WaymarkMetrics

@Suite struct PrometheusTextTests {
    private func text<Source>(_ families: [MetricFamily<Source>], _ source: Source) -> String {
        var text = PrometheusText()
        text.append(families, from: source)
        return text.text
    }

    @Test func writesHelpAndTypeOnceAndThenTheSamples() {
        let families: [MetricFamily<Int>] = [
            .counter("visits_total", "Visits.") { $0 },
            .gauges("doors", by: "state", "Doors.") { [("open", $0), ("shut", 0)] },
        ]
        #expect(
            text(families, 7) == """
                # HELP visits_total Visits.
                # TYPE visits_total counter
                visits_total 7
                # HELP doors Doors.
                # TYPE doors gauge
                doors{state="open"} 7
                doors{state="shut"} 0

                """)
    }

    @Test func addsBucketsUpAndEndsWithInfinity() {
        let histogram = Histogram(HistogramBounds(.nanoseconds, [1_000, 2_500, 10_000_000_000]))
        for value in [1, 1_000, 1_001, 2_000_000_000, 11_000_000_001] { histogram.recordAlone(value) }
        let families: [MetricFamily<Void>] = [.histogram("wait_seconds", "Waits.") { histogram.metrics }]
        #expect(
            text(families, ()) == """
                # HELP wait_seconds Waits.
                # TYPE wait_seconds histogram
                wait_seconds_bucket{le="0.000001"} 2
                wait_seconds_bucket{le="0.0000025"} 3
                wait_seconds_bucket{le="10"} 4
                wait_seconds_bucket{le="+Inf"} 5
                wait_seconds_sum 13.000002003
                wait_seconds_count 5

                """)
    }

    @Test(arguments: ["plain", "a\"b", "a\\b", "a\nb", "\\n", "ü \u{1F600}", "a,b=\"c\"}", ""])
    func labelValuesAndHelpComeBackAsTheyWere(value: String) throws {
        let families: [MetricFamily<Void>] = [.gauges("doors", by: "name", "One\nline \\ two.") { [(value, 1)] }]
        let written = text(families, ())
        #expect(written.split(separator: "\n").count == 3)
        let read = try Exposition(written)
        #expect(read.value("doors", ["name": value]) == 1)
        #expect(read["doors"]?.help == "One\\nline \\\\ two.")
    }

    @Test func leavesOutFamiliesWithoutSamples() {
        let families: [MetricFamily<Void>] = [
            .histogram("wait_seconds", "Waits.") { nil }, .gauges("doors", by: "name", "Doors.") { [] },
        ]
        #expect(text(families, ()) == "")
    }

    @Test func severalHistogramsOfAFamilyShareItsHelp() throws {
        let one = Histogram(.sizes)
        let families: [MetricFamily<Void>] = [
            .histograms("batch", by: "kind", "Batches.") { [("a", one.metrics), ("b", one.metrics)] }
        ]
        one.record(3)
        let read = try Exposition(text(families, ()))
        #expect(read.families.count == 1)
        #expect(read.value("batch_bucket", ["kind": "b", "le": "4"]) == 1)
        #expect(read.value("batch_bucket", ["kind": "a", "le": "2"]) == 0)
        #expect(read.value("batch_sum", ["kind": "a"]) == 3)
    }
}
