public import WaymarkKit

/// The SDK's name for `Deeplink`.
public typealias HOKDeeplink = Deeplink
/// The name of `Deeplink` in the SDK's first version.
public typealias HKDeeplink = Deeplink
/// The SDK's name for `DeeplinkPlatform`.
public typealias HOKDeeplinkPlatform = DeeplinkPlatform

/// The SDK's name for `DeeplinkHandler`, as its documentation spells it.
@MainActor
public protocol HOKHandlerProtocol: DeeplinkHandler {}
/// The SDK's name for `DeeplinkHandler`, as its headers spell it.
public typealias HOKHandlerProcotol = HOKHandlerProtocol

extension Deeplink {
    /// The SDK's form of `init(route:routeParameters:queryParameters:metadata:redeemLimit:isUnique:urls:)`: nil where a route
    /// parameter is missing.
    public convenience init?(
        _ route: String, routeParameters: [String: Parameter] = [:], queryParameters: [String: Parameter] = [:],
        metadata: [String: Any]? = nil, redeemLimit: Int = 0, isUnique: Bool = false
    ) {
        do {
            try self.init(
                route: route, routeParameters: routeParameters, queryParameters: queryParameters, metadata: metadata,
                redeemLimit: redeemLimit, isUnique: isUnique)
        } catch {
            return nil
        }
    }

    /// The SDK's way to give the smart link a URL for one platform, after the link was made. The last one given for a
    /// platform counts.
    public func addURL(_ url: String, forPlatform platform: DeeplinkPlatform) {
        addURL(url, for: platform)
    }
}

extension DeeplinkPlatform {
    /// `HOKDeeplinkPlatformWeb`, as Swift imported it.
    public static let Web = DeeplinkPlatform.web
    /// `HOKDeeplinkPlatformAndroid`, as Swift imported it.
    public static let Android = DeeplinkPlatform.android
}
