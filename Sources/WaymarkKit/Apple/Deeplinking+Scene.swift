#if canImport(UIKit) && !os(watchOS)
    public import UIKit

    extension Deeplinking {
        /// Opens what a scene was started with: call it in `scene(_:willConnectTo:options:)` when the window is there.
        ///
        /// - Returns: whether there was a URL or a web page and it was opened, or is being resolved.
        @discardableResult
        public func open(_ options: UIScene.ConnectionOptions) -> Bool {
            let pages = options.userActivities.filter { continueActivity($0) }
            return open(options.urlContexts) || !pages.isEmpty
        }

        /// Opens the URLs that a running scene is handed: call it in `scene(_:openURLContexts:)`.
        ///
        /// - Returns: whether one was opened, or is being resolved.
        @discardableResult
        public func open(_ contexts: Set<UIOpenURLContext>) -> Bool {
            contexts.filter { open($0.url, sourceApplication: $0.options.sourceApplication) }.isEmpty == false
        }
    }
#endif
