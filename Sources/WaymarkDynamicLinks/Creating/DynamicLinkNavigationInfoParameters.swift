public import Foundation

/// How a link leads to the app.
public final class DynamicLinkNavigationInfoParameters: NSObject {
    var query = LongLinkQuery()

    /// Whether phones are redirected at once, without the page whose button opens the app (`efr`). Default: false.
    /// Without the page, an installation from the link on iOS has no pending link.
    public var isForcedRedirectEnabled: Bool {
        get { query[.efr] == "1" }
        set { query[.efr] = newValue ? "1" : "0" }
    }
}

/// What a link does on systems other than iOS and Android.
public final class DynamicLinkOtherPlatformParameters: NSObject {
    var query = LongLinkQuery()

    /// Where the link leads; to `link` if nil (`ofl`).
    public var fallbackUrl: URL? {
        get { query[url: .ofl] }
        set { query[url: .ofl] = newValue }
    }
}
