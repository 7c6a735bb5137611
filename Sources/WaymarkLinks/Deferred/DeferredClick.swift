import WaymarkBytes

/// A click that an app finds on its first launch, without having been opened by it.
package struct DeferredClick: Sendable, Equatable {
    /// The click ID as found, not verified.
    package let clickID: String
    /// What the click brought.
    package let opened: OpenedSuffix?
    /// The URL that the ID belongs to if it is a long link, which is not stored.
    package let longLink: String?

    /// In Play's referrer, the long link's URL.
    static let longLinkName = "waymark_link"
    /// In Play's referrer, the fragment, which only the page that leads to the store knows.
    static let fragmentName = "waymark_fragment"

    /// Reads Play's install referrer: `waymark=<click id>&deeplink=…&utm_…`.
    ///
    /// Play decodes the referrer once; if an app passes it on still encoded, as in Play's URL, it is decoded here.
    package init?(referrer: String) {
        let raw = Array(referrer.utf8.prefix(Self.longest))
        let pairs = raw.contains(UInt8(ascii: "=")) ? raw : PercentEncoding.decodeLeniently(raw, plusIsSpace: false)
        guard let value = Self.value(of: "waymark", in: pairs) else { return nil }
        let click = ClickID.split(value)
        clickID = click.id
        var opened = click.opened
        if let fragment = Self.value(of: Self.fragmentName, in: pairs),
            fragment.utf8.count <= OpenedSuffix.maximumBytes
        {
            opened = opened ?? OpenedSuffix()
            opened?.fragment = fragment
        }
        self.opened = opened
        longLink = Self.value(of: Self.longLinkName, in: pairs)
    }

    /// Reads the clipboard, where a smart link's page has copied `https://<domain>/<slug>?…&_hk_cid=<click id>`.
    ///
    /// Nil for anything else, which is private.
    package init?(clipboard: String) {
        let text = clipboard.utf8.prefix(Self.longest + 1)
        guard text.count <= Self.longest else { return nil }
        var trimmed = Array(text)[...]
        while let last = trimmed.last, Self.isSpace(last) { trimmed = trimmed.dropLast() }
        while let first = trimmed.first, Self.isSpace(first) { trimmed = trimmed.dropFirst() }
        guard let url = WebURL(String(decoding: trimmed, as: UTF8.self)), let query = url.query,
            let id = Self.value(of: "_hk_cid", in: Array(query.utf8))
        else { return nil }
        let click = ClickID.split(id)
        clickID = click.id
        opened = OpenedSuffix(path: click.opened?.path ?? "", query: query, fragment: url.fragment)
        longLink = url.isLongLink ? url.text : nil
    }

    private static let longest = 8192

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// The first value with this name.
    private static func value(of name: String, in pairs: [UInt8]) -> String? {
        for pair in pairs.split(separator: UInt8(ascii: "&")) {
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { continue }
            if PercentEncoding.decodeTextLeniently(pair[..<equals], plusIsSpace: true) == name {
                return PercentEncoding.decodeTextLeniently(pair[(equals + 1)...], plusIsSpace: true)
            }
        }
        return nil
    }
}
