/// The points in which MobileDeepLinking's libraries and its specification differ.
public struct MobileDeepLinkingDialect: Sendable, Hashable {
    /// Whether a query item with an empty value (`a=`) is dropped.
    public var dropsEmptyQueryValues: Bool
    /// Whether `"required": true` counts only as the string `"true"`.
    public var ignoresBooleanRequired: Bool

    /// A dialect point by point; what is left out is as the specification means it.
    public init(dropsEmptyQueryValues: Bool = false, ignoresBooleanRequired: Bool = false) {
        self.dropsEmptyQueryValues = dropsEmptyQueryValues
        self.ignoresBooleanRequired = ignoresBooleanRequired
    }

    /// As the specification means it: empty values count, and so do booleans. The default.
    public static let specification = MobileDeepLinkingDialect()
    /// As the library for iOS does (0.2.0).
    public static let ios = MobileDeepLinkingDialect(ignoresBooleanRequired: true)
    /// As the library for Android does (0.1.2).
    public static let android = MobileDeepLinkingDialect(dropsEmptyQueryValues: true)
}
