import WaymarkLinks

/// A template that matches a URI, and the values of its variables.
struct HokoTemplateMatch {
    let template: Template
    let variables: [String: String]
    /// The pairs that the pattern does not contain.
    let remainingQuery: [(name: String, value: String)]

    /// The match with the fewest variables; if several have as few, the application's first.
    static func best(for uri: HokoURI, in application: Application) -> HokoTemplateMatch? {
        var best: HokoTemplateMatch?
        for template in application.templates {
            guard let match = match(uri, template, in: application) else { continue }
            if best.map({ match.variables.count < $0.variables.count }) ?? true { best = match }
        }
        return best
    }

    private static func match(_ uri: HokoURI, _ template: Template, in application: Application) -> HokoTemplateMatch? {
        var patterns: [Pattern] = []
        if !uri.isWeb { patterns.append(Pattern(template.route)) }
        let entries = template.urls.sorted { $0.key.rawValue < $1.key.rawValue }
        patterns += entries.map { Pattern($0.value.link) }
        let needed = Set(template.route.variables)
        for pattern in patterns where pattern.admits(uri, of: application) {
            guard let (variables, rest) = pattern.values(in: uri), Set(variables.keys) == needed else { continue }
            return HokoTemplateMatch(template: template, variables: variables, remainingQuery: rest)
        }
        return nil
    }

    /// A route, or the URL of one platform.
    private struct Pattern {
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
