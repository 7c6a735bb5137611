import WaymarkJSON
import WaymarkKit

/// A route prepared for matching, which has several stages.
struct MobileDeepLinkingRoute: Sendable {
    let route: MobileDeepLinkingConfiguration.Route
    /// The text between the slashes of the path, including empty segments; the first is compared with the host.
    let segments: [String]

    private let patterns: [String: Pattern]
    private let known: Set<String>

    init(_ route: MobileDeepLinkingConfiguration.Route, patterns: [String: Pattern]) {
        self.route = route
        self.patterns = patterns
        segments = route.pattern[...].split(at: UInt8(ascii: "/")).map { String($0) }
        known = Set(route.parameters.map(\.name))
    }

    /// The names of the required parameters.
    var requiredNames: [String] {
        route.parameters.filter(\.isRequired).map(\.name)
    }

    /// The values of path and query; nil if the URL does not match.
    func values(in url: MobileDeepLinkingURL) -> [String: String]? {
        guard let path = pathValues(in: url), let query = queryValues(in: url.queryItems) else { return nil }
        let values = path.merging(query) { _, query in query }
        return requiredNames.allSatisfy { values[$0] != nil } ? values : nil
    }

    /// Stage 1: the path only. A segment equal to the variable's own spelling matches but yields no value.
    func pathValues(in url: MobileDeepLinkingURL) -> [String: String]? {
        guard let first = segments.first, !first.isEmpty, first == url.host,
            segments.count == url.segments.count + 1
        else { return nil }
        var values: [String: String] = [:]
        for (segment, value) in zip(segments.dropFirst(), url.segments) where ExactText(segment) != ExactText(value) {
            guard segment.utf8.first == UInt8(ascii: ":") else { return nil }
            let name = String(segment.unicodeScalars.dropFirst())
            guard accepts(value, for: name) else { return nil }
            values[name] = value
        }
        return values
    }

    /// Stage 2: the query items that the route lists; others are ignored. The last of duplicate names wins, but all
    /// of them must be valid.
    func queryValues(in items: [(name: String, value: String)]) -> [String: String]? {
        var values: [String: String] = [:]
        for (name, value) in items where known.contains(name) {
            guard accepts(value, for: name) else { return nil }
            values[name] = value
        }
        return values
    }

    /// Whether the value matches the parameter's regular expression, if it has one.
    func accepts(_ value: String, for name: String) -> Bool {
        patterns[name]?.matches(value) ?? true
    }
}
