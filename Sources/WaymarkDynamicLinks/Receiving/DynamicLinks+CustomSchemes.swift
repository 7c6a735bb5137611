public import Foundation
import WaymarkKit

extension DynamicLinks {
    /// Whether a URL with the app's own scheme is for `dynamicLink(fromCustomSchemeURL:)`: `<scheme>://google/link…`.
    /// The app should then not handle it elsewhere, even if it has no link.
    @discardableResult
    public func shouldHandleDynamicLink(fromCustomSchemeURL url: URL) -> Bool {
        CustomSchemeLink(url.deepLinkURL, schemes: configuration.urlSchemes) != nil
    }

    /// The link of a URL with the app's own scheme, as a link's page opens it:
    /// `<scheme>://google/link/?deep_link_id=…`.
    ///
    /// Needs no service. If the URL has a click ID the opening is recorded, once for repeated calls with the same URL.
    ///
    /// - Returns: nil if the URL is not such a URL, or has no parameters.
    @discardableResult
    public func dynamicLink(fromCustomSchemeURL url: URL) -> DynamicLink? {
        guard let read = CustomSchemeLink(url.deepLinkURL, schemes: configuration.urlSchemes), let link = read.link
        else { return nil }
        recordOpen(clickID: read.clickID)
        return link
    }

    /// Records the opening that a click led to. Scene and app delegates often read the same URL in turn.
    func recordOpen(clickID: String?) {
        guard let clickID, let client = configuration.client, isNew(clickID) else { return }
        client.recordOpen(clickID: clickID)
    }
}
