#if canImport(UIKit) && !os(watchOS)
    public import UIKit

    extension Deeplinking {
        /// Opens the URLs and web pages that launched a scene. Call it in `scene(_:willConnectTo:options:)`
        /// once the window exists.
        ///
        /// - Parameters:
        ///   - options: those of the call.
        ///   - scene: the scene of the call; `Deeplink.sceneID` is its session's `persistentIdentifier`.
        ///     Default: nil.
        /// - Returns: whether there was a URL or web page that was opened or is being resolved.
        @discardableResult
        public func open(_ options: UIScene.ConnectionOptions, in scene: UIScene? = nil) -> Bool {
            let pages = options.userActivities.filter { continueActivity($0, in: scene) }
            return open(options.urlContexts, in: scene) || !pages.isEmpty
        }

        /// Opens the URLs passed to a running scene. Call it in `scene(_:openURLContexts:)`.
        ///
        /// - Parameters:
        ///   - contexts: those of the call.
        ///   - scene: the scene of the call. Default: nil.
        /// - Returns: whether at least one was opened or is being resolved.
        @discardableResult
        public func open(_ contexts: Set<UIOpenURLContext>, in scene: UIScene? = nil) -> Bool {
            let sceneID = scene?.session.persistentIdentifier
            return !contexts.filter {
                open($0.url, sourceApplication: $0.options.sourceApplication, sceneID: sceneID)
            }.isEmpty
        }

        /// Continues a user activity that a scene received. Call it in `scene(_:continue:)`.
        ///
        /// - Parameters:
        ///   - activity: that of the call.
        ///   - scene: the scene of the call.
        /// - Returns: whether it has a web page that was opened or is being resolved.
        @discardableResult
        public func continueActivity(_ activity: NSUserActivity, in scene: UIScene?) -> Bool {
            continueActivity(activity, sceneID: scene?.session.persistentIdentifier)
        }
    }
#endif
