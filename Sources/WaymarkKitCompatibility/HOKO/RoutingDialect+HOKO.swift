public import WaymarkKit

/// HOKO's two SDKs read some URLs differently from each other and from RFC 3986.
extension RoutingDialect {
    /// The rules of HOKO's SDK for iOS (2.5.0), which HOKO's documentation describes. `Hoko.setup` uses it.
    public static let ios = RoutingDialect(escapedSlashSeparates: true)

    /// The rules of HOKO's SDK for Android (2.3).
    public static let android = RoutingDialect(
        isCaseSensitive: false, keepsEmptySegments: false, escapedSlashSeparates: false,
        duplicateQueryItem: .first,
        flagIsEmptyString: true, duplicateDefaultRoute: .first, keepsUnroutedDeeplink: false)
}
