import WaymarkBytes

/// The query parameters that a click brings, as far as they may be passed on: at most 50 pairs and 2 KiB, in order; the
/// rest is dropped, and so is every `_hk_…`, which only the service sets. What remains can end neither the query nor the
/// URL that it is added to.
package struct ClickQuery: Sendable, Equatable {
    package struct Pair: Sendable, Equatable {
        /// Decoded, to be compared: `utm%5Fsource` is `utm_source`.
        package let name: String
        /// Decoded; empty where there is no `=`.
        package let value: String
        /// As it is passed on, encoding kept where it was sound.
        let encoded: [UInt8]
    }

    package private(set) var pairs: [Pair]

    package static let maximumPairs = 50
    package static let maximumBytes = 2048

    /// - Parameter raw: what stands behind `?` in the request target; anything at all is taken.
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

    /// Drops the parameters of these names.
    mutating func leaveOut(_ names: Set<String>) { pairs.removeAll { names.contains($0.name) } }

    /// Whether a raw query holds a control character, also an encoded one: such a request is no one's click.
    package static func holdsControlCharacters(_ raw: String) -> Bool { holdsControlCharacters(raw.utf8) }

    private static func holdsControlCharacters(_ raw: some Collection<UInt8>) -> Bool {
        PercentEncoding.decodeLeniently(raw).contains(where: \.isControl)
    }

    /// In any case of letters: what reads it on the other side may not mind the case.
    static func isReserved(_ name: String) -> Bool {
        name.utf8.count >= 4 && zip(name.utf8, "_hk_".utf8).allSatisfy { $0.lowercased == $1 }
    }

    /// Keeps what RFC 3986 lets a query hold and encodes the rest. The semicolon is encoded too: it ends a field of an
    /// `intent:` URL; so is the apostrophe, for pages.
    private static func sound(_ part: Substring.UTF8View) -> [UInt8] {
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
                PercentEncoding.append(CollectionOfOne(byte), to: &bytes)
            }
        }
        return bytes
    }
}
