/// Metrics in Prometheus' text format, version 0.0.4: for each family its help and its type once, then its samples.
package struct PrometheusText {
    package static let contentType: StaticString = "text/plain; version=0.0.4; charset=utf-8"

    package private(set) var text = ""

    package init() {}

    /// Appends the families' samples, read from the source. A family without samples is omitted.
    package mutating func append<Source>(_ families: [MetricFamily<Source>], from source: Source) {
        for family in families {
            let samples = family.samples(source)
            guard !samples.isEmpty else { continue }
            text += "# HELP \(family.name) \(Self.escaped(family.help, quotes: false))\n"
            text += "# TYPE \(family.name) \(family.kind.rawValue)\n"
            for sample in samples { append(sample, of: family.name) }
        }
    }

    private mutating func append(_ sample: MetricSample, of name: String) {
        let labels = sample.labels.map { "\($0.name)=\"\(Self.escaped($0.value, quotes: true))\"" }
        switch sample.value {
        case .number(let number): line(name, labels, "\(number)")
        case .duration(let nanoseconds): line(name, labels, Self.number(nanoseconds, in: .nanoseconds))
        case .histogram(let metrics):
            var count = 0
            for (bound, more) in zip(metrics.bounds.values, metrics.counts) {
                count &+= more
                line(name + "_bucket", labels + ["le=\"\(Self.number(bound, in: metrics.bounds.unit))\""], "\(count)")
            }
            // From the same snapshot as the buckets, so that they are always consistent.
            line(name + "_bucket", labels + ["le=\"+Inf\""], "\(metrics.count)")
            line(name + "_sum", labels, Self.number(metrics.sum, in: metrics.bounds.unit))
            line(name + "_count", labels, "\(metrics.count)")
        }
    }

    private mutating func line(_ name: String, _ labels: [String], _ value: String) {
        text += labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels.joined(separator: ","))} \(value)\n"
    }

    /// Exact decimals, because floating point would format a bound as 9.999999999999999e-05.
    private static func number(_ value: Int, in unit: HistogramBounds.Unit) -> String {
        guard unit == .nanoseconds else { return "\(value)" }
        let magnitude = value.magnitude
        let (seconds, rest) = magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
        var fraction = String(rest + 1_000_000_000).dropFirst()
        while fraction.last == "0" { fraction.removeLast() }
        return (value < 0 ? "-" : "") + "\(seconds)" + (fraction.isEmpty ? "" : ".\(fraction)")
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
