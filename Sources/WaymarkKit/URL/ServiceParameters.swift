import WaymarkBytes

/// The service's own parameters in a deep link's query: the items whose names begin with `_hk_`.
///
/// WaymarkKit removes them from a URL before any routing dialect reads it, so routes, templates and handlers never
/// see them.
public struct ServiceParameters: Sendable, Hashable {
    /// The click that led to the link (`_hk_cid`), decoded; nil if absent or empty. For 30 days it can be used in
    /// place of the smart link to fetch metadata.
    public var clickID: String?
    /// The smart link without a click (`_hk_sid`), decoded; nil if absent or empty. Set by older services, not by
    /// Waymark.
    public var smartlinkID: String?
    /// Whether the link has metadata to fetch: the item `_hk_md` is present, with or without a value.
    public var needsMetadata: Bool

    /// Creates parameters. Default: none.
    public init(clickID: String? = nil, smartlinkID: String? = nil, needsMetadata: Bool = false) {
        self.clickID = clickID
        self.smartlinkID = smartlinkID
        self.needsMetadata = needsMetadata
    }

    /// The prefix of these items' names, decoded and compared exactly.
    public static let prefix = "_hk_"
}

extension DeepLinkURL {
    /// Removes the items whose names begin with `_hk_` from the query.
    ///
    /// The rest is unchanged and in order. If nothing remains, the `?` is also removed; a query without such items is
    /// unchanged, even if empty. The last of duplicate items wins, because the service appends its own after the
    /// link's.
    public func separatingServiceParameters() -> (url: DeepLinkURL, service: ServiceParameters) {
        var service = ServiceParameters()
        // Fast path: most URLs have none.
        guard let query, query.utf8.contains(where: { $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "%") }) else {
            return (self, service)
        }
        var kept: [Substring] = []
        var isChanged = false
        for item in query[...].split(at: UInt8(ascii: "&")) {
            let parts = QueryItem(item)
            let name = PercentEncoding.decodeWholeText(parts.name, plusIsSpace: true)
            guard name.utf8.starts(with: ServiceParameters.prefix.utf8) else {
                kept.append(item)
                continue
            }
            isChanged = true
            let value = parts.value.map { PercentEncoding.decodeWholeText($0, plusIsSpace: true) } ?? ""
            switch name {
            case "_hk_cid": service.clickID = value.isEmpty ? nil : value
            case "_hk_sid": service.smartlinkID = value.isEmpty ? nil : value
            case "_hk_md": service.needsMetadata = true
            default: break
            }
        }
        guard isChanged else { return (self, service) }
        let rest = kept.joined(separator: "&")
        return (
            DeepLinkURL(
                scheme: scheme, authority: authority, path: path, query: kept.isEmpty ? nil : rest, fragment: fragment),
            service
        )
    }
}
