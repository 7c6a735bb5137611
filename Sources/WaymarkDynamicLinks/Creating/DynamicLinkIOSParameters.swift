public import Foundation

/// What a link does on iPhones and iPads.
public final class DynamicLinkIOSParameters: NSObject {
    var query = LongLinkQuery()

    /// - Parameter bundleID: the app's bundle ID, one of the application's at the service (`ibi`).
    public init(bundleID: String) {
        query[.ibi] = bundleID
    }

    /// The app's bundle ID (`ibi`). Nil if it was empty.
    public var bundleID: String? { query[.ibi] }

    /// The app's ID in the App Store, such as `1234567890` (`isi`).
    public var appStoreID: String? {
        get { query[.isi] }
        set { query[.isi] = newValue }
    }

    /// Where the link leads if the app is not installed; the App Store if nil (`ifl`).
    public var fallbackURL: URL? {
        get { query[url: .ifl] }
        set { query[url: .ifl] = newValue }
    }

    /// The app's URL scheme; if nil the application's at the service, else the bundle ID (`ius`).
    public var customScheme: String? {
        get { query[.ius] }
        set { query[.ius] = newValue }
    }

    /// The bundle ID on iPads; that of iPhones if nil (`ipbi`).
    public var iPadBundleID: String? {
        get { query[.ipbi] }
        set { query[.ipbi] = newValue }
    }

    /// Where the link leads on iPads if the app is not installed; `fallbackURL` if nil (`ipfl`).
    public var iPadFallbackURL: URL? {
        get { query[url: .ipfl] }
        set { query[url: .ipfl] = newValue }
    }

    /// The oldest app version that supports the link, such as `2.4` (`imv`). The app receives it as
    /// `DynamicLink.minimumAppVersion`.
    public var minimumAppVersion: String? {
        get { query[.imv] }
        set { query[.imv] = newValue }
    }
}

/// Tokens that a link passes to the App Store.
public final class DynamicLinkItunesConnectAnalyticsParameters: NSObject {
    var query = LongLinkQuery()

    /// The affiliate token (`at`).
    public var affiliateToken: String? {
        get { query[.at] }
        set { query[.at] = newValue }
    }

    /// The campaign token (`ct`).
    public var campaignToken: String? {
        get { query[.ct] }
        set { query[.ct] = newValue }
    }

    /// The provider token (`pt`).
    public var providerToken: String? {
        get { query[.pt] }
        set { query[.pt] = newValue }
    }
}
