import WaymarkJSON
import WaymarkKit

/// A route with what is prepared for matching it, one stage of the matching at a time.
struct MobileDeepLinkingRoute: Sendable {
    let route: MobileDeepLinkingConfiguration.Route
    /// What stands between the slashes of the path, empty pieces included; the first is compared with the host.
    let segments: [String]

    private let patterns: [String: Pattern]
    private let known: Set<String>

    init(_ route: MobileDeepLinkingConfiguration.Route, patterns: [String: Pattern]) {
        self.route = route
        self.patterns = patterns
        segments = route.pattern[...].split(at: UInt8(ascii: "/")).map { String($0) }
        known = Set(route.parameters.map(\.name))
    }

    /// The names of the parameters that a URL must have.
    var requiredNames: [String] {
        route.parameters.filter(\.isRequired).map(\.name)
    }

    /// The values of path and query; nil where the URL does not match.
    func values(in url: MobileDeepLinkingURL) -> [String: String]? {
        guard let path = pathValues(in: url), let query = queryValues(in: url.queryItems) else { return nil }
        let values = path.merging(query) { _, query in query }
        return requiredNames.allSatisfy { values[$0] != nil } ? values : nil
    }

    /// The first stage: the path alone. A segment that is spelled like the variable itself fits it and is no value.
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

    /// The second stage: items of the query that the route knows. Others are dropped; the last of equal names counts, and
    /// every one of them must be valid.
    func queryValues(in items: [(name: String, value: String)]) -> [String: String]? {
        var values: [String: String] = [:]
        for (name, value) in items where known.contains(name) {
            guard accepts(value, for: name) else { return nil }
            values[name] = value
        }
        return values
    }

    /// Whether the parameter's regular expression, where it has one, matches the whole value.
    func accepts(_ value: String, for name: String) -> Bool {
        patterns[name]?.matches(value) ?? true
    }
}
