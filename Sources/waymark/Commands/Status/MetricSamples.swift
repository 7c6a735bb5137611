/// The samples of a page in Prometheus' text format, version 0.0.4, as `/metrics` of a server shows them.
struct MetricSamples {
    struct Sample: Equatable {
        /// As in the text, escapes included.
        var labels: [String: String]
        var value: Double
    }

    private var samples: [String: [Sample]] = [:]

    /// Reads each line once. Comments and lines that are not samples are skipped.
    init(_ text: String) {
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: "#") {
            guard let (name, sample) = Self.sample(Substring(line)) else { continue }
            samples[name, default: []].append(sample)
        }
    }

    subscript(name: String) -> [Sample] { samples[name] ?? [] }

    /// The sum over all labels, or over the samples that have this one; nil if the page lacks the metric.
    func sum(_ name: String, _ label: (name: String, value: String)? = nil) -> Double? {
        guard let found = samples[name] else { return nil }
        let wanted = found.filter { sample in label.map { sample.labels[$0.name] == $0.value } ?? true }
        return wanted.reduce(0) { $0 + $1.value }
    }

    /// `name{label="value",…} 1.5`, and possibly a time.
    private static func sample(_ line: Substring) -> (String, Sample)? {
        let name = line.prefix { $0 != "{" && $0 != " " }
        var rest = line[name.endIndex...]
        var labels: [String: String] = [:]
        if rest.first == "{" {
            rest.removeFirst()
            while rest.first != "}" {
                guard let equals = rest.firstIndex(of: "=") else { return nil }
                let label = rest[..<equals]
                rest = rest[equals...].dropFirst()
                guard rest.first == "\"", let end = endOfString(rest) else { return nil }
                labels[String(label)] = String(rest[rest.index(after: rest.startIndex)..<end])
                rest = rest[end...].dropFirst()
                if rest.first == "," { rest.removeFirst() }
            }
            rest.removeFirst()
        }
        guard !name.isEmpty, let value = rest.split(separator: " ").first.flatMap({ Double($0) }) else { return nil }
        return (String(name), Sample(labels: labels, value: value))
    }

    /// The index of the quotation mark that ends the string that begins here.
    private static func endOfString(_ text: Substring) -> Substring.Index? {
        var index = text.index(after: text.startIndex)
        while index < text.endIndex, text[index] != "\"" {
            if text[index] == "\\" { text.formIndex(after: &index) }
            guard index < text.endIndex else { return nil }
            text.formIndex(after: &index)
        }
        return index < text.endIndex ? index : nil
    }
}
