// NFC and the form of international host names are tables of Unicode's, which Foundation has.
internal import Foundation
internal import WaymarkBytes

/// Text as Unicode normalises it.
enum UnicodeText {
    /// The composed form (NFC, Unicode Standard Annex 15). ASCII is returned as it is.
    static func composed(_ text: String) -> String {
        text.utf8.allSatisfy { $0 < 0x80 } ? text : text.precomposedStringWithCanonicalMapping
    }

    /// The zero-width non-joiner of Persian and Indic words, and the joiner of emoji.
    static let joiners: Set<Unicode.Scalar> = ["\u{200C}", "\u{200D}"]

    /// The A-labels of an international host name (UTS 46), as browsers send it: `xn--mller-kva.example`; nil if no
    /// browser accepts it.
    static func asciiHost(_ host: String) -> String? {
        guard !host.utf8.allSatisfy({ $0 < 0x80 }) else { return host }
        let punctuation = host.utf8.contains { $0 < 0x80 && !$0.isUnreserved }
        guard !punctuation, let url = URL(string: "https://\(host)/")?.absoluteString else { return nil }
        let ascii = url.dropFirst("https://".count).prefix { $0 != "/" }
        return ascii.utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "%") } ? String(ascii) : nil
    }
}
