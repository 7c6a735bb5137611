#if canImport(UIKit) && !os(watchOS)
    public import UIKit

    /// The SDK's helper that shows view controllers from wherever the app is: it knows tab bar controllers, navigation
    /// controllers and presented ones. Apps with containers of their own show screens themselves.
    @available(iOSApplicationExtension, unavailable)
    @available(tvOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    @preconcurrency @MainActor
    public enum HOKNavigation {
        /// Makes a view controller the root of the app's window: that of the app delegate, or of the scene that
        /// received the last link, or of the one in the foreground. Does nothing before the window exists.
        public static func setRootViewController(_ viewController: UIViewController) {
            window?.rootViewController = viewController
        }

        /// Pushes a view controller on the navigation controller that is shown. If there is none, a new navigation
        /// controller becomes the root; a navigation controller itself becomes the root.
        ///
        /// - Parameters:
        ///   - viewController: the view controller to show.
        ///   - animated: whether the push is animated.
        ///   - replace: whether it takes the place of a view controller of its class on top, so that two products are
        ///     not stacked. Default: false.
        public static func pushViewController(
            _ viewController: UIViewController, animated: Bool, replace: Bool = false
        ) {
            guard !(viewController is UINavigationController) else { return setRootViewController(viewController) }
            guard let navigation = shown?.navigationController else {
                return setRootViewController(UINavigationController(rootViewController: viewController))
            }
            let stack = navigation.viewControllers
            if replace, let top = stack.last, top.isKind(of: type(of: viewController)) {
                navigation.setViewControllers(stack.dropLast() + [viewController], animated: animated)
            } else {
                navigation.pushViewController(viewController, animated: animated)
            }
        }

        /// Presents a view controller over the one that is shown; if there is none, it becomes the root.
        public static func presentViewController(_ viewController: UIViewController, animated: Bool) {
            guard let shown else { return setRootViewController(viewController) }
            shown.present(viewController, animated: animated, completion: nil)
        }

        private static var window: UIWindow? { ActiveWindow.current(sceneID: Hoko.sceneID) }

        /// The view controller on top.
        private static var shown: UIViewController? {
            var shown = window?.rootViewController
            while let current = shown {
                let next: UIViewController? =
                    if let navigation = current as? UINavigationController {
                        navigation.viewControllers.last
                    } else if let tabs = current as? UITabBarController {
                        tabs.selectedViewController
                    } else {
                        current.presentedViewController
                    }
                guard let next else { return current }
                shown = next
            }
            return nil
        }
    }

    /// The name of `HOKNavigation` in the SDK's first version.
    @available(iOSApplicationExtension, unavailable)
    @available(tvOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    public typealias HKNavigation = HOKNavigation

    extension HOKDeeplinking {
        /// Whether the app is being launched by a URL. Apps with scenes get their URL in `scene(_:willConnectTo:options:)`
        /// and no launch options.
        public func isLaunchingFromDeeplinkWithOptions(_ launchOptions: [UIApplication.LaunchOptionsKey: Any]?) -> Bool
        {
            launchOptions?[.url] != nil
        }
    }
#endif
