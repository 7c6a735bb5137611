import WaymarkAPI
import WaymarkBytes

/// The allowed schemes and variables of a URL entry.
struct URLEntryRules {
    /// The application's own; http and https are always allowed. Nil: any.
    let schemes: Set<URLScheme>?
    /// Nil: any.
    let variables: Set<String>?

    func read(
        _ drafts: [String: URLEntryRequest], at field: String, noting problems: inout ProblemList
    ) -> PlatformURLs {
        var urls: PlatformURLs = [:]
        for (name, draft) in drafts.sorted(by: { $0.key < $1.key }) {
            guard let platform = Platform(rawValue: name) else {
                let known = Platform.allCases.map(\.rawValue).joined(separator: ", ")
                problems.add("\(field).\(name.shownAsName)", "is not a platform; known are \(known)")
                continue
            }
            let link = link(draft, for: platform, at: "\(field).\(name)", noting: &problems)
            let fallback = fallback(draft.fallback, at: "\(field).\(name).fallback", noting: &problems)
            if let link { urls[platform] = URLEntry(link: link, fallback: fallback) }
        }
        return urls
    }

    private func link(
        _ draft: URLEntryRequest, for platform: Platform, at entry: String, noting problems: inout ProblemList
    ) -> URLPattern? {
        // If the entry is an object, the problem belongs to its link.
        let field = draft.fallback == nil && draft.name == nil ? entry : entry + ".link"
        guard let pattern = problems.take(field, URLPattern.check(draft.link)) else { return nil }
        if platform == .web, !pattern.isWeb { problems.add(field, "must be an http or https URL") }
        if !pattern.isWeb, platform != .web, schemes?.contains(pattern.scheme) == false {
            problems.add(field, "uses the scheme \(pattern.scheme.text), which the application does not declare")
        }
        if let variables {
            for name in pattern.variables.subtracting(variables).sorted() {
                problems.add(field, "holds the variable :\(name), which the route does not have")
            }
            if let name = pattern.misplaced(variables) {
                problems.add(field, "may hold :\(name) only as a whole path segment or a whole query value")
            }
        }
        return pattern
    }

    private func fallback(_ text: String?, at field: String, noting problems: inout ProblemList) -> Fallback? {
        switch text {
        case nil: return nil
        case "store": return .store
        case "web": return .web
        case .some(let text):
            switch WebURL.check(text) {
            case .valid(let url): return .url(url)
            case .problem(let problem):
                problems.add(field, "must be store, web or an http or https URL; it \(problem)")
                return nil
            }
        }
    }
}

extension String {
    /// An untrusted name for use in a field's path: truncated, and on one line.
    var shownAsName: String {
        // Truncated by scalars, because one character may be arbitrarily long.
        var shown = String.UnicodeScalarView()
        for scalar in unicodeScalars.prefix(64) { shown.append(scalar) }
        let text = String(shown)
        return text.holdsControlCharacters ? "?" : text
    }
}
