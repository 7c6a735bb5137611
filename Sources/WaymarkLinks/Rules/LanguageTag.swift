import WaymarkBytes

/// A language and, where it is told, the region whose variety it is: `en`, `pt-BR`, `es-419`. Scripts and variants are
/// left out, so that few people share none with anybody.
@usableFromInline
package struct LanguageTag: RawRepresentable, Hashable, Sendable {
    /// The letters, starting at the lowest byte; the rest is zero.
    @usableFromInline package let rawValue: UInt64

    @inlinable package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// - Parameter text: an entry of `Accept-Language` (RFC 5646); nil if it does not begin with a language.
    package init?(_ text: String) {
        let subtags = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard let language = subtags.first, (2...3).contains(language.count), language.allSatisfy(\.isLetter)
        else { return nil }
        var bytes = language.map(\.lowercased)
        // Only extensions and private subtags follow a single-character subtag (RFC 5646, section 2.1).
        let region = subtags.dropFirst().prefix { $0.count > 1 }.first { subtag in
            subtag.count == 2 && subtag.allSatisfy(\.isLetter)
                || subtag.count == 3 && subtag.allSatisfy(\.isDigit)
        }
        if let region {
            bytes.append(UInt8(ascii: "-"))
            bytes.append(contentsOf: region.map { $0.isDigit ? $0 : $0 & 0xDF })
        }
        rawValue = bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    package var text: String {
        var bytes: [UInt8] = []
        var rest = rawValue
        while rest > 0 {
            bytes.append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
