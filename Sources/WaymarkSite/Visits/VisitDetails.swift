import WaymarkBytes
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer

/// Properties of a visitor besides the system: language, country, and the referring page.
enum VisitDetails {
    /// The preferred language as sent (`en-GB`); the first if several are equally preferred. Nil if there is none; `*`
    /// does not count.
    static func language(_ head: RequestHead, _ bytes: Span<UInt8>) -> String? {
        guard let value = head.value(.acceptLanguage) else { return nil }
        var list = QualityList(value)
        var best: ByteRange?
        var quality = 0
        while quality < 1_000, let element = list.next(in: bytes) {
            guard element.quality > quality, isTag(element.value, bytes) else { continue }
            (best, quality) = (element.value, element.quality)
        }
        return best?.text(in: bytes)
    }

    /// Letters, then subtags of letters and digits (RFC 4647 section 2.1), up to the length of tags in use.
    private static func isTag(_ range: ByteRange, _ bytes: Span<UInt8>) -> Bool {
        guard range.count >= 2, range.count <= 35 else { return false }
        var subtag = 0
        for position in range.indices {
            let byte = bytes[position]
            let isLetter = (byte | 0x20) &- 0x61 < 26
            switch byte {
            case _ where isLetter, 0x30...0x39: subtag += 1
            case UInt8(ascii: "-") where subtag > 0: subtag = 0
            default: return false
            }
            guard subtag <= 8, isLetter || position > range.indices.lowerBound else { return false }
        }
        return subtag > 0
    }

    /// The page's host or the app of `Referer` as clicks record it.
    static func referrer(_ head: RequestHead, _ bytes: Span<UInt8>) -> Click.Name? {
        referrerHost(head, bytes).map { Click.Name(referrer: $0) }
            ?? referrerApp(head, bytes).map { Click.Name(referrerApp: $0) }
    }

    /// The package of `Referer`'s `android-app:` URL, which apps on Android send with the pages that they open
    /// (Android's `Intent.URI_ANDROID_APP_SCHEME`); nil for another one.
    static func referrerApp(_ head: RequestHead, _ bytes: Span<UInt8>) -> String? {
        guard let value = head.value(.referer) else { return nil }
        let scheme = "android-app://"
        guard value.count > scheme.utf8.count else { return nil }
        var index = value.indices.lowerBound
        for byte in scheme.utf8 {
            guard bytes[index].lowercased == byte else { return nil }
            index += 1
        }
        let rest = index..<min(value.indices.upperBound, index + referrerLimit)
        let end = rest.first { [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains(bytes[$0]) }
        guard end != nil || rest.upperBound == value.indices.upperBound else { return nil }
        let package = String(decoding: (rest.lowerBound..<(end ?? rest.upperBound)).map { bytes[$0] }, as: UTF8.self)
        return AndroidPackage.isValid(package) ? package : nil
    }

    /// The host of `Referer`; nil if it is not an HTTP URL, as for links in apps.
    static func referrerHost(_ head: RequestHead, _ bytes: Span<UInt8>) -> HostName? {
        guard let value = head.value(.referer) else { return nil }
        let start = value.indices.lowerBound
        // A host has at most 253 bytes, so it ends within the first 300.
        let end = start + min(value.count, referrerLimit)
        var index = start
        for byte in "http".utf8 {
            guard index < end, bytes[index] | 0x20 == byte else { return nil }
            index += 1
        }
        if index < end, bytes[index] | 0x20 == UInt8(ascii: "s") { index += 1 }
        for byte in "://".utf8 {
            guard index < end, bytes[index] == byte else { return nil }
            index += 1
        }
        var authority: [UInt8] = []
        while index < end {
            let byte = bytes[index]
            if byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { break }
            authority.append(byte)
            index += 1
        }
        guard index < end || value.count <= referrerLimit else { return nil }
        // RFC 9110 section 10.1.3 forbids user info there.
        return HostName(hostHeader: String(decoding: authority, as: UTF8.self))
    }

    /// Maximum number of bytes of `Referer` to examine.
    private static let referrerLimit = 300

    /// The country according to a trusted proxy's field. Such proxies send `XX` or `T1` if they don't know it.
    static func country(
        _ field: HeaderName?, _ head: RequestHead, _ bytes: Span<UInt8>, from peer: Peer
    ) -> CountryCode? {
        guard let field, peer.hasTrustedFields || peer.isTrustedProxy, let value = head.value(named: field, in: bytes),
            value.count == 2
        else { return nil }
        let start = value.indices.lowerBound
        return CountryCode(bytes[start], bytes[start + 1])
    }

    /// Whether the visitor sends Do Not Track (W3C Tracking Preference Expression section 5.2) or Global Privacy
    /// Control with the value 1.
    @inline(__always)
    static func asksNotToBeFollowed(_ head: RequestHead, _ bytes: Span<UInt8>) -> Bool {
        guard head.holdsAny(of: RequestField.dnt.bit | RequestField.secGPC.bit) else { return false }
        return [RequestField.dnt, .secGPC].contains { field in
            guard let value = head.value(field), value.count >= 1 else { return false }
            return bytes[value.indices.lowerBound] == UInt8(ascii: "1")
        }
    }

    /// Explanations of the values, for people.
    ///
    /// - Parameter isCountryNamed: whether the country is from a proxy rather than from a file.
    static func why(_ visitor: Visitor, isCountryNamed: Bool) -> [String] {
        var lines: [String] = []
        if visitor.isPrefetch { lines.append("the request says that it is a prefetch") }
        if let language = visitor.language { lines.append("Accept-Language prefers \(language)") }
        if let country = visitor.country {
            lines.append(
                isCountryNamed
                    ? "the proxy names the country \(country)" : "the address is one of the country \(country)")
        }
        if let host = visitor.referrerHost { lines.append("Referer names \(host.text)") }
        if let app = visitor.referrerApp { lines.append("Referer names the app \(app)") }
        return lines
    }
}
