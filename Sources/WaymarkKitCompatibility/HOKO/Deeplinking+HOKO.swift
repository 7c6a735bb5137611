public import Foundation
public import WaymarkKit

extension Deeplinking {
    /// The SDK's name for `map(_:to:)`.
    ///
    /// - Returns: why the route was not mapped; the SDK logged it.
    @discardableResult
    public func mapRoute(_ route: String, toTarget target: @escaping Target) -> DeeplinkingError? {
        failure { () throws(DeeplinkingError) in try map(route, to: target) }
    }

    /// The SDK's name for `mapDefault(to:)`.
    ///
    /// - Returns: why the route was not mapped; the SDK logged it.
    @discardableResult
    public func mapDefaultRouteToTarget(_ target: @escaping Target) -> DeeplinkingError? {
        failure { () throws(DeeplinkingError) in try mapDefault(to: target) }
    }

    /// The SDK's `addHandler:`: as `addHandler(_:)` with any handler, but an object that was added before is an error that is
    /// returned.
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

    /// The SDK's name for `open(_:sourceApplication:)`; the annotation is not looked at. False for nil.
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

    /// The SDK's name for `continueActivity(_:)`, with the restoration handler that UIKit has had since iOS 12; it is not
    /// called.
    @discardableResult
    public func continueUserActivity<Restored>(
        _ activity: some BrowsingActivity, restorationHandler: (Restored) -> Void
    ) -> Bool {
        continueActivity(activity)
    }

    /// The SDK's name for `generateSmartlink(for:success:failure:)`. For nil, a deep link for which a route parameter was
    /// missing, it fails with `DeeplinkingError.missingRouteParameters`.
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

    /// As above, for closures that take an `NSError`.
    @_disfavoredOverload
    public func generateSmartlinkForDeeplink(
        _ deeplink: Deeplink?, success: @escaping @MainActor @Sendable (String) -> Void,
        failure: @escaping @MainActor @Sendable (NSError) -> Void
    ) {
        generateSmartlinkForDeeplink(deeplink, success: success) { (error: any Error) in failure(error as NSError) }
    }

    /// The SDK's lazy link: a URL that makes its smart link when it is first visited, `http://DOMAIN/lazy?uri=…`. Nobody is
    /// asked.
    ///
    /// - Parameters:
    ///   - deeplink: a link with a mapped route and without URLs for single platforms.
    ///   - domain: a host that serves the app's smart links, without a scheme.
    /// - Returns: nil where the link is nil, has no route or URLs of its own, and where the domain is none.
    public func generateLazySmartlinkForDeeplink(_ deeplink: Deeplink?, domain: String) -> String? {
        guard let deeplink, deeplink.urls.isEmpty, let url = deeplink.url, isMapped(deeplink.route ?? "") else {
            return nil
        }
        guard !domain.isEmpty, DeepLinkURL("//" + domain).authority == domain else { return nil }
        return "http://\(domain)/lazy?uri=" + PercentEncoding.encoded(url)
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
