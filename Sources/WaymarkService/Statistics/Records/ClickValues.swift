import WaymarkLinks
package import WaymarkStores

/// Counts the values of one field in an interval, in bounded memory.
///
/// Visitors control some fields, such as the referrer's host. If there are too many distinct values, the least
/// frequent so far are merged into the rest; frequent ones are kept.
package struct ClickValues: Sendable {
    /// Maximum number of distinct values while counting.
    static let capacity = 10_000

    private var counts: [String?: ClickCount] = [:]
    private var rest = ClickCount()

    package init() {}

    package mutating func add(_ count: ClickCount, of value: String?) {
        guard value != ClickField.rest else { return rest += count }
        counts[value, default: ClickCount()] += count
        if counts.count > Self.capacity { keep(Self.capacity / 2) }
    }

    /// Adds clicks whose values are not known.
    mutating func add(rest count: ClickCount) { rest += count }

    /// The values with the most clicks of people first.
    package mutating func mostPeople(limit: Int) -> [ClickSeries.Value] {
        let sorted = counts.sorted {
            ($1.value.people, $1.value.bots, $0.key == nil ? 0 : 1, $0.key ?? "")
                < ($0.value.people, $0.value.bots, $1.key == nil ? 0 : 1, $1.key ?? "")
        }
        return sorted.prefix(limit).map { ClickSeries.Value(value: $0.key, count: $0.value) }
    }

    /// The most frequent values first; equally frequent ones by name, with "no value" first.
    mutating func settled(limit: Int) -> (values: [ClickSeries.Value], rest: ClickCount?) {
        keep(limit)
        return (ordered.map { ClickSeries.Value(value: $0.key, count: $0.value) }, rest.sum > 0 ? rest : nil)
    }

    private var ordered: [(key: String?, value: ClickCount)] {
        counts.sorted {
            ($1.value.sum, $0.key == nil ? 0 : 1, $0.key ?? "") < ($0.value.sum, $1.key == nil ? 0 : 1, $1.key ?? "")
        }
    }

    private mutating func keep(_ limit: Int) {
        guard counts.count > limit else { return }
        for entry in ordered.dropFirst(limit) {
            rest += entry.value
            counts[entry.key] = nil
        }
    }
}
