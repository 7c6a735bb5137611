public import Foundation
public import WaymarkKit

/// The SDK's module for routes, filters, handlers and smart links: a `Deeplinking` under the SDK's names.
@preconcurrency @MainActor
public final class HOKDeeplinking {
    /// Code that runs when a link to a route is opened.
    public typealias Target = @MainActor (HOKDeeplink) -> Void
    /// Decides whether a link may open now.
    public typealias Filter = @MainActor (HOKDeeplink) -> Bool

    /// The router, for what the SDK did not have: scenes, deferred deep links, waiting for an outcome.
    public let router: Deeplinking

    let links = WrappedLinks()
    private var handlers: [any HOKHandlerProtocol] = []

    /// Gives a router the SDK's names. `Hoko.deeplinking()` returns the app's own one.
    public init(_ router: Deeplinking) {
        self.router = router
    }

    // MARK: Routes

    /// Maps a route to a target. Nil maps the default route.
    ///
    /// - Returns: the error if the route was mapped before: domain `Hoko`, code 4. The first target is kept.
    @discardableResult
    public func mapRoute(_ route: String?, toTarget target: @escaping Target) -> NSError? {
        let links = links
        return failure { () throws(DeeplinkingError) in
            try router.map(route ?? "") { target(links.link(for: $0)) }
        }
    }

    /// Maps the target of links that match no route.
    @discardableResult
    public func mapDefaultRouteToTarget(_ target: @escaping Target) -> NSError? {
        mapRoute(nil, toTarget: target)
    }

    // MARK: Handlers and filters

    /// Adds an object that receives each link that is about to open, and retains it.
    ///
    /// - Returns: the error if the object was added before: domain `Hoko`, code 16.
    @discardableResult
    public func addHandler(_ handler: any HOKHandlerProtocol) -> NSError? {
        guard !handlers.contains(where: { $0 === handler }) else { return HOKError.log(DeeplinkingError.handlerExists) }
        handlers.append(handler)
        addHandlerBlock { handler.handleDeeplink($0) }
        return nil
    }

    /// Adds a closure that receives each link that is about to open.
    public func addHandlerBlock(_ handle: @escaping Target) {
        let links = links
        router.addHandler { handle(links.link(for: $0)) }
    }

    /// Adds a filter. All filters must return true for a link to open; otherwise it stays `currentDeeplink()`.
    public func addFilterBlock(_ filter: @escaping Filter) {
        let links = links
        router.addFilter { filter(links.link(for: $0)) }
    }

    // MARK: Opening

    /// The link that was opened last, whether or not filters let it pass.
    public func currentDeeplink() -> HOKDeeplink? {
        router.currentDeeplink.map { links.link(for: $0) }
    }

    /// Opens `currentDeeplink()` again, for example after a login.
    @discardableResult
    public func openCurrentDeeplink() -> Bool {
        router.openCurrentDeeplink()
    }

    /// Opens a URL. Nil opens the default route.
    @discardableResult
    public func handleOpenURL(_ url: URL?) -> Bool {
        openURL(url, sourceApplication: nil, annotation: nil)
    }

    /// Opens a URL. Nil opens the default route.
    ///
    /// - Parameters:
    ///   - url: any URL that the app was opened with.
    ///   - sourceApplication: the app that opened it, if the system reports it.
    ///   - annotation: ignored.
    /// - Returns: whether it was opened or is being resolved.
    @discardableResult
    public func openURL(_ url: URL?, sourceApplication: String?, annotation: Any?) -> Bool {
        guard let url else { return router.open((router.urlSchemes.first ?? "app") + "://") }
        return router.open(url, sourceApplication: sourceApplication)
    }

    /// Whether a route is mapped for the URL, or a default route.
    public func canOpenURL(_ url: URL) -> Bool {
        router.canOpen(url)
    }

    /// Opens a link whose route is mapped.
    @discardableResult
    public func openDeeplink(_ deeplink: HOKDeeplink) -> Bool {
        guard deeplink.error == nil else { return false }
        links.latest = deeplink
        return router.open(deeplink.base)
    }

    /// Opens the web page of a browsing activity (a universal link). False for other activities. The restoration
    /// handler is not called.
    @discardableResult
    public func continueUserActivity(
        _ activity: some BrowsingActivity, restorationHandler: ([AnyObject]?) -> Void
    ) -> Bool {
        router.continueActivity(activity)
    }

    /// Variant for UIKit's restoration handler since iOS 12.
    @discardableResult
    public func continueUserActivity<Restored>(
        _ activity: some BrowsingActivity, restorationHandler: (Restored) -> Void
    ) -> Bool {
        router.continueActivity(activity)
    }

    private func failure(_ body: () throws(DeeplinkingError) -> Void) -> NSError? {
        do throws(DeeplinkingError) {
            try body()
            return nil
        } catch {
            return HOKError.log(error)
        }
    }
}

/// The link that is being opened under the SDK's name, so that filters, handlers and the target receive one object.
@MainActor
final class WrappedLinks {
    var latest: HOKDeeplink?

    func link(for base: Deeplink) -> HOKDeeplink {
        if let latest, latest.base === base { return latest }
        let link = HOKDeeplink(base)
        latest = link
        return link
    }
}

/// An object that receives each link that is about to open, as the SDK's documentation spells it.
@preconcurrency @MainActor
public protocol HOKHandlerProtocol: AnyObject {
    /// Called with each link that passed the filters; its `wasOpened` is still false.
    func handleDeeplink(_ deeplink: HOKDeeplink)
}

/// The protocol as the SDK's headers spell it.
public typealias HOKHandlerProcotol = HOKHandlerProtocol
