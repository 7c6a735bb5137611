import WaymarkBytes

/// The query parameters of a click that may be forwarded: at most 50 pairs and 2 KiB, in order. The rest is dropped,
/// including all `_hk_…`, which only the service sets. The remaining ones can't end the query or the URL that they
/// are added to.
package struct ClickQuery: Sendable, Equatable {
    package struct Pair: Sendable, Equatable {
        /// Decoded for comparison: `utm%5Fsource` is `utm_source`.
        package let name: String
        /// Decoded; empty without `=`.
        package let value: String
        /// The forwarded form, with valid escapes unchanged.
        let encoded: [UInt8]
    }

    package private(set) var pairs: [Pair]
    /// Whether this stands for any query: URLs get marks where the parameters of a click go (`QueryPlace`).
    private(set) var isAny = false
    /// Of any query: the names that are left out.
    private(set) var leftOut: Set<String> = []

    static var any: ClickQuery {
        var query = ClickQuery("")
        query.isAny = true
        return query
    }

    package static let maximumPairs = 50
    package static let maximumBytes = 2048

    /// - Parameter raw: the request target's query without `?`; any text is accepted.
    package init(_ raw: String) {
        var pairs: [Pair] = []
        var bytes = 0
        for part in raw.utf8.split(separator: UInt8(ascii: "&")) {
            let equals = part.firstIndex(of: UInt8(ascii: "="))
            let name = PercentEncoding.decodeTextLeniently(part[..<(equals ?? part.endIndex)], plusIsSpace: true)
            guard !name.isEmpty, !ClickQuery.isReserved(name), !ClickQuery.holdsControlCharacters(part) else {
                continue
            }
            let encoded = ClickQuery.sound(part)
            bytes += encoded.count + 1
            guard pairs.count < ClickQuery.maximumPairs, bytes <= ClickQuery.maximumBytes + 1 else { break }
            let value =
                equals.map { PercentEncoding.decodeTextLeniently(part[part.index(after: $0)...], plusIsSpace: true) }
                ?? ""
            pairs.append(Pair(name: name, value: value, encoded: encoded))
        }
        self.pairs = pairs
    }

    /// As in a URL, without `?`; nil if there are none.
    var text: String? {
        pairs.isEmpty ? nil : String(decoding: Array(pairs.map(\.encoded).joined(separator: "&".utf8)), as: UTF8.self)
    }

    /// Removes the parameters with these names.
    mutating func leaveOut(_ names: Set<String>) {
        pairs.removeAll { names.contains($0.name) }
        if isAny { leftOut.formUnion(names) }
    }

    /// Whether a raw query has a control character, including an encoded one: such a request is rejected.
    package static func holdsControlCharacters(_ raw: String) -> Bool { holdsControlCharacters(raw.utf8) }

    private static func holdsControlCharacters(_ raw: some Collection<UInt8>) -> Bool {
        PercentEncoding.decodeLeniently(raw).contains(where: \.isControl)
    }

    /// Case-insensitive, because readers may ignore case.
    static func isReserved(_ name: String) -> Bool {
        name.utf8.count >= 4 && zip(name.utf8, "_hk_".utf8).allSatisfy { $0.lowercased == $1 }
    }

    /// A URL without the parameters that only the service sets.
    package static func withoutReserved(_ url: String) -> String {
        let beforeFragment = url.prefix { $0 != "#" }
        guard let mark = beforeFragment.firstIndex(of: "?") else { return url }
        let pairs = beforeFragment[beforeFragment.index(after: mark)...].split(
            separator: "&", omittingEmptySubsequences: false)
        let kept = pairs.filter { !isReserved(String($0)) }
        guard kept.count < pairs.count else { return url }
        let query = kept.isEmpty ? "" : "?" + kept.joined(separator: "&")
        return url[..<mark] + query + url[beforeFragment.endIndex...]
    }

    /// Encodes everything that RFC 3986 does not allow in a query, as well as the semicolon, which ends a field of an
    /// `intent:` URL, and the apostrophe, for HTML pages.
    ///
    /// - Parameter others: further characters to keep, of a part that is no pair.
    static func sound(_ part: Substring.UTF8View, keeping others: String = "") -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = part
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                let escape = rest.prefix(2)
                if escape.count == 2, escape.allSatisfy({ $0.hexadecimalValue != nil }) {
                    bytes.append(byte)
                } else {
                    PercentEncoding.append(escaped: byte, to: &bytes)
                }
            case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "*"),
                UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "="),
                UInt8(ascii: "?"), UInt8(ascii: "@"):
                bytes.append(byte)
            default:
                if others.utf8.contains(byte) {
                    bytes.append(byte)
                } else {
                    PercentEncoding.append(CollectionOfOne(byte), to: &bytes)
                }
            }
        }
        return bytes
    }
}

extension Click.Name {
    /// The campaign that a query names.
    ///
    /// - Parameter value: of `utm_campaign`, encoded; nil if it is empty or longer than 256 bytes.
    package convenience init?(campaign value: Span<UInt8>) {
        let bytes = value.indices.map { value[$0] }
        self.init(campaign: PercentEncoding.decodeTextLeniently(bytes[...], plusIsSpace: true))
    }

    /// - Parameter value: decoded.
    package convenience init?(campaign value: String) {
        guard !value.isEmpty, value.utf8.count <= 256 else { return nil }
        self.init(value, isVisitors: true)
    }
}
