/// One Prometheus metric: its name, its help text, and how to read its samples from `Source`, the type that holds the
/// current values.
///
///     .counter("waymark_timeouts_total", "Connections that ran into a deadline.") { $0.server.timeouts }
///
/// A list of them is the registry: nothing is registered at run time.
package struct MetricFamily<Source>: Sendable {
    package let name: String
    package let kind: MetricKind
    package let help: String
    private let read: @Sendable (Source) -> [MetricSample]

    /// - Precondition: the name is valid in Prometheus, with the suffix that its type requires.
    package init(
        _ name: String, _ kind: MetricKind, _ help: String, samples read: @escaping @Sendable (Source) -> [MetricSample]
    ) {
        precondition(MetricName.isValid(name), "not a metric's name: \(name)")
        precondition(name.hasSuffix("_total") == (kind == .counter), "counters, and only they, end in _total: \(name)")
        self.name = name
        self.kind = kind
        self.help = help
        self.read = read
    }

    package func samples(_ source: Source) -> [MetricSample] { read(source) }
}

extension MetricFamily {
    package static func counter(
        _ name: String, _ help: String, _ read: @escaping @Sendable (Source) -> Int
    ) -> MetricFamily {
        MetricFamily(name, .counter, help) { [MetricSample(read($0))] }
    }

    /// One sample for each pair, with one label.
    package static func counters(
        _ name: String, by label: String, _ help: String,
        _ read: @escaping @Sendable (Source) -> [(label: String, value: Int)]
    ) -> MetricFamily {
        MetricFamily(name, .counter, help) { source in
            read(source).map { MetricSample($0.value, [MetricLabel(label, $0.label)]) }
        }
    }

    package static func gauge(
        _ name: String, _ help: String, _ read: @escaping @Sendable (Source) -> Int
    ) -> MetricFamily {
        MetricFamily(name, .gauge, help) { [MetricSample(read($0))] }
    }

    /// No sample if there is no value.
    package static func optionalGauge(
        _ name: String, _ help: String, _ read: @escaping @Sendable (Source) -> Int?
    ) -> MetricFamily {
        MetricFamily(name, .gauge, help) { source in read(source).map { [MetricSample($0)] } ?? [] }
    }

    /// One sample for each pair, with one label.
    package static func gauges(
        _ name: String, by label: String, _ help: String,
        _ read: @escaping @Sendable (Source) -> [(label: String, value: Int)]
    ) -> MetricFamily {
        MetricFamily(name, .gauge, help) { source in
            read(source).map { MetricSample($0.value, [MetricLabel(label, $0.label)]) }
        }
    }

    /// No sample if there is no histogram.
    package static func histogram(
        _ name: String, _ help: String, _ read: @escaping @Sendable (Source) -> HistogramMetrics?
    ) -> MetricFamily {
        MetricFamily(name, .histogram, help) { source in
            read(source).map { [MetricSample(.histogram($0))] } ?? []
        }
    }

    /// One histogram for each pair, with one label.
    package static func histograms(
        _ name: String, by label: String, _ help: String,
        _ read: @escaping @Sendable (Source) -> [(label: String, metrics: HistogramMetrics)]
    ) -> MetricFamily {
        MetricFamily(name, .histogram, help) { source in
            read(source).map { MetricSample(.histogram($0.metrics), [MetricLabel(label, $0.label)]) }
        }
    }
}

package enum MetricKind: String, Sendable {
    /// Only increases, until the process ends.
    case counter
    /// A current value.
    case gauge
    case histogram
}

/// One value of a family, or one histogram.
package struct MetricSample: Sendable {
    package enum Value: Sendable {
        case number(Int)
        /// In nanoseconds; exported in seconds.
        case duration(Int)
        case histogram(HistogramMetrics)
    }

    package let value: Value
    package let labels: [MetricLabel]

    package init(_ value: Value, _ labels: [MetricLabel] = []) {
        self.value = value
        self.labels = labels
    }

    package init(_ number: Int, _ labels: [MetricLabel] = []) {
        self.init(.number(number), labels)
    }
}

/// Distinguishes the samples of one family.
package struct MetricLabel: Sendable, Equatable {
    package let name: String
    package let value: String

    /// - Parameter value: any text; it is escaped when written.
    /// - Precondition: the name is valid in Prometheus, and not reserved.
    package init(_ name: String, _ value: String) {
        precondition(MetricName.isValid(name) && !name.hasPrefix("__") && name != "le", "not a label's name: \(name)")
        self.name = name
        self.value = value
    }
}

/// Names that all versions of Prometheus accept.
enum MetricName {
    /// `[a-zA-Z_][a-zA-Z0-9_]*`; colons are reserved for the operator's recording rules.
    static func isValid(_ name: String) -> Bool {
        guard let first = name.utf8.first, !(0x30...0x39).contains(first) else { return false }
        return name.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F
        }
    }
}
