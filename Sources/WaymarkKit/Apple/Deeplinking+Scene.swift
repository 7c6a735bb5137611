#if canImport(UIKit) && !os(watchOS)
    public import UIKit

    extension Deeplinking {
        /// Opens the URLs and web pages that launched a scene. Call it in `scene(_:willConnectTo:options:)` once the
        /// window exists.
        ///
        /// - Returns: whether there was a URL or web page that was opened or is being resolved.
        @discardableResult
        public func open(_ options: UIScene.ConnectionOptions) -> Bool {
            let pages = options.userActivities.filter { continueActivity($0) }
            return open(options.urlContexts) || !pages.isEmpty
        }

        /// Opens the URLs passed to a running scene. Call it in `scene(_:openURLContexts:)`.
        ///
        /// - Returns: whether at least one was opened or is being resolved.
        @discardableResult
        public func open(_ contexts: Set<UIOpenURLContext>) -> Bool {
            contexts.filter { open($0.url, sourceApplication: $0.options.sourceApplication) }.isEmpty == false
        }
    }
#endif
