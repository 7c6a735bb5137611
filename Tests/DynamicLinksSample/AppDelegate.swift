import Foundation
import WaymarkDynamicLinks

/// The app delegate and the scene delegate of the app, as Firebase's guide had them.
open class AppDelegate: UIResponder, UIApplicationDelegate {
    /// What the app opened, in order.
    public var opened: [DynamicLink] = []
    public var failures: [Error] = []
    public var onLink: (() -> Void)?

    public override init() {}

    public func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        let handled = DynamicLinks.dynamicLinks()
            .handleUniversalLink(userActivity.webpageURL!) { dynamiclink, error in
                if let error = error { self.failures.append(error) }
                if let dynamiclink = dynamiclink, let _ = dynamiclink.url { self.handleIncoming(dynamiclink) }
                self.onLink?()
            }
        return handled
    }

    @available(iOS 9.0, *)
    public func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool {
        return application(
            app, open: url, sourceApplication: options[UIApplication.OpenURLOptionsKey.sourceApplication] as? String,
            annotation: "")
    }

    public func application(
        _ application: UIApplication, open url: URL, sourceApplication: String?, annotation: Any
    ) -> Bool {
        if let dynamicLink = DynamicLinks.dynamicLinks().dynamicLink(fromCustomSchemeURL: url) {
            handleIncoming(dynamicLink)
            return true
        }
        return DynamicLinks.dynamicLinks().shouldHandleDynamicLink(fromCustomSchemeURL: url)
    }

    public func handleIncoming(_ dynamicLink: DynamicLink) {
        guard let url = dynamicLink.url else { return }
        switch dynamicLink.matchType {
        case .unique: print("Matched exactly: \(url)")
        case .weak, .default: print("Matched by guess: \(url)")
        case .none: return
        @unknown default: return
        }
        if let source = dynamicLink.utmParametersDictionary["utm_source"] as? String { print("From \(source)") }
        if let version = dynamicLink.minimumAppVersion,
            version.compare("1.0", options: .numeric) == .orderedDescending
        {
            print("Needs \(version)")
        }
        opened.append(dynamicLink)
    }

    /// For apps that resolve short links themselves.
    public func resolve(_ link: URL) {
        let dynamicLinks = DynamicLinks.dynamicLinks()
        guard dynamicLinks.matchesShortLinkFormat(link) else {
            dynamicLinks.dynamicLink(fromUniversalLink: link) { dynamicLink, error in
                if let error = error { self.failures.append(error) }
                if let dynamicLink = dynamicLink { self.handleIncoming(dynamicLink) }
                self.onLink?()
            }
            return
        }
        dynamicLinks.resolveShortLink(link) { url, error in
            if let error = error { self.failures.append(error) }
            if let url = url, dynamicLinks.shouldHandleDynamicLink(fromCustomSchemeURL: url),
                let dynamicLink = dynamicLinks.dynamicLink(fromCustomSchemeURL: url)
            {
                self.handleIncoming(dynamicLink)
            }
            self.onLink?()
        }
    }

    public func diagnose(_ show: @escaping (String, Bool) -> Void) {
        DynamicLinks.performDiagnostics(completion: show)
    }
}

/// Apps with scenes.
open class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    public let app: AppDelegate

    public init(_ app: AppDelegate) { self.app = app }

    public func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let url = connectionOptions.userActivities.first?.webpageURL else { return }
        DynamicLinks.dynamicLinks().handleUniversalLink(url) { link, _ in
            if let link = link { self.app.handleIncoming(link) }
            self.app.onLink?()
        }
    }

    public func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
        for context in URLContexts {
            guard let link = DynamicLinks.dynamicLinks().dynamicLink(fromCustomSchemeURL: context.url) else { continue }
            app.handleIncoming(link)
        }
    }

    /// Async code, from no actor.
    public static func link(of url: URL) async throws -> DynamicLink? {
        let dynamicLinks = DynamicLinks.dynamicLinks()
        let longURL: URL = dynamicLinks.matchesShortLinkFormat(url) ? try await dynamicLinks.resolveShortLink(url) : url
        if let link = dynamicLinks.dynamicLink(fromCustomSchemeURL: longURL) { return link }
        return try await DynamicLinks.dynamicLinks().dynamicLink(fromUniversalLink: longURL)
    }
}
