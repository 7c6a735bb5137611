import Synchronization
import WaymarkLinks
import WaymarkService

/// A template that matches a URI, and the values of its variables.
struct HokoTemplateMatch {
    let template: Template
    let variables: [String: String]
    /// The pairs that the pattern does not contain.
    let remainingQuery: [(name: String, value: String)]

    /// A route, or the URL of one platform.
    fileprivate struct Pattern {
        let scheme: String?
        let authority: String?
        let segments: [Substring]
        let query: [(name: Substring, value: Substring)]

        init(_ route: Route) {
            self.init(text: Substring(route.text), scheme: nil)
        }

        init(_ pattern: URLPattern) {
            self.init(text: Substring(pattern.text), scheme: pattern.scheme.text)
        }

        private init(text: Substring, scheme: String?) {
            var rest = text
            if let hash = rest.firstIndex(of: "#") { rest = rest[..<hash] }
            var query: Substring = ""
            if let mark = rest.firstIndex(of: "?") {
                query = rest[rest.index(after: mark)...]
                rest = rest[..<mark]
            }
            if let scheme { rest = rest.dropFirst(scheme.count + 1) }
            while scheme != nil, scheme != "http", scheme != "https", rest.hasPrefix("/") { rest = rest.dropFirst() }
            if rest.hasPrefix("//") {
                rest = rest.dropFirst(2)
                let end = rest.firstIndex(of: "/") ?? rest.endIndex
                authority = rest[..<end].lowercased()
                rest = rest[end...]
            } else {
                authority = nil
            }
            self.scheme = scheme
            segments = rest.split(separator: "/")
            self.query = query.split(separator: "&").map { pair in
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return (parts[0], parts.count > 1 ? parts[1] : "")
            }
        }

        /// A path matches the path of any pattern; a URL only patterns of the same site or the same app.
        func admits(_ uri: HokoURI, of application: Application) -> Bool {
            guard let given = uri.scheme else { return true }
            guard let scheme else { return application.allowedSchemes.contains { $0.text == given } }
            return uri.isWeb ? authority == uri.authority : scheme == given
        }

        /// The values of its variables; nil if the URI does not match.
        func values(
            in uri: HokoURI
        ) -> (variables: [String: String], rest: [(name: String, value: String)])? {
            guard segments.count == uri.segments.count else { return nil }
            var variables: [String: String] = [:]
            func take(_ part: Substring, _ value: String) -> Bool {
                guard part.first == ":" else { return part.elementsEqual(value) }
                let name = String(part.dropFirst())
                guard !value.isEmpty, variables[name] ?? value == value else { return false }
                variables[name] = value
                return true
            }
            for (part, value) in zip(segments, uri.segments) where !take(part, value) { return nil }
            var rest = uri.query
            for (name, value) in query {
                guard let index = rest.firstIndex(where: { name.elementsEqual($0.name) }),
                    take(value, rest[index].value)
                else { return nil }
                rest.remove(at: index)
            }
            return (variables, rest)
        }
    }
}

/// The patterns of an application's templates by their number of segments, so that a URI is compared with few of them.
struct HokoTemplateIndex: Sendable {
    private struct Entry {
        /// The template's place among the application's.
        let place: Int
        let isRoute: Bool
        let pattern: HokoTemplateMatch.Pattern
    }

    private let application: Application
    private let needed: [Set<String>]
    /// In the order of the templates, and for each its route first.
    private var entries: [Int: [Entry]] = [:]

    init(_ application: Application) {
        self.application = application
        needed = application.templates.map { Set($0.route.variables) }
        for (place, template) in application.templates.enumerated() {
            let urls = template.urls.sorted { $0.key.rawValue < $1.key.rawValue }
            let patterns =
                [(true, HokoTemplateMatch.Pattern(template.route))]
                + urls.map { (false, HokoTemplateMatch.Pattern($0.value.link)) }
            for (isRoute, pattern) in patterns {
                entries[pattern.segments.count, default: []].append(
                    Entry(place: place, isRoute: isRoute, pattern: pattern))
            }
        }
    }

    /// How many patterns a URI is compared with.
    func candidates(for uri: HokoURI) -> Int { entries[uri.segments.count]?.count ?? 0 }

    /// The match with the fewest variables; if several have as few, the application's first.
    func best(for uri: HokoURI) -> HokoTemplateMatch? {
        var best: HokoTemplateMatch?
        var matched: Int?
        for entry in entries[uri.segments.count] ?? [] where entry.place != matched && !(entry.isRoute && uri.isWeb) {
            // Cheap, because a template can't match with fewer variables than its route has.
            if let best, best.variables.count <= needed[entry.place].count { continue }
            guard entry.pattern.admits(uri, of: application), let (variables, rest) = entry.pattern.values(in: uri),
                Set(variables.keys) == needed[entry.place]
            else { continue }
            matched = entry.place
            best = HokoTemplateMatch(
                template: application.templates[entry.place], variables: variables, remainingQuery: rest)
        }
        return best
    }
}

/// The indexes of applications that were searched lately. Safe to use from any thread.
final class HokoTemplateIndexes: Sendable {
    private let indexes = Mutex<[ApplicationID: (of: ServedApplication, index: HokoTemplateIndex)]>([:])
    private static let limit = 64

    func index(of served: ServedApplication) -> HokoTemplateIndex {
        if let known = indexes.withLock({ $0[served.id] }), known.of === served { return known.index }
        let index = HokoTemplateIndex(served.application)
        indexes.withLock { indexes in
            if indexes.count >= Self.limit { indexes.removeAll(keepingCapacity: true) }
            indexes[served.id] = (served, index)
        }
        return index
    }
}
