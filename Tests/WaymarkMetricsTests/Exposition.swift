/// A reader of Prometheus' text format, as strict as its description: what it does not take throws.
struct Exposition {
    struct Malformed: Error, CustomStringConvertible {
        let description: String
    }

    struct Sample: Equatable {
        let name: String
        let labels: [String: String]
        let value: Double
    }

    struct Family {
        let name: String
        let help: String
        let type: String
        var samples: [Sample] = []
    }

    private(set) var families: [Family] = []

    init(_ text: String) throws {
        guard text.isEmpty || text.hasSuffix("\n") else { throw Malformed(description: "the last line has no end") }
        var help: (name: String, text: String)?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            if line.hasPrefix("# HELP ") {
                let words = line.dropFirst(7).split(separator: " ", maxSplits: 1)
                guard words.count == 2, help == nil else { throw Malformed(description: "HELP: \(line)") }
                help = (String(words[0]), String(words[1]))
            } else if line.hasPrefix("# TYPE ") {
                let words = line.dropFirst(7).split(separator: " ").map(String.init)
                guard words.count == 2, let given = help, given.name == words[0],
                    ["counter", "gauge", "histogram"].contains(words[1]),
                    !families.contains(where: { $0.name == words[0] })
                else { throw Malformed(description: "TYPE: \(line)") }
                families.append(Family(name: words[0], help: given.text, type: words[1]))
                help = nil
            } else {
                try add(Self.sample(line), line)
            }
        }
        for family in families {
            guard !family.samples.isEmpty else { throw Malformed(description: "nothing of \(family.name)") }
            if family.type == "histogram" { try Self.checkHistograms(family) }
        }
    }

    private mutating func add(_ sample: Sample, _ line: Substring) throws {
        guard let last = families.indices.last else { throw Malformed(description: "no family: \(line)") }
        let family = families[last]
        let names =
            family.type == "histogram" ? ["_bucket", "_sum", "_count"].map { family.name + $0 } : [family.name]
        guard names.contains(sample.name) else { throw Malformed(description: "of another family: \(line)") }
        guard !family.samples.contains(where: { $0.name == sample.name && $0.labels == sample.labels }) else {
            throw Malformed(description: "twice: \(line)")
        }
        families[last].samples.append(sample)
    }

    /// `name{label="value",…} value`, with the escapes of label values undone.
    private static func sample(_ line: Substring) throws -> Sample {
        var rest = line
        func fail() -> Malformed { Malformed(description: "sample: \(line)") }
        let name = String(rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
        rest.removeFirst(name.count)
        guard let first = name.first, first.isASCII, !first.isNumber, name.allSatisfy(\.isASCII) else { throw fail() }
        var labels: [String: String] = [:]
        if rest.first == "{" {
            repeat {
                rest.removeFirst()
                let label = String(rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
                rest.removeFirst(label.count)
                guard !label.isEmpty, rest.hasPrefix("=\"") else { throw fail() }
                rest.removeFirst(2)
                var value = ""
                while let character = rest.first, character != "\"" {
                    rest.removeFirst()
                    if character == "\\" {
                        guard let escaped = rest.popFirst() else { throw fail() }
                        switch escaped {
                        case "n": value += "\n"
                        case "\\", "\"": value.append(escaped)
                        default: throw fail()
                        }
                    } else {
                        value.append(character)
                    }
                }
                guard rest.popFirst() == "\"", labels.updateValue(value, forKey: label) == nil else { throw fail() }
            } while rest.first == ","
            guard rest.popFirst() == "}" else { throw fail() }
        }
        guard rest.popFirst() == " ", let value = Double(rest) else { throw fail() }
        return Sample(name: name, labels: labels, value: value)
    }

    /// Buckets ascend, count up, end with +Inf, and agree with the count; there is a sum.
    private static func checkHistograms(_ family: Family) throws {
        func fail(_ reason: String) -> Malformed { Malformed(description: "\(family.name): \(reason)") }
        let groups = Dictionary(grouping: family.samples) { $0.labels.filter { $0.key != "le" } }
        for (labels, samples) in groups {
            let buckets = samples.filter { $0.name == family.name + "_bucket" }
            let bounds = try buckets.map { bucket in
                guard let text = bucket.labels["le"], let bound = Double(text == "+Inf" ? "inf" : text) else {
                    throw fail("a bucket without a bound")
                }
                return bound
            }
            guard zip(bounds, bounds.dropFirst()).allSatisfy({ $0 < $1 }) else { throw fail("bounds don't ascend") }
            guard zip(buckets, buckets.dropFirst()).allSatisfy({ $0.value <= $1.value }) else {
                throw fail("buckets don't add up")
            }
            guard bounds.last == .infinity else { throw fail("no +Inf") }
            let count = samples.first { $0.name == family.name + "_count" }
            let sum = samples.first { $0.name == family.name + "_sum" }
            guard let count, sum != nil, count.labels == labels, sum?.labels == labels else { throw fail("no sum") }
            guard count.value == buckets.last?.value else { throw fail("the count is not that of +Inf") }
        }
    }

    subscript(name: String) -> Family? { families.first { $0.name == name } }

    /// The one sample of these labels.
    func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        families.lazy.flatMap(\.samples).first { $0.name == name && $0.labels == labels }?.value
    }
}
