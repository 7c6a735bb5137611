extension LinkContent {
    /// The route that needs a template of the application: a link with URLs of its own needs none.
    package var templateRoute: String? { urls.isEmpty ? route?.text : nil }

    /// Whether the literal text stands in the route or in one of the destinations.
    package func isFound(by search: LiteralSearch) -> Bool {
        if let route, search.isFound(in: route.text) { return true }
        return (Array(urls.values) + rules.flatMap(\.entries)).contains { entry in
            if search.isFound(in: entry.link.text) { return true }
            if case .url(let fallback)? = entry.fallback { return search.isFound(in: fallback.text) }
            return false
        }
    }
}

extension Link {
    /// Whether a listing of that text gives this link.
    package func isFound(by search: LiteralSearch) -> Bool {
        search.isFound(in: slug.text) || content.isFound(by: search)
    }
}
