import Foundation
import WaymarkBytes
import WaymarkKit

/// The URL that opens the app where universal links don't: `<scheme>://google/link/?deep_link_id=…`. A link's page
/// opens it, and `resolveShortLink` returns it.
struct CustomSchemeLink {
    /// Nil for `<scheme>://google/link/dismiss`, which has no link.
    let link: DynamicLink?
    let clickID: String?

    /// - Returns: nil if the URL is not such a URL of one of the schemes.
    init?(_ url: DeepLinkURL, schemes: [String]) {
        guard let scheme = url.scheme?.lowercased(), schemes.contains(scheme), url.host == Self.host,
            url.segments.first == "link"
        else { return nil }
        let parameters = LinkParameters(url)
        clickID = parameters.clickID
        guard url.segments.dropFirst().allSatisfy(\.isEmpty), !parameters.values.isEmpty else {
            link = nil
            return
        }
        link = DynamicLink(
            url: parameters["deep_link_id"].flatMap { URL(string: $0) },
            matchType: parameters["match_type"].map(Self.matchType) ?? .unique,
            minimumAppVersion: parameters["imv"], parameters: parameters.values)
    }

    private static let host = "google"

    private static func matchType(_ name: String) -> DLMatchType {
        switch name {
        case "weak": .weak
        case "default": .default
        case "unique": .unique
        default: .none
        }
    }

    /// The URL of a resolved link.
    static func url(of link: DynamicLink, scheme: String) -> URL? {
        var items = [("match_type", link.url == nil ? "none" : "unique")]
        if let url = link.url { items.insert(("deep_link_id", url.absoluteString), at: 0) }
        if let version = link.minimumAppVersion { items.append(("imv", version)) }
        for (name, value) in link.utmParametersDictionary.sorted(by: { $0.key < $1.key }) {
            items.append((name, "\(value)"))
        }
        let query = items.map { $0 + "=" + PercentEncoding.encode($1, allowed: .lettersAndDigits) }
        return URL(string: "\(scheme)://\(host)/link/?" + query.joined(separator: "&"))
    }
}

extension ASCIISet {
    /// The characters that stay as they are in values of a query. The service and Firebase's SDK need fewer escapes;
    /// tools that decode a URL twice, or end one at a dot, need these.
    static let lettersAndDigits = ASCIISet(low: 0x03FF_0000_0000_0000, high: 0x07FF_FFFE_07FF_FFFE)
}
