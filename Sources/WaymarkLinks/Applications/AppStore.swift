import WaymarkBytes

/// The store that has an application for a platform.
enum AppStore: Equatable {
    /// `isDefault`: the ID belongs to an iPhone or iPad app. On a Mac it is only used by entries that name the store.
    case apple(id: String, isDefault: Bool)
    case play(package: String)

    init?(platform: Platform, application: Application) {
        switch platform {
        case .iphone, .ipad, .ios, .macos:
            guard let id = application.ios?.appStoreID else { return nil }
            self = .apple(id: id, isDefault: platform.isApple)
        case .android:
            guard let package = application.android?.package else { return nil }
            self = .play(package: package)
        case .windows, .linux, .web: return nil
        }
    }

    /// Whether it is the fallback of entries without one.
    var isDefault: Bool {
        switch self {
        case .apple(id: _, let isDefault): isDefault
        case .play: true
        }
    }

    /// - Parameter campaign: shown in App Store analytics, which accept 40 characters (`ct`); `mt` is the media type
    ///   of apps.
    static func appleURL(id: String, campaign: String?) -> String {
        let page = "https://apps.apple.com/app/id" + id
        guard let campaign else { return page }
        return page + "?ct=" + PercentEncoding.encode(part: String(campaign.prefix(40))) + "&mt=8"
    }

    static func playURL(package: String) -> String {
        "https://play.google.com/store/apps/details?id=" + PercentEncoding.encode(part: package)
    }

    /// - Parameter referrer: passed to the app on its first launch.
    static func playURL(package: String, referrer: String) -> String {
        playURL(package: package) + "&referrer=" + PercentEncoding.encode(part: referrer)
    }

    /// Whether a URL is an app's page in a store, as generated here.
    static func isStore(_ url: String) -> Bool {
        url.hasPrefix("https://play.google.com/store/apps/details?id=")
            || url.hasPrefix("https://apps.apple.com/app/id")
    }
}
