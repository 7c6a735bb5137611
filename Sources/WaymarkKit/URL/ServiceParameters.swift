/// What the service tells the app in a deep link's query, apart from what the link itself says: the items whose names
/// begin with `_hk_`.
///
/// WaymarkKit takes them off a URL before any dialect of routes looks at it, so that no route, template or handler
/// meets them as parameters.
public struct ServiceParameters: Sendable, Hashable {
    /// The click that led here (`_hk_cid`), decoded; nil where it is absent or empty. It stands for the smart link when
    /// metadata is asked for, for 30 days.
    public var clickID: String?
    /// The smart link without a click (`_hk_sid`), decoded; nil where it is absent or empty. Waymark sets none; older
    /// services do.
    public var smartlinkID: String?
    /// Whether the link has metadata to be fetched: an item `_hk_md` is there, with any value or none.
    public var needsMetadata: Bool

    /// Parameters as given; by default none.
    public init(clickID: String? = nil, smartlinkID: String? = nil, needsMetadata: Bool = false) {
        self.clickID = clickID
        self.smartlinkID = smartlinkID
        self.needsMetadata = needsMetadata
    }

    /// How the names of these items begin, decoded and compared exactly.
    public static let prefix = "_hk_"
}

extension DeepLinkURL {
    /// Takes the items whose names begin with `_hk_` off the query.
    ///
    /// What remains is unchanged and in order. A query that held nothing else is gone with its `?`; one without such items
    /// stays as it is, an empty one too. Where an item stands twice, the last counts: the service appends its own behind
    /// the link's.
    public func separatingServiceParameters() -> (url: DeepLinkURL, service: ServiceParameters) {
        var service = ServiceParameters()
        // Most URLs have none, and every URL comes through here.
        guard let query, query.utf8.contains(where: { $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "%") }) else {
            return (self, service)
        }
        var kept: [Substring] = []
        var isChanged = false
        for item in query[...].split(at: UInt8(ascii: "&")) {
            let parts = QueryItem(item)
            let name = PercentEncoding.decoded(parts.name, plusIsSpace: true)
            guard name.utf8.starts(with: ServiceParameters.prefix.utf8) else {
                kept.append(item)
                continue
            }
            isChanged = true
            let value = parts.value.map { PercentEncoding.decoded($0, plusIsSpace: true) } ?? ""
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
