public import Foundation
import WaymarkBytes
public import WaymarkKit

extension Deeplinking {
    /// The SDK's name for `map(_:to:)`.
    ///
    /// - Returns: the error if the route was not mapped; the SDK logged it.
    @discardableResult
    public func mapRoute(_ route: String, toTarget target: @escaping Target) -> DeeplinkingError? {
        failure { () throws(DeeplinkingError) in try map(route, to: target) }
    }

    /// The SDK's name for `mapDefault(to:)`.
    ///
    /// - Returns: the error if the route was not mapped; the SDK logged it.
    @discardableResult
    public func mapDefaultRouteToTarget(_ target: @escaping Target) -> DeeplinkingError? {
        failure { () throws(DeeplinkingError) in try mapDefault(to: target) }
    }

    /// The SDK's `addHandler:`, like `addHandler(_:)`. If the object has already been added, the error is returned.
    @discardableResult
    public func addHandler(_ handler: any HOKHandlerProtocol) -> DeeplinkingError? {
        failure { () throws(DeeplinkingError) in try addHandler(handler as any DeeplinkHandler) }
    }

    /// The SDK's name for `addHandler(_:)` with a closure.
    public func addHandlerBlock(_ handle: @escaping Target) {
        addHandler(handle)
    }

    /// The SDK's name for `addFilter(_:)`.
    public func addFilterBlock(_ filter: @escaping Filter) {
        addFilter(filter)
    }

    /// The SDK's name for the property `currentDeeplink`.
    public func currentDeeplink() -> Deeplink? {
        let current: Deeplink? = currentDeeplink
        return current
    }

    /// The SDK's name for `open(_:)`.
    @discardableResult
    public func handleOpenURL(_ url: URL) -> Bool {
        open(url)
    }

    /// The SDK's name for `open(_:sourceApplication:)`; the annotation is ignored. False for nil.
    @discardableResult
    public func openURL(_ url: URL?, sourceApplication: String?, annotation: Any?) -> Bool {
        guard let url else { return false }
        return open(url, sourceApplication: sourceApplication)
    }

    /// The SDK's name for `open(_:)` with a deep link.
    @discardableResult
    public func openDeeplink(_ deeplink: Deeplink) -> Bool {
        open(deeplink)
    }

    /// The SDK's name for `continueActivity(_:)`; the restoration handler is not called.
    @discardableResult
    public func continueUserActivity(
        _ activity: some BrowsingActivity, restorationHandler: ([AnyObject]?) -> Void
    ) -> Bool {
        continueActivity(activity)
    }

    /// The SDK's name for `continueActivity(_:)`, with UIKit's restoration handler since iOS 12; it is not called.
    @discardableResult
    public func continueUserActivity<Restored>(
        _ activity: some BrowsingActivity, restorationHandler: (Restored) -> Void
    ) -> Bool {
        continueActivity(activity)
    }

    /// The SDK's name for `generateSmartlink(for:success:failure:)`. It fails with
    /// `DeeplinkingError.missingRouteParameters` for nil, which is a deep link that lacked a route parameter.
    public func generateSmartlinkForDeeplink(
        _ deeplink: Deeplink?, success: @escaping @MainActor @Sendable (String) -> Void,
        failure: @escaping @MainActor @Sendable (any Error) -> Void
    ) {
        guard let deeplink else {
            Task { failure(DeeplinkingError.missingRouteParameters([])) }
            return
        }
        generateSmartlink(for: deeplink, success: success, failure: failure)
    }

    /// Variant for closures that take an `NSError`.
    @_disfavoredOverload
    public func generateSmartlinkForDeeplink(
        _ deeplink: Deeplink?, success: @escaping @MainActor @Sendable (String) -> Void,
        failure: @escaping @MainActor @Sendable (NSError) -> Void
    ) {
        generateSmartlinkForDeeplink(deeplink, success: success) { (error: any Error) in failure(error as NSError) }
    }

    /// The SDK's lazy link: a URL that creates its smart link on the first visit, `http://DOMAIN/lazy?uri=…`. No
    /// request is sent.
    ///
    /// - Parameters:
    ///   - deeplink: a link with a mapped route and without platform-specific URLs.
    ///   - domain: a host that serves the app's smart links, without a scheme.
    /// - Returns: nil if the link is nil, has no mapped route or has URLs of its own, or if the domain is invalid.
    public func generateLazySmartlinkForDeeplink(_ deeplink: Deeplink?, domain: String) -> String? {
        guard let deeplink, deeplink.urls.isEmpty, let url = deeplink.url, isMapped(deeplink.route ?? "") else {
            return nil
        }
        guard !domain.isEmpty, DeepLinkURL("//" + domain).authority == domain else { return nil }
        return "http://\(domain)/lazy?uri=" + PercentEncoding.encode(url)
    }

    private func failure(_ body: () throws(DeeplinkingError) -> Void) -> DeeplinkingError? {
        do throws(DeeplinkingError) {
            try body()
            return nil
        } catch {
            return error
        }
    }
}
