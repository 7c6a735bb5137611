import WaymarkBytes

/// The traces of the installation's origin that are sent to the service.
struct DeferredClaim: Sendable {
    let referrer: String?
    let clipboard: String?

    /// Keeps only data that comes from the service: a referrer with a click ID, and clipboard text that is a link to
    /// one of the hosts and has a click ID. A link without a click ID (copied from a message, for example) can't
    /// match and would use up the installation's only claim. Anything else on the clipboard is private.
    init(referrer: String?, clipboard: String?, hosts: LinkHosts) {
        self.referrer = referrer.flatMap { Self.clickID(inReferrer: $0) == nil ? nil : $0 }
        self.clipboard = clipboard.flatMap { text in
            let link = Self.trimmed(text)
            guard link.utf8.count <= Self.lengthLimit, link.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
                return nil
            }
            let url = DeepLinkURL(link)
            // The service's links have no user name. A link with one may also have a password.
            guard hosts.contains(hostOf: url), url.authority?.utf8.contains(UInt8(ascii: "@")) == false,
                url.separatingServiceParameters().service.clickID != nil
            else {
                return nil
            }
            return link
        }
    }

    /// In bytes. Play's referrers and smart links are shorter.
    private static let lengthLimit = 4_096

    /// True if there is nothing that identifies the installation to the service.
    var isEmpty: Bool { referrer == nil && clipboard == nil }

    /// The click that led to the installation, if it can be read on the device.
    var clickID: String? {
        referrer.flatMap(Self.clickID(inReferrer:))
            ?? clipboard.flatMap { DeepLinkURL($0).separatingServiceParameters().service.clickID }
    }

    /// Reads the item `waymark` of Play's referrer. Some callers pass the referrer still percent-encoded.
    private static func clickID(inReferrer text: String) -> String? {
        guard text.utf8.count <= lengthLimit else { return nil }
        for text in [text, PercentEncoding.decodeWholeText(text[...], plusIsSpace: false)] {
            for item in text.utf8.split(separator: UInt8(ascii: "&")) {
                let item = Substring(item)
                guard item.utf8.starts(with: "waymark=".utf8) else { continue }
                let value = PercentEncoding.decodeWholeText(item.dropFirst("waymark=".count), plusIsSpace: true)
                if !value.isEmpty { return value }
            }
        }
        return nil
    }

    private static func trimmed(_ text: String) -> String {
        let isSpace: (Character) -> Bool = { $0.isWhitespace }
        guard let start = text.firstIndex(where: { !isSpace($0) }), let end = text.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(text[start...end])
    }
}
