import WaymarkBytes
import WaymarkLinks

/// The response to one visit.
package struct FoundVisit: Sendable, Equatable {
    package var status: Int
    package var location: String?
    package var body: [UInt8]

    package init(status: Int, location: String? = nil, body: [UInt8] = []) {
        self.status = status
        self.location = location
        self.body = body
    }

    /// For the report.
    package var text: String {
        if let location, (300..<400).contains(status) { return location }
        return status == 200 ? "a page" : "status \(status)"
    }
}

extension ExpectedVisit {
    /// Whether a visit leads where the source says. Click IDs and campaign parameters that Waymark adds make no difference.
    package func accepts(_ found: FoundVisit) -> Bool {
        if isInactive { return found.status >= 400 }
        switch found.status {
        case 200: return destinations.isEmpty || isOnPage(found.body)
        case 300..<400:
            guard let location = found.location else { return false }
            if destinations.isEmpty, appPaths.isEmpty { return true }
            if let intent = IntentURL(location) {
                return accepts(url: intent.appURL) && (intent.fallback.map(accepts) ?? true)
            }
            return accepts(url: location)
        default: return false
        }
    }

    private func accepts(url: String) -> Bool {
        if allowsStore, Self.isStore(url) { return true }
        let url = ComparedURL(url, without: addedParameters)
        return destinations.contains { ComparedURL($0, without: addedParameters) == url }
            || appPaths.contains { url.isPath($0) }
    }

    private static func isStore(_ url: String) -> Bool {
        ["https://apps.apple.com/", "https://itunes.apple.com/", "https://play.google.com/store/", "market://"]
            .contains { url.hasPrefix($0) }
    }

    /// Whether the page, which opens the app, has a destination in a URL.
    private func isOnPage(_ body: [UInt8]) -> Bool {
        let page = Self.unescaped(body)
        let texts = destinations.flatMap { destination -> [String] in
            let plain = String(destination.prefix { $0 != "#" })
            return [plain, PercentEncoding.encode(destination)]
        }
        return (texts + appPaths).contains { ByteSearch(Array($0.utf8)).isIn(page) }
    }

    /// With `&amp;` replaced, the only escape that URLs on pages need.
    private static func unescaped(_ body: [UInt8]) -> [UInt8] {
        var page: [UInt8] = []
        page.reserveCapacity(body.count)
        let escape = Array("amp;".utf8)
        var index = 0
        while index < body.count {
            page.append(body[index])
            let isEscape = body[index] == UInt8(ascii: "&") && body[(index + 1)...].starts(with: escape)
            index += isEscape ? 1 + escape.count : 1
        }
        return page
    }
}

/// A URL as far as `waymark links verify` compares it.
struct ComparedURL: Equatable {
    private let base: String
    private let pairs: [Substring]
    private let fragment: Substring

    /// - Parameter names: query parameters that are left out, beside Waymark's own.
    init(_ given: String, without names: Set<String>) {
        let text = WebURL(given)?.text ?? given
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        fragment = parts.count > 1 ? parts[1] : ""
        let halves = parts[0].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        base = Self.normal(halves[0])
        pairs =
            halves.count < 2
            ? []
            : halves[1].split(separator: "&").filter { pair in
                let name = PercentEncoding.decodeTextLeniently(pair.prefix { $0 != "=" }.utf8, plusIsSpace: true)
                return !name.hasPrefix("_hk_") && !names.contains(name)
            }
    }

    /// Scheme and host in lower case, without a trailing slash.
    private static func normal(_ text: Substring) -> String {
        var text = text
        while text.last == "/", text.dropLast().last != "/" { text.removeLast() }
        guard let scheme = text.firstRange(of: "://") else { return String(text) }
        let end = text[scheme.upperBound...].firstIndex(of: "/") ?? text.endIndex
        return text[..<end].asciiLowercased + text[end...]
    }

    /// Whether it is an app's URL with this path, in any scheme.
    func isPath(_ path: String) -> Bool {
        let expected = path.prefix { $0 != "?" && $0 != "#" }.drop { $0 == "/" }
        guard let scheme = base.firstRange(of: "://") else { return base == path }
        return Self.normal(expected[...]) == base[scheme.upperBound...] || base == Self.normal(path[...])
    }
}

/// Looks for bytes in others in linear time (Knuth, Morris, Pratt), whatever a server sends.
struct ByteSearch {
    private let pattern: [UInt8]
    /// For each length of a match, the longest shorter one that ends with it.
    private var shorter: [Int]

    init(_ pattern: [UInt8]) {
        self.pattern = pattern
        shorter = [0, 0]
        var length = 0
        for byte in pattern.dropFirst() {
            while length > 0, pattern[length] != byte { length = shorter[length] }
            if pattern[length] == byte { length += 1 }
            shorter.append(length)
        }
    }

    func isIn(_ bytes: [UInt8]) -> Bool {
        guard !pattern.isEmpty else { return true }
        var length = 0
        for byte in bytes {
            while length > 0, pattern[length] != byte { length = shorter[length] }
            if pattern[length] == byte { length += 1 }
            if length == pattern.count { return true }
        }
        return false
    }
}
