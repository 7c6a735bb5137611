import Foundation
import WaymarkBytes
import WaymarkKit

/// The parameters that a URL carries about a deep link: a long link's, or those of the URL with the app's own scheme
/// that a link's page opens.
///
/// Read as the service reads them: the first of duplicate names wins, and `+` is a space in `utm_` parameters only.
struct LinkParameters {
    private(set) var values: [String: String] = [:]
    /// The click that led to the app; nil if there was none. The last of several, unlike other parameters: the service
    /// appends its own.
    let clickID: String?

    init(_ url: DeepLinkURL) {
        clickID = url.separatingServiceParameters().service.clickID
        for item in url.queryItems {
            let name = PercentEncoding.decodeWholeText(item.name, plusIsSpace: true)
            guard let value = item.value, values[name] == nil else { continue }
            values[name] = PercentEncoding.decodeWholeText(value, plusIsSpace: name.hasPrefix("utm_"))
        }
    }

    /// Nil if the parameter is missing or empty.
    subscript(name: String) -> String? {
        values[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// A link that has everything in its query: `https://go.example.com/?link=…&ibi=…`.
struct LongLink {
    let link: DynamicLink
    let clickID: String?

    /// Nil without a parameter `link` that is an `http` or `https` URL.
    init?(_ url: DeepLinkURL) {
        let parameters = LinkParameters(url)
        guard let text = parameters["link"], DeepLinkURL(text).isWeb, let deepLink = URL(string: text) else {
            return nil
        }
        link = DynamicLink(
            url: deepLink, minimumAppVersion: parameters["imv"], parameters: parameters.values)
        clickID = parameters.clickID
    }
}
