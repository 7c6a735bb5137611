import WaymarkBytes

/// A URL in a form in which spellings of the same URL are equal.
struct ComparableURL: Equatable {
    /// Scheme, host and port.
    let origin: String
    let path: String
    let query: [String]
    let fragment: String

    init(_ url: String) {
        var rest = Self.normalized(url)[...]
        var fragment = ""
        if let hash = rest.firstIndex(of: "#") {
            fragment = String(rest[hash...])
            rest = rest[..<hash]
        }
        self.fragment = fragment
        var query: [String] = []
        if let mark = rest.firstIndex(of: "?") {
            query = rest[rest.index(after: mark)...].split(separator: "&").map(String.init)
            rest = rest[..<mark]
        }
        self.query = query
        guard let scheme = rest.firstRange(of: "://") else {
            (origin, path) = ("", String(rest))
            return
        }
        let host = rest[scheme.upperBound...].prefix { $0 != "/" }
        var origin = rest[..<host.endIndex].lowercased()
        for (name, port) in [("https://", ":443"), ("http://", ":80")] where origin.hasPrefix(name) {
            if origin.hasSuffix(port) { origin.removeLast(port.count) }
        }
        self.origin = origin
        path = host.endIndex == rest.endIndex ? "/" : String(rest[host.endIndex...])
    }

    /// Whether the URL is `expected` with nothing added but `additions`, in any place of its query.
    ///
    /// - Parameter additions: values by name; nil: any value.
    func isSame(as expected: ComparableURL, additions: [String: String?]) -> Bool {
        guard origin == expected.origin, path == expected.path else { return false }
        guard fragment == expected.fragment else { return false }
        var rest = expected.query[...]
        for pair in query {
            if pair == rest.first {
                rest = rest.dropFirst()
                continue
            }
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = PercentEncoding.decodeTextLeniently(parts[0].utf8, plusIsSpace: true)
            guard let allowed = additions[name] else { return false }
            let value = parts.count > 1 ? PercentEncoding.decodeTextLeniently(parts[1].utf8, plusIsSpace: true) : ""
            guard allowed == nil || allowed == value else { return false }
        }
        return rest.isEmpty
    }

    /// Unreserved characters unescaped, others that no URL contains escaped, hexadecimal digits in upper case.
    private static func normalized(_ url: String) -> String {
        let bytes = Array(url.utf8)
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "%"), index + 2 < bytes.count,
                let value = UInt8(String(decoding: bytes[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
            {
                if ASCIISet.unreserved.contains(value) {
                    output.append(value)
                } else {
                    PercentEncoding.append(escaped: value, to: &output)
                }
                index += 3
                continue
            }
            if byte <= 0x20 || byte >= 0x7F || "\"<>\\^`{|}".utf8.contains(byte) {
                PercentEncoding.append(escaped: byte, to: &output)
            } else {
                output.append(byte)
            }
            index += 1
        }
        return String(decoding: output, as: UTF8.self)
    }
}
