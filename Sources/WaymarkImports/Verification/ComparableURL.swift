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
        func cut(at byte: UInt8) -> ArraySlice<UInt8> {
            let index = rest.firstIndex(of: byte) ?? rest.endIndex
            defer { rest = rest[..<index] }
            return rest[index...]
        }
        fragment = String(decoding: cut(at: UInt8(ascii: "#")), as: UTF8.self)
        query = cut(at: UInt8(ascii: "?")).dropFirst().split(separator: UInt8(ascii: "&")).map {
            String(decoding: $0, as: UTF8.self)
        }
        let mark = Array("://".utf8)
        guard let colon = rest.firstIndex(of: UInt8(ascii: ":")), rest[colon...].starts(with: mark) else {
            (origin, path) = ("", String(decoding: rest, as: UTF8.self))
            return
        }
        let end = rest[(colon + mark.count)...].firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        var origin = rest[..<end].map(\.lowercased)[...]
        for (name, port) in Self.defaultPorts where origin.starts(with: name) {
            if origin.suffix(port.count).elementsEqual(port) { origin.removeLast(port.count) }
        }
        self.origin = String(decoding: origin, as: UTF8.self)
        path = end == rest.endIndex ? "/" : String(decoding: rest[end...], as: UTF8.self)
    }

    private static let defaultPorts = [("https://", ":443"), ("http://", ":80")].map {
        (Array($0.utf8), Array($1.utf8))
    }

    /// Whether the URL is `expected` with nothing added but `additions`; parameters may be in any order.
    ///
    /// - Parameter additions: values by name; nil: any value.
    func isSame(as expected: ComparableURL, additions: [String: String?]) -> Bool {
        guard origin == expected.origin, path == expected.path else { return false }
        guard fragment == expected.fragment else { return false }
        var rest: [String: Int] = [:]
        for pair in expected.query { rest[pair, default: 0] += 1 }
        for pair in query {
            if let count = rest[pair] {
                rest[pair] = count == 1 ? nil : count - 1
                continue
            }
            let rawName = pair.prefix { $0 != "=" }
            let name = PercentEncoding.decodeTextLeniently(rawName.utf8, plusIsSpace: true)
            guard let allowed = additions[name] else { return false }
            let rawValue = pair.dropFirst(rawName.count).dropFirst()
            let value = PercentEncoding.decodeTextLeniently(rawValue.utf8, plusIsSpace: true)
            guard allowed == nil || allowed == value else { return false }
        }
        return rest.isEmpty
    }

    /// Unreserved characters and colons unescaped, others that no URL contains escaped, hexadecimal digits in upper case.
    private static func normalized(_ url: String) -> [UInt8] {
        let bytes = Array(url.utf8)
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = bytes[index + 1].hexadecimalValue, let low = bytes[index + 2].hexadecimalValue
            {
                let value = high << 4 | low
                // A path of a source may have `/:id/`, which begins a variable here and is escaped then.
                if ASCIISet.unreserved.contains(value) || value == UInt8(ascii: ":") {
                    output.append(value)
                } else {
                    PercentEncoding.append(escaped: value, to: &output)
                }
                index += 3
                continue
            }
            PercentEncoding.append(CollectionOfOne(byte), allowed: .url, to: &output)
            index += 1
        }
        return output
    }
}
