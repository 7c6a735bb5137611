extension LinkContent {
    /// The route that needs a template of the application: a link with URLs of its own needs none.
    package var templateRoute: String? { urls.isEmpty ? route?.text : nil }

    /// Whether the literal text stands in the route or in one of the destinations.
    package func contains(_ text: String) -> Bool {
        if let route, route.text.holds(text) { return true }
        return (Array(urls.values) + rules.flatMap(\.entries)).contains { entry in
            if entry.link.text.holds(text) { return true }
            if case .url(let fallback)? = entry.fallback { return fallback.text.holds(text) }
            return false
        }
    }
}

extension Link {
    /// Whether a listing of that `query` gives this link.
    package func isFound(by query: String) -> Bool { slug.text.holds(query) || content.contains(query) }
}

extension String {
    /// Whether `other` stands in this text, byte for byte: "literal" means that no two spellings of a letter are one.
    fileprivate func holds(_ other: String) -> Bool { Array(utf8).holds(Array(other.utf8)) }
}

extension RandomAccessCollection where Element == UInt8, Index == Int {
    /// Whether `other` stands in these bytes.
    package func holds(_ other: [UInt8]) -> Bool {
        guard let first = other.first else { return true }
        guard other.count <= count else { return false }
        var start = startIndex
        let last = endIndex - other.count
        while start <= last {
            if self[start] == first && self[start..<start + other.count].elementsEqual(other) { return true }
            start += 1
        }
        return false
    }
}
