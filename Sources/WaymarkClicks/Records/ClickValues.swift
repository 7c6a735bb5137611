/// The values of one field that clicks of an interval have, in bounded memory.
///
/// Whoever clicks chooses what some fields say, a referrer's host for instance. Where there are too many different
/// values, those that were seen least so far go into the rest: what is clicked often stays.
struct ClickValues: Sendable {
    /// Different values that are told apart meanwhile.
    static let capacity = 10_000

    private var counts: [String?: ClickCount] = [:]
    private var rest = ClickCount()

    mutating func add(_ count: ClickCount, of value: String?) {
        counts[value, default: ClickCount()] += count
        if counts.count > Self.capacity { keep(Self.capacity / 2) }
    }

    /// The most frequent ones first; equals in the order of their names, what has no value ahead.
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
