public import Foundation

/// A Dynamic Link that is being created, long or short.
///
///     let components = DynamicLinkComponents(link: product, domainURIPrefix: "https://go.example.com")
///     components?.iOSParameters = DynamicLinkIOSParameters(bundleID: "com.example.shop")
///     components?.shorten { url, warnings, error in … }
///
/// It is confined to one thread at a time, as all classes of parameters are.
public final class DynamicLinkComponents: NSObject {
    /// `utm_source` and so on.
    public var analyticsParameters: DynamicLinkGoogleAnalyticsParameters?
    /// The preview in posts and messages.
    public var socialMetaTagParameters: DynamicLinkSocialMetaTagParameters?
    /// iPhones and iPads.
    public var iOSParameters: DynamicLinkIOSParameters?
    /// Tokens for the App Store.
    public var iTunesConnectParameters: DynamicLinkItunesConnectAnalyticsParameters?
    /// Android.
    public var androidParameters: DynamicLinkAndroidParameters?
    /// Whether the page that opens the app is skipped.
    public var navigationInfoParameters: DynamicLinkNavigationInfoParameters?
    /// All other systems.
    public var otherPlatformParameters: DynamicLinkOtherPlatformParameters?
    /// How the link is shortened.
    public var options: DynamicLinkComponentsOptions?

    /// The link that the app receives: an `http` or `https` URL, on a host that the service allows.
    public var link: URL
    /// The URI prefix of the link domain, such as `https://go.example.com`. Without it there is no long link.
    public var domain: String?

    /// Nil unless the prefix is an `https` URL.
    ///
    /// - Parameters:
    ///   - link: the link that the app receives.
    ///   - domainURIPrefix: `https://` and the link domain, with a path prefix of up to three segments if there is one.
    public init?(link: URL, domainURIPrefix: String) {
        guard URL(string: domainURIPrefix)?.scheme?.lowercased() == "https" else { return nil }
        self.link = link
        domain = domainURIPrefix
    }

    /// The long link with all parameters that are set, built without the service. Equal parameters give an equal URL.
    public var url: URL? {
        guard var prefix = domain?[...] else { return nil }
        while prefix.utf8.last == UInt8(ascii: "/") { prefix.removeLast() }
        var query = LongLinkQuery()
        query[url: .link] = link
        for part in [
            analyticsParameters?.query, socialMetaTagParameters?.query, iOSParameters?.query,
            iTunesConnectParameters?.query, androidParameters?.query, navigationInfoParameters?.query,
            otherPlatformParameters?.query,
        ] {
            query.add(part)
        }
        return URL(string: prefix + "/?" + query.text)
    }
}
