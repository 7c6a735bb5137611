import WaymarkJSON

/// Mapped routes and their targets, in HOKO's order of priority: from left to right a literal comes before a
/// variable; among formats of the same shape, the one that sorts first.
struct RouteTable<Target> {
    /// A route that matches a URL.
    struct Match {
        let format: RouteFormat
        let target: Target
        let parameters: [String: String]
    }

    private struct Entry {
        let format: RouteFormat
        let target: Target
        /// Which segments are variables, and their names.
        let variables: [(index: Int, name: String)]
    }

    let dialect: RoutingDialect
    private var entries: [Entry] = []
    private var trie = SegmentTrie()
    private var indexes: [ExactText: Int] = [:]

    init(dialect: RoutingDialect) {
        self.dialect = dialect
    }

    /// Maps the route. Returns false, and changes nothing, if it is already mapped.
    mutating func map(_ format: RouteFormat, to target: Target) -> Bool {
        let key = dialect.comparable(format.text)
        guard indexes[key] == nil else { return false }
        let index = entries.count
        indexes[key] = index
        var pattern: [SegmentTrie.Edge] = []
        var variables: [(index: Int, name: String)] = []
        for (index, segment) in format.segments.enumerated() {
            switch segment {
            case .literal(let text): pattern.append(.literal(dialect.comparable(text)))
            case .variable(let name):
                pattern.append(.variable)
                variables.append((index, name))
            }
        }
        entries.append(Entry(format: format, target: target, variables: variables))
        let entries = entries
        trie.insert(pattern, entry: index) {
            ExactText(entries[$0].format.text) < ExactText(entries[$1].format.text)
        }
        return true
    }

    /// Whether the route is mapped, ignoring redundant slashes.
    func contains(_ format: RouteFormat) -> Bool {
        indexes[dialect.comparable(format.text)] != nil
    }

    /// The target of the route with exactly this format.
    func target(of format: String) -> Target? {
        guard let index = indexes[dialect.comparable(format)],
            ExactText(entries[index].format.text) == ExactText(format)
        else { return nil }
        return entries[index].target
    }

    /// The mapped route that a service names, with its values; nil if it is not mapped or a value is missing.
    func match(_ route: String, _ values: [String: String]) -> Match? {
        let format = RouteFormat(route)
        guard let target = target(of: format.text), format.variables.allSatisfy({ values[$0] != nil }) else {
            return nil
        }
        return Match(format: format, target: target, parameters: values)
    }

    /// The first route that matches the URL.
    func match(_ url: DeepLinkURL) -> Match? {
        var steps = 0
        return match(url, steps: &steps)
    }

    func match(_ url: DeepLinkURL, steps: inout Int) -> Match? {
        matches(url, atMost: 1, steps: &steps).first
    }

    /// All routes that match the URL, in order of priority.
    func matches(_ url: DeepLinkURL) -> [Match] {
        var steps = 0
        return matches(url, atMost: .max, steps: &steps)
    }

    private func matches(_ url: DeepLinkURL, atMost limit: Int, steps: inout Int) -> [Match] {
        guard let segments = dialect.segments(of: url) else { return [] }
        var found: [Int] = []
        trie.walk(segments.map(dialect.comparable), steps: &steps) { entry in
            found.append(entry)
            return found.count == limit
        }
        return found.map { index in
            let entry = entries[index]
            var parameters: [String: String] = [:]
            for (index, name) in entry.variables { parameters[name] = segments[index] }
            return Match(format: entry.format, target: entry.target, parameters: parameters)
        }
    }

    /// The formats in order of priority across the whole table: fewer segments first, then as for one URL.
    var formats: [String] {
        entries.map { (text: ExactText($0.format.text), segments: $0.format.segments) }.sorted { left, right in
            guard left.segments.count == right.segments.count else { return left.segments.count < right.segments.count }
            for segments in zip(left.segments, right.segments) {
                switch segments {
                case (.literal, .variable): return true
                case (.variable, .literal): return false
                default: continue
                }
            }
            return left.text < right.text
        }.map(\.text.text)
    }
}
