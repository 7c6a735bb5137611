/// A click as an app finds it at its first start, without having been opened by it.
package struct DeferredClick: Sendable, Equatable {
    /// The click's id as it stands there; whether it is one is not known.
    package let clickID: String
    /// What stood behind `?` beside the id, where a whole smart link was found.
    package let query: String?

    /// Out of Play's install referrer: `waymark=<click id>&deeplink=…&utm_…`.
    ///
    /// Play hands the referrer out decoded once; where an app passes it on as it stood in Play's address, it is decoded
    /// here.
    package init?(referrer: String) {
        let raw = Array(referrer.utf8.prefix(Self.longest))
        let value =
            Self.value(of: "waymark", in: raw)
            ?? (raw.contains(UInt8(ascii: "="))
                ? nil : Self.value(of: "waymark", in: PercentEncoding.decode(raw, plusIsSpace: false)))
        guard let value else { return nil }
        clickID = value
        query = nil
    }

    /// Out of the clipboard, where the page of a smart link has put `https://<domain>/<slug>?…&_hk_cid=<click id>`.
    ///
    /// Whatever else lies there gives nil: what a person has copied is none of the service's business.
    package init?(clipboard: String) {
        let text = clipboard.utf8.prefix(Self.longest + 1)
        guard text.count <= Self.longest else { return nil }
        var trimmed = Array(text)[...]
        while let last = trimmed.last, Self.isSpace(last) { trimmed = trimmed.dropLast() }
        while let first = trimmed.first, Self.isSpace(first) { trimmed = trimmed.dropFirst() }
        guard let url = WebURL(String(decoding: trimmed, as: UTF8.self)), let query = url.query,
            let id = Self.value(of: "_hk_cid", in: Array(query.utf8))
        else { return nil }
        clickID = id
        self.query = query
    }

    private static let longest = 8192

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// The first of that name.
    private static func value(of name: String, in pairs: [UInt8]) -> String? {
        for pair in pairs.split(separator: UInt8(ascii: "&")) {
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { continue }
            if PercentEncoding.text(pair[..<equals]) == name { return PercentEncoding.text(pair[(equals + 1)...]) }
        }
        return nil
    }
}
