import WaymarkBytes

/// The store that has an application for a platform.
enum AppStore: Equatable {
    /// `isDefault`: the ID belongs to an iPhone or iPad app. On a Mac it is only used by entries that name the store.
    case apple(id: String, isDefault: Bool)
    case play(package: String)
    /// Another one, and the app's ID there.
    case named(Visitor.Store, id: String)

    /// - Parameter store: the one that the visitor's device has. On devices of Huawei without Google Play, and of Amazon,
    ///   it comes first; on Samsung's, which also have Google Play, after that.
    init?(platform: Platform, application: Application, store: Visitor.Store? = nil) {
        switch platform {
        case .iphone, .ipad, .ios, .macos:
            guard let id = application.ios?.appStoreID else { return nil }
            self = .apple(id: id, isDefault: platform.isApple)
        case .android:
            guard let android = application.android else { return nil }
            if store == .appGallery, let id = android.appGallery {
                self = .named(.appGallery, id: id)
            } else if store == .amazon, let id = android.amazon {
                self = .named(.amazon, id: id)
            } else if let package = android.package {
                self = .play(package: package)
            } else if store == .galaxy, let id = android.galaxy {
                self = .named(.galaxy, id: id)
            } else {
                return nil
            }
        case .windows:
            guard let id = application.windows?.microsoft else { return nil }
            self = .named(.microsoft, id: id)
        case .linux, .web: return nil
        }
    }

    /// Whether it is the fallback of entries without one.
    var isDefault: Bool {
        switch self {
        case .apple(id: _, let isDefault): isDefault
        case .play, .named: true
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

    /// An app's page in a store, as its operator documents links to it.
    static func url(_ store: Visitor.Store, id: String) -> String {
        let id = PercentEncoding.encode(part: id)
        return switch store {
        case .play: playURL(package: id)
        case .appGallery: pages[0] + id
        case .galaxy: pages[1] + id
        case .amazon: pages[2] + (id.contains(".") ? "p=" : "asin=") + id
        case .microsoft: pages[3] + id
        }
    }

    private static let pages = [
        "https://appgallery.huawei.com/app/", "https://galaxystore.samsung.com/detail/",
        "https://www.amazon.com/gp/mas/dl/android?", "https://apps.microsoft.com/detail/",
    ]

    /// Whether a URL is an app's page in a store, as generated here.
    static func isStore(_ url: String) -> Bool {
        url.hasPrefix("https://play.google.com/store/apps/details?id=")
            || url.hasPrefix("https://apps.apple.com/app/id") || pages.contains { url.hasPrefix($0) }
    }
}
