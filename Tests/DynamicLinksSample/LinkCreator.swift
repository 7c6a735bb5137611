import Foundation
import WaymarkDynamicLinks

/// The screen of the app that shares a product.
@MainActor
public class LinkCreator {
    public var sharedURL: URL?
    public var warnings: [String] = []
    public var lastError: Error?

    public init() {}

    public func components(product: Int, domain: String) -> DynamicLinkComponents? {
        guard
            let link = URL(
                string: "https://shop.example.com/products/\(product)?size=xl&colour=sea green".replacingOccurrences(
                    of: " ", with: "%20"))
        else {
            return nil
        }
        let linkBuilder = DynamicLinkComponents(link: link, domainURIPrefix: domain)
        linkBuilder?.iOSParameters = DynamicLinkIOSParameters(bundleID: "com.example.shop")
        linkBuilder?.iOSParameters?.appStoreID = "123456789"
        linkBuilder?.iOSParameters?.minimumAppVersion = "1.2.3"
        linkBuilder?.androidParameters = DynamicLinkAndroidParameters(packageName: "com.example.shop")
        linkBuilder?.androidParameters?.minimumVersion = 25

        let analytics = DynamicLinkGoogleAnalyticsParameters(
            source: "orkut", medium: "social", campaign: "spring & summer")
        analytics.term = "shoes"
        linkBuilder?.analyticsParameters = analytics

        linkBuilder?.socialMetaTagParameters = DynamicLinkSocialMetaTagParameters()
        linkBuilder?.socialMetaTagParameters?.title = "Product \(product)"
        linkBuilder?.socialMetaTagParameters?.descriptionText = "Works – on every phone!"
        linkBuilder?.socialMetaTagParameters?.imageURL = URL(string: "https://shop.example.com/42.png")
        linkBuilder?.options = DynamicLinkComponentsOptions()
        linkBuilder?.options?.pathLength = .short
        return linkBuilder
    }

    /// `shorten` with a trailing closure that changes the screen's state.
    public func share(product: Int, domain: String, done: @escaping () -> Void) {
        guard let linkBuilder = components(product: product, domain: domain), let longURL = linkBuilder.url else {
            return
        }
        print("The long URL is: \(longURL)")
        linkBuilder.shorten { [weak self] url, warnings, error in
            defer { done() }
            guard let url = url, error == nil else {
                self?.lastError = error
                return
            }
            self?.sharedURL = url
            if let warnings = warnings {
                for warning in warnings { self?.warnings.append(warning) }
            }
        }
    }

    /// The completion is a value that was handed in.
    public func shorten(_ longURL: URL, completion: @escaping (URL?, [String]?, Error?) -> Void) {
        DynamicLinkComponents.shortenURL(longURL, options: nil, completion: completion)
    }

    public func shortenWithOptions(_ longURL: URL, done: @escaping (URL?) -> Void) {
        let options = DynamicLinkComponentsOptions()
        options.pathLength = ShortDynamicLinkPathLength.unguessable
        DynamicLinkComponents.shortenURL(longURL, options: options) { url, _, error in
            if let error = error as NSError? { print(error.domain, error.localizedDescription) }
            done(url)
        }
    }

    @available(iOS 13, *)
    public func share(product: Int, domain: String) async throws -> URL {
        guard let linkBuilder = components(product: product, domain: domain) else { throw URLError(.badURL) }
        let (shortURL, warnings) = try await linkBuilder.shorten()
        self.warnings = warnings
        return shortURL
    }

    /// Every class of parameters and every member.
    public func everything(domain: String) -> DynamicLinkComponents {
        let components = DynamicLinkComponents(
            link: URL(string: "https://shop.example.com/")!, domainURIPrefix: domain)!
        let ios = DynamicLinkIOSParameters(bundleID: "com.example.shop")
        ios.fallbackURL = URL(string: "https://shop.example.com/ios")
        ios.customScheme = "shop"
        ios.iPadBundleID = ios.bundleID
        ios.iPadFallbackURL = ios.fallbackURL
        components.iOSParameters = ios
        let android = DynamicLinkAndroidParameters(packageName: "com.example.shop")
        android.fallbackURL = URL(string: "https://shop.example.com/android")
        if android.packageName != nil { components.androidParameters = android }
        let store = DynamicLinkItunesConnectAnalyticsParameters()
        store.affiliateToken = "a"
        store.campaignToken = "c"
        store.providerToken = "p"
        components.iTunesConnectParameters = store
        let navigation = DynamicLinkNavigationInfoParameters()
        navigation.isForcedRedirectEnabled = true
        components.navigationInfoParameters = navigation
        let other = DynamicLinkOtherPlatformParameters()
        other.fallbackUrl = URL(string: "https://shop.example.com/desktop")
        components.otherPlatformParameters = other
        let analytics = DynamicLinkGoogleAnalyticsParameters()
        analytics.source = "mail"
        analytics.medium = nil
        analytics.campaign = ""
        analytics.content = "footer"
        components.analyticsParameters = analytics
        components.domain = domain
        return components
    }
}
