public import Foundation

/// What a link does on Android.
public final class DynamicLinkAndroidParameters: NSObject {
    var query = LongLinkQuery()

    /// - Parameter packageName: the app's package, the application's at the service (`apn`).
    public init(packageName: String) {
        query[.apn] = packageName
    }

    /// The app's package (`apn`). Nil if it was empty.
    public var packageName: String? { query[.apn] }

    /// Where the link leads if the app is not installed; Google Play if nil (`afl`).
    public var fallbackURL: URL? {
        get { query[url: .afl] }
        set { query[url: .afl] = newValue }
    }

    /// The version code of the oldest app version that supports the link (`amv`). Default: 0, not in the link until
    /// set.
    public var minimumVersion: Int {
        get { query[.amv].flatMap { Int($0) } ?? 0 }
        set { query[.amv] = String(newValue) }
    }
}
